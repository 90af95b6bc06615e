import { copyCategories } from '#shop/catalogue/categories/names-store.ts'
import type { Db } from '#store/database.ts'
import { productRows } from './table.ts'

/** What rows of products name: the keys of SKUs, the IDs of parents, and categories. */
interface NamedProducts {
  readonly keys: readonly string[]
  readonly parentIds: readonly number[]
  readonly categories: readonly string[]
}

/**
 * Copies what saving such products may read to a scratch database, but for what is there: the products, their
 * parents before and after, all variants of these, and the newest product, after whose ID new ones follow.
 */
export async function copyProducts(
  from: Db,
  to: Db,
  { keys, parentIds, categories }: NamedProducts,
): Promise<void> {
  const named = await productRows.findAll(from, { sku_key: keys })
  const ids = new Set([
    ...parentIds,
    ...named.flatMap(({ id, variant_of }) => [id, variant_of ?? id]),
  ])
  const others = await Promise.all([
    productRows.findAll(from, {}, { order: '-id', limit: 1 }),
    productRows.findAll(from, { id: [...ids] }),
    productRows.findAll(from, { variant_of: [...ids] }),
  ])
  for (const rows of [named, ...others]) await productRows.insertMissing(to, rows)
  await copyCategories(from, to, categories)
}
