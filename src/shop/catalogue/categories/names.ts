import { recordEvents } from '#shop/events/outbox-store.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { categoryEvent } from './events.ts'
import { addNames } from './names-store.ts'
import { withTree } from './store.ts'
import { categories } from './table.ts'

/** As `addNames`; returns the values, and records that categories were created. */
export async function withCategoryNames<V extends { readonly category: string | null }>(
  db: Db,
  given: readonly V[],
  now: Instant,
): Promise<readonly V[]> {
  const { values, addedIds } = await addNames(db, given, now)
  if (addedIds.length > 0) {
    const added = await withTree(
      db,
      await categories.findAll(db, { id: addedIds }, { order: 'id' }),
    )
    await recordEvents(
      db,
      added.map((category) => categoryEvent('category.created', category, now)),
    )
  }
  return values
}
