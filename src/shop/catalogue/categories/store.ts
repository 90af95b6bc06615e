import { type SqlBool, sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { dialectOf } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Tables } from '#store/tables.ts'
import { categories, type StoredCategory } from './table.ts'
import { allCountsSql, countProductsBelow, findPaths, hasChildren } from './tree-store.ts'

/** A category with what follows from the tree and the products. */
export interface CategoryRow extends StoredCategory {
  /** The names from the root down to it. */
  readonly path: readonly string[]
  /** The revisions of the categories of the path, without its own. */
  readonly revisionsAbove: readonly number[]
  /** The number of active products in it and below. */
  readonly product_count: number
}

/** Returns categories with their paths and the numbers of their products. */
export async function withTree(
  db: Db,
  rows: readonly StoredCategory[],
): Promise<readonly CategoryRow[]> {
  const ids = rows.map(({ id }) => id)
  const [paths, counts] = await Promise.all([findPaths(db, ids), countProductsBelow(db, ids)])
  return rows.map((row) => {
    const path = paths.get(row.id) ?? []
    return {
      ...row,
      path: path.map(({ name }) => name),
      revisionsAbove: path.slice(0, -1).map(({ revision }) => revision),
      product_count: counts.get(row.id) ?? 0,
    }
  })
}

/** Returns a category; if it is locked, until the transaction ends. */
export async function findCategory(
  db: Db,
  id: number,
  { locks = false, seesAll = true } = {},
): Promise<CategoryRow | undefined> {
  const found = await categories.find(db, { id }, { locks })
  if (!found) return undefined
  const [category] = await withTree(db, [found])
  if (!category || seesAll || !category.implied || category.product_count > 0) return category
  return (await hasChildren(db, category)) ? category : undefined
}

/**
 * True for a category that the public sees: not one that only products name which the public does not see.
 */
const isShown = sql<SqlBool>`(implied = 0
  or exists (select 1 from categories as child where child.parent_id = listed.id)
  or coalesce((select sum(number) from product_counts
    where section = 0 and product_counts.category = listed.name), 0) > 0)`

type Listed = Tables['categories'] & { readonly product_count: number }

interface CategoryList {
  readonly filters: Readonly<Record<string, unknown>>
  readonly page: PageRequest
  /** False for the public. */
  readonly seesAll: boolean
}

/** Returns one page of the categories that match every filter. */
export async function listCategories(
  db: Db,
  { filters, page, seesAll }: CategoryList,
): Promise<PageResult<CategoryRow>> {
  const counted = sql<Listed>`(select categories.*, coalesce(counts.product_count, 0) as product_count
    from categories left join (${allCountsSql}) as counts on counts.id = categories.id)`
  const isByCount = page.sort === 'product_count'
  const all = db.selectFrom((isByCount ? counted : sql<Listed>`categories`).as('listed'))
  const shown = seesAll ? all : all.where(isShown)
  const query = categories.filtered(shown, filters)
  const sorts = {
    id: 'id',
    name: 'name_sort',
    position: 'position',
    product_count: 'product_count',
    created_at: 'created_at',
    updated_at: 'updated_at',
  } as const
  const found = await paginate(db, query, sorts, page, (rows) => rows.selectAll('listed'), {
    isFew: isByCount,
  })
  const rows = found.rows.map((row) => categories.fromDatabase<object>(row) as StoredCategory)
  return { ...found, rows: [...(await withTree(db, rows))] }
}

const lockAgainstUse = prepareSql(
  (db: Db, { id }: { id: number }) => sql`
    select id from categories where id = ${id} ${dialectOf(db) === 'sqlite' ? sql`` : sql`for update`}`,
  { id: categories.schemas.id },
)

/** Waits for the transactions that give products this category, and keeps others from doing so. */
export async function lockName(db: Db, { id }: Pick<StoredCategory, 'id'>): Promise<void> {
  await lockAgainstUse.all(db, { id })
}
