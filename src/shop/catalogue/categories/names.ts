import { recordEvents } from '#shop/events/outbox-store.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { categoryEvent } from './events.ts'
import { addNames } from './names-store.ts'
import { addPaths } from './paths.ts'
import { withTree } from './store.ts'
import { categories } from './table.ts'

/** As `addNames`; returns the values, and records that categories were created. */
export async function withCategoryNames<V extends { readonly category: string | null }>(
  db: Db,
  given: readonly V[],
  now: Instant,
): Promise<readonly V[]> {
  const { values, addedIds } = await addNames(db, given, now)
  await recordAdded(db, addedIds, now)
  return values
}

async function recordAdded(db: Db, ids: readonly number[], now: Instant): Promise<void> {
  if (ids.length === 0) return
  const added = await withTree(db, await categories.findAll(db, { id: ids }, { order: 'id' }))
  await recordEvents(
    db,
    added.map((category) => categoryEvent('category.created', category, now)),
  )
}

/** As `addPaths`; records that categories were created. */
export const addCategoryPaths = async (
  db: Db,
  paths: readonly (readonly string[])[],
  now: Instant,
): Promise<void> => recordAdded(db, await addPaths(db, paths, now), now)
