import { sql } from 'kysely'
import { isOfParent } from '#shop/catalogue/variants/rules.ts'
import { findVariants } from '#shop/catalogue/variants/store.ts'
import { invalidate } from '#store/changes.ts'
import { movingCounts } from '#store/counter.ts'
import type { Db } from '#store/database.ts'
import { rowsFromJson } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { updateWordIndex } from '#store/search/word-index.ts'
import { mergeSearchTexts } from '#store/search/words.ts'
import { withoutTimeLimit } from '#values/deadline.ts'
import type { Instant } from '#values/instant.ts'
import { sectionsOf } from './filters.ts'
import { catalogueCacheTag, productCacheTag, stockAndRatingCacheTag } from './rules.ts'
import { indexedChange, searchTextOfProduct } from './searched-texts.ts'
import { categoryCounters, type ProductRow, productRows, products } from './table.ts'

/** The products, with all their texts, and the parents, with those of their variants, that are in memory at once. */
const productsAtOnce = 100
const parentsAtOnce = 10

/** All that are not removed, by their index. */
const ofCategory = (category: string) => sql`
  section in (${sql.join(sectionsOf({ variants: 'all' }).map((section) => sql.lit(section)))})
  and category = ${category} and deleted_at is null`

const productsOf = prepareSql(
  (_: Db, { category }: { category: string }) => sql`
    select id, variant_of, variant_count from products where ${ofCategory(category)}`,
  products.schemasOf(['id', 'variant_of', 'variant_count']),
)

const productOf = prepareSql(
  (_: Db, { category }: { category: string }) => sql`
    select id from products where ${ofCategory(category)} limit 1`,
  products.schemasOf(['id']),
)

/** True if a product that is not removed has this category. */
export const hasProducts = async (db: Db, category: string): Promise<boolean> =>
  (await productOf.first(db, { category })) !== undefined

const renamedFields = products.kindsOf(['id', 'category', 'search_text', 'revision', 'updated_at'])
type RenamedRow = Pick<ProductRow, keyof typeof renamedFields>

const updateAll = prepareSql(
  (db: Db, { rows }: { rows: readonly RenamedRow[] }) => sql`
    update products set category = renamed.category, search_text = renamed.search_text,
      revision = renamed.revision, updated_at = renamed.updated_at
    from ${rowsFromJson(db, rows, renamedFields)} as renamed where products.id = renamed.id`,
)

/** The names of a category before and after it is renamed. */
export interface Renaming {
  readonly from: string
  readonly to: string
}

/**
 * Gives the products of a category its new name, and makes searches find them, and the parents of variants, by it.
 * The category must be locked against use. Takes a constant number of statements for a hundred products.
 */
export async function renameCategoryOfProducts(
  db: Db,
  renaming: Renaming,
  now: Instant,
): Promise<void> {
  const found = await productsOf.all(db, { category: renaming.from })
  if (found.length === 0) return
  const moved = { definitions: categoryCounters, column: 'category', ...renaming }
  await withoutTimeLimit(() => movingCounts(db, moved, () => rename(db, found, renaming, now)))
}

type FoundProduct = Pick<ProductRow, 'id' | 'variant_of' | 'variant_count'>

async function rename(
  db: Db,
  found: readonly FoundProduct[],
  { from, to }: Renaming,
  now: Instant,
): Promise<void> {
  invalidate(catalogueCacheTag, stockAndRatingCacheTag)
  const isParent = ({ variant_count }: FoundProduct) => variant_count > 0
  const parentIds = found.flatMap((row) => (isParent(row) ? row.id : (row.variant_of ?? [])))
  const renamed = <P extends ProductRow>(row: P): P =>
    row.category === from
      ? { ...row, category: to, revision: row.revision + 1, updated_at: now }
      : row
  // Parents come after any variant, which keeps transactions from a deadlock.
  for (const ids of pagesOf(
    found.filter((row) => !isParent(row)).map(({ id }) => id),
    productsAtOnce,
  )) {
    const rows = await lockByIds(db, ids)
    await saveTexts(
      db,
      rows.map(renamed).map((row) => ({ ...row, search_text: searchTextOfProduct(row) })),
      rows,
    )
  }
  for (const ids of pagesOf([...new Set(parentIds)], parentsAtOnce)) {
    const rows = await lockByIds(db, ids)
    const variants = Map.groupBy(await findVariants(db, ids), ({ variant_of }) => variant_of)
    const withTexts = rows.map(renamed).map((row) => {
      const texts = (variants.get(row.id) ?? []).filter(isOfParent).map((each) => each.search_text)
      return { ...row, search_text: mergeSearchTexts([searchTextOfProduct(row), ...texts]) }
    })
    await saveTexts(db, withTexts, rows)
  }
}

const lockByIds = (db: Db, ids: readonly number[]): Promise<ProductRow[]> =>
  productRows.findAll(db, { id: ids, deleted_at: null }, { order: 'id', locks: true })

/** Stores products with their new texts, which were as in `before`. */
async function saveTexts(
  db: Db,
  after: readonly ProductRow[],
  before: readonly ProductRow[],
): Promise<void> {
  const changes = after.map((row, at) => ({ id: row.id, before: before[at] ?? row, after: row }))
  await updateAll.run(db, {
    rows: after.map(({ id, category, search_text, revision, updated_at }) => ({
      ...{ id, category, search_text, revision, updated_at },
    })),
  })
  invalidate(...after.map(({ id }) => productCacheTag(id)))
  await updateWordIndex(db, changes.map(indexedChange))
}

function* pagesOf(ids: readonly number[], size: number): Generator<readonly number[]> {
  const sorted = ids.toSorted((one, other) => one - other)
  for (let at = 0; at < sorted.length; at += size) yield sorted.slice(at, at + size)
}
