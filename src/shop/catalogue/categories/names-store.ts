import { sql } from 'kysely'
import { makeCategoryHandle, unusedHandles } from '#shop/catalogue/handles/rules.ts'
import { invalidate } from '#store/changes.ts'
import type { Db } from '#store/database.ts'
import { isUniqueViolation } from '#store/errors.ts'
import { dialectOf, rowsFromJson, textIn } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { StaleWriteError } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { textKey } from '#values/text-key.ts'
import { categoriesCacheTag } from './rules.ts'
import { categories, type StoredCategory } from './table.ts'

// A weaker lock than that of other rows: many products of one category are written at once, none while it is
// renamed or removed.
const usedNames = prepareSql(
  (db: Db, { keys }: { keys: readonly string[] }) => sql`
    select name, name_key from categories where ${textIn(db, 'categories.name_key', keys)}
    order by name_key ${dialectOf(db) === 'sqlite' ? sql`` : sql`for key share`}`,
  categories.schemasOf(['name', 'name_key']),
)

/**
 * Returns the categories of these names as they are written, by the form in which they are compared. Until the
 * transaction ends they are neither renamed nor removed.
 */
async function useNames(db: Db, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = keys.length === 0 ? [] : await usedNames.all(db, { keys })
  return new Map(rows.map(({ name, name_key }) => [name_key, name]))
}

/** Copies those of these categories that exist to a scratch database, but for those that are there. */
export async function copyCategories(from: Db, to: Db, names: readonly string[]): Promise<void> {
  await categories.insertMissing(
    to,
    await categories.findAll(from, { name_key: names.map(textKey) }),
  )
}

/** Copies all categories to a scratch database, but for those that are there. */
export async function copyAllCategories(from: Db, to: Db): Promise<void> {
  await categories.insertMissing(to, await categories.findAll(from, {}))
}

/** Returns which of these categories exist. */
export async function knownNames(
  db: Db,
  names: readonly string[],
): Promise<(name: string) => boolean> {
  const found = await useNames(db, names.map(textKey).sort())
  return (name) => found.has(textKey(name))
}

const ownFields = ['name', 'handle', 'parent_id', 'position', 'description', 'implied'] as const
const newFields = categories.kindsOf([...ownFields, ...categories.following])
const newNames = sql.join(Object.keys(newFields).map((name) => sql.ref(name)))
type NewRow = Readonly<Record<keyof typeof newFields, string | number | null>>

const insertNew = prepareSql(
  (db: Db, { rows, now }: { rows: readonly NewRow[]; now: Instant }) => sql`
    insert into categories (${newNames}, created_at, updated_at)
    select ${newNames}, cast(${now} as bigint), cast(${now} as bigint)
    from ${rowsFromJson(db, rows, newFields)} as added
    where true on conflict (name_key) do nothing
    returning id`,
  categories.schemasOf(['id']),
)

const takenHandles = prepareSql(
  (db: Db, { handles }: { handles: readonly string[] }) => sql`
    select handle from categories where ${textIn(db, 'categories.handle', handles)}`,
  categories.schemasOf(['handle']),
)

/** Returns those of these handles that categories have. */
export async function findTakenHandles(
  db: Db,
  handles: readonly string[],
): Promise<readonly string[]> {
  const rows = handles.length === 0 ? [] : await takenHandles.all(db, { handles })
  return rows.flatMap(({ handle }) => handle ?? [])
}

/** A category that something names; `parent_id` is null at the root. */
type ImpliedCategory = Pick<StoredCategory, 'name' | 'parent_id'>

/** Inserts categories; returns the IDs of those that others have not inserted meanwhile. */
export async function insertImplied(
  db: Db,
  added: readonly ImpliedCategory[],
  now: Instant,
): Promise<readonly number[]> {
  invalidate(categoriesCacheTag)
  const made = added.map(({ name }) => makeCategoryHandle(name))
  const handles = await unusedHandles(made, [], (each) => findTakenHandles(db, each))
  const rows = added.map((each, at) => {
    const columns = { ...each, handle: handles[at] ?? '', position: 0, description: '', implied: 1 }
    return categories.withFollowing(columns as never) as NewRow
  })
  try {
    return (await insertNew.all(db, { rows, now })).map(({ id }) => id)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new StaleWriteError('A handle that was made has been taken meanwhile')
  }
}

/** Values with their categories as these are written, and the IDs of the categories that are new. */
interface Named<V> {
  readonly values: readonly V[]
  readonly addedIds: readonly number[]
}

/**
 * Returns values with their categories as these are written; a new name is a new category. Of two transactions that
 * write a new name at once, the second waits for the first. Until the transaction ends, none is renamed or removed.
 */
export async function addNames<V extends { readonly category: string | null }>(
  db: Db,
  values: readonly V[],
  now: Instant,
): Promise<Named<V>> {
  const given = new Map(
    values.flatMap(({ category }) => (category === null ? [] : [[textKey(category), category]])),
  )
  if (given.size === 0) return { values, addedIds: [] }
  // In one order, which keeps transactions from a deadlock.
  const keys = [...given.keys()].sort()
  let found = await useNames(db, keys)
  const added = keys.filter((key) => !found.has(key))
  let addedIds: readonly number[] = []
  if (added.length > 0) {
    const atRoot = added.map((key) => ({ name: given.get(key) ?? key, parent_id: null }))
    addedIds = await insertImplied(db, atRoot, now)
    found = await useNames(db, keys)
  }
  const named = values.map((value) => {
    const { category } = value
    return category === null
      ? value
      : { ...value, category: found.get(textKey(category)) ?? category }
  })
  return { values: named, addedIds }
}
