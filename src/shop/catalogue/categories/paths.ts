import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { textKey } from '#values/text-key.ts'
import { insertImplied } from './names-store.ts'
import { categories, maxDepth } from './table.ts'
import { findPaths, lockTree } from './tree-store.ts'

/** The IDs of the categories from the root down to one, by the key of its name. */
type Places = Map<string, readonly number[]>

async function findPlaces(db: Db, keys: readonly string[]): Promise<Places> {
  const found = await categories.findAll(db, { name_key: keys })
  const paths = await findPaths(
    db,
    found.map(({ id }) => id),
  )
  return new Map(
    found.map(({ id, name_key }) => [name_key, (paths.get(id) ?? []).map((part) => part.id)]),
  )
}

/**
 * Makes the categories of paths, which are names from the root down, each below the one before. One that exists stays
 * where it is; one that would be too deep gets the last place that there is. Returns the IDs of those that are new.
 */
export async function addPaths(
  db: Db,
  paths: readonly (readonly string[])[],
  now: Instant,
): Promise<readonly number[]> {
  const keys = [...new Set(paths.flat().map(textKey))]
  let places = await findPlaces(db, keys)
  if (keys.every((key) => places.has(key))) return []
  await lockTree(db)
  places = await findPlaces(db, keys)
  const addedIds: number[] = []
  for (let level = 0; level < maxDepth; level += 1) {
    const added = new Map<string, ReturnType<typeof belowParent>>()
    for (const path of paths) {
      const name = path[level]
      if (name !== undefined && !places.has(textKey(name))) {
        added.set(textKey(name), belowParent(name, places.get(textKey(path[level - 1] ?? ''))))
      }
    }
    if (added.size === 0) continue
    // In one order, which keeps transactions from a deadlock.
    const sorted = [...added.keys()].sort().flatMap((key) => added.get(key) ?? [])
    addedIds.push(...(await insertImplied(db, sorted, now)))
    for (const [key, place] of await findPlaces(db, [...added.keys()])) places.set(key, place)
  }
  return addedIds
}

const belowParent = (name: string, above: readonly number[] = []) => ({
  name,
  parent_id: above.slice(0, maxDepth - 1).at(-1) ?? null,
})
