import { sql } from 'kysely'
import { nullable } from '#schema/words.ts'
import { integer, text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { dialectOf, idIn, textIn } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { textKey } from '#values/text-key.ts'
import { maxDepth, type StoredCategory } from './table.ts'

/**
 * Keeps other transactions from changing which category is below which until this one ends: of two moves that
 * together make a cycle, the second sees the first. SQLite has a single writer.
 */
export async function lockTree(db: Db): Promise<void> {
  if (dialectOf(db) === 'sqlite') return
  await sql`select pg_advisory_xact_lock(hashtextextended('categories', 0))`.execute(db)
}

// No tree is deeper, so that the limit of each recursion below only ends one that rows written by hand make endless.

const pathsOf = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    with recursive above (leaf_id, id, parent_id, name, revision, depth) as (
      select id, id, parent_id, name, revision, 1 from categories where ${idIn(db, 'categories.id', ids)}
      union all
      select above.leaf_id, parent.id, parent.parent_id, parent.name, parent.revision, above.depth + 1
      from above join categories as parent on parent.id = above.parent_id
      where above.depth < ${sql.lit(maxDepth)})
    select leaf_id, id, name, revision from above order by leaf_id, depth desc`,
  { leaf_id: integer, id: integer, name: text, revision: integer },
)

/** A category on the path to another one. */
interface PathPart {
  readonly id: number
  readonly name: string
  readonly revision: number
}

/** Returns the categories from the root down to each of these, by ID. */
export async function findPaths(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly PathPart[]>> {
  const rows = ids.length === 0 ? [] : await pathsOf.all(db, { ids })
  return Map.groupBy(rows, ({ leaf_id }) => leaf_id)
}

const idsByName = prepareSql(
  (db: Db, { names }: { names: readonly string[] }) => sql`
    select id, name from categories where ${textIn(db, 'categories.name', names)}`,
  { id: integer, name: text },
)

/** Returns the names from the root down to each of these categories, by its name. */
export async function findPathsByName(
  db: Db,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = names.length === 0 ? [] : await idsByName.all(db, { names })
  const paths = await findPaths(
    db,
    rows.map(({ id }) => id),
  )
  return new Map(rows.map(({ id, name }) => [name, (paths.get(id) ?? []).map((part) => part.name)]))
}

/** The SQL of the IDs of categories that `roots` selects with all below them, as `root_id` and `id`. */
const belowSql = (roots: ReturnType<typeof sql>) => sql`
  with recursive below (root_id, id, depth) as (
    select id, id, 1 from categories ${roots}
    union all
    select below.root_id, child.id, below.depth + 1
    from below join categories as child on child.parent_id = below.id
    where below.depth < ${sql.lit(maxDepth)})`

/** The SQL of the numbers of products of categories and those below: only of active ones that are no variants. */
const countsSql = (roots: ReturnType<typeof sql>) => sql`
  ${belowSql(roots)}
  select below.root_id as id, cast(sum(counted.number) as bigint) as product_count
  from below
  join categories as counted_category on counted_category.id = below.id
  join product_counts as counted
    on counted.section = 0 and counted.category = counted_category.name
  group by below.root_id`

/** The SQL of the numbers of products of all categories that have any. */
export const allCountsSql = countsSql(sql``)

const countsOf = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) =>
    countsSql(sql`where ${idIn(db, 'categories.id', ids)}`),
  { id: integer, product_count: integer },
)

/** Returns the numbers of products of these categories and those below, by ID. */
export async function countProductsBelow(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = ids.length === 0 ? [] : await countsOf.all(db, { ids })
  return new Map(rows.map(({ id, product_count }) => [id, product_count]))
}

const depthBelow = prepareSql(
  (_: Db, { id }: { id: number }) => sql`
    ${belowSql(sql`where id = ${id}`)} select cast(max(depth) as bigint) as depth from below`,
  { depth: nullable(integer) },
)

/** Returns the number of levels of a category and those below it. */
export const findDepthBelow = async (db: Db, id: number): Promise<number> =>
  (await depthBelow.first(db, { id }))?.depth ?? 1

interface Names {
  readonly keys: readonly string[]
  readonly handles: readonly string[]
}

const namedWithAllBelow = prepareSql(
  (db: Db, { keys, handles }: Names) => sql`
    with recursive below (root_key, root_handle, id, name, depth) as (
      select name_key, handle, id, name, 1 from categories
      where ${textIn(db, 'categories.name_key', keys)} or ${textIn(db, 'categories.handle', handles)}
      union all
      select below.root_key, below.root_handle, child.id, child.name, below.depth + 1
      from below join categories as child on child.parent_id = below.id
      where below.depth < ${sql.lit(maxDepth)})
    select root_key, root_handle, name from below`,
  { root_key: text, root_handle: nullable(text), name: text },
)

/**
 * Returns the names of the categories that are named by their name or, where none has it, by their handle, with
 * those of all below; a name of none as it is given.
 */
export async function namesWithAllBelow(db: Db, given: readonly string[]): Promise<string[]> {
  const rows = await namedWithAllBelow.all(db, { keys: given.map(textKey), handles: given })
  const byKey = Map.groupBy(rows, ({ root_key }) => root_key)
  const byHandle = Map.groupBy(rows, ({ root_handle }) => root_handle)
  const names = given.flatMap((name) => {
    const found = byKey.get(textKey(name)) ?? byHandle.get(name)
    return found?.map((row) => row.name) ?? [name]
  })
  return [...new Set(names)]
}

const namesAbove = prepareSql(
  (db: Db, { names }: { names: readonly string[] }) => sql`
    with recursive above (leaf, parent_id, name_key, depth) as (
      select name, parent_id, name_key, 1 from categories where ${textIn(db, 'categories.name', names)}
      union all
      select above.leaf, parent.parent_id, parent.name_key, above.depth + 1
      from above join categories as parent on parent.id = above.parent_id
      where above.depth < ${sql.lit(maxDepth)})
    select leaf, name_key from above`,
  { leaf: text, name_key: text },
)

/** Returns the keys of the names of these categories and all above, by their names. */
export async function keysUpwards(
  db: Db,
  names: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = names.length === 0 ? [] : await namesAbove.all(db, { names })
  const groups = Map.groupBy(rows, ({ leaf }) => leaf)
  return new Map(
    Array.from(groups, ([leaf, group]) => [leaf, new Set(group.map(({ name_key }) => name_key))]),
  )
}

const firstChild = prepareSql(
  (_: Db, { id }: { id: number }) => sql`select id from categories where parent_id = ${id} limit 1`,
  { id: integer },
)

/** True for a category with others below it. */
export const hasChildren = async (db: Db, { id }: Pick<StoredCategory, 'id'>): Promise<boolean> =>
  (await firstChild.first(db, { id })) !== undefined
