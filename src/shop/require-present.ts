import { resourceWord } from '#i18n/message.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'

/** Returns an entity. Throws 404/4041 when there is none, and 410/4101 when it has been removed. */
export function requirePresent<E extends { readonly deleted_at: Instant | null }>(
  name: string,
  entity: E | undefined,
): E {
  if (!entity) throw problem('4041', 'detail.no_resource', { name: resourceWord(name) })
  if (entity.deleted_at !== null) throw problem('4101', 'detail.gone', { name: resourceWord(name) })
  return entity
}
