import { sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { asBigint, rowsFromJson } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { textKey } from '#values/text-key.ts'
import { categories } from './table.ts'

const newNameFields = categories.kindsOf(['name', ...categories.following])
type NewName = ReturnType<typeof categories.withFollowing<{ readonly name: string }>>

const insertNew = prepareSql(
  (db: Db, { rows, now }: { rows: readonly NewName[]; now: Instant }) => sql`
    insert into categories (name, name_key, name_sort, created_at)
    select name, name_key, name_sort, ${asBigint(now)} from ${rowsFromJson(db, rows, newNameFields)} as added
    where true on conflict do nothing`,
)

/** Returns the categories of these names as they were first written, by the form in which they are compared. */
async function findNames(db: Db, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await categories.findAll(db, { name_key: keys })
  return new Map(rows.map(({ name, name_key }) => [name_key, name]))
}

/** Copies those of these categories that exist to a scratch database, but for those that are there. */
export async function copyCategories(from: Db, to: Db, names: readonly string[]): Promise<void> {
  await categories.insertMissing(
    to,
    await categories.findAll(from, { name_key: names.map(textKey) }),
  )
}

/** Returns which of these categories exist. */
export async function knownNames(
  db: Db,
  names: readonly string[],
): Promise<(name: string) => boolean> {
  const found =
    names.length === 0 ? new Map<string, string>() : await findNames(db, names.map(textKey))
  return (name) => found.has(textKey(name))
}

/** Returns those of these categories that exist, as they were first written; others as they are given. */
export async function existingNames(db: Db, names: readonly string[]): Promise<string[]> {
  const found = await findNames(db, names.map(textKey))
  return names.map((name) => found.get(textKey(name)) ?? name)
}

/**
 * Returns values with their categories as these were first written; a new name is a new category. Of two
 * transactions that write a new name at once, the second waits for the first.
 */
export async function withCategoryNames<V extends { readonly category: string | null }>(
  db: Db,
  values: readonly V[],
  now: Instant,
): Promise<readonly V[]> {
  const given = new Map(
    values.flatMap(({ category }) => (category === null ? [] : [[textKey(category), category]])),
  )
  if (given.size === 0) return values
  // In one order, which keeps transactions from a deadlock.
  const keys = [...given.keys()].sort()
  let found = await findNames(db, keys)
  const added = keys.filter((key) => !found.has(key))
  if (added.length > 0) {
    const rows = added.map((key) => categories.withFollowing({ name: given.get(key) ?? key }))
    await insertNew.run(db, { rows, now })
    found = await findNames(db, keys)
  }
  return values.map((value) => {
    const { category } = value
    return category === null
      ? value
      : { ...value, category: found.get(textKey(category)) ?? category }
  })
}
