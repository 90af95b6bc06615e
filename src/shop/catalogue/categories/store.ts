import type { Db } from '#store/database.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'

/** A category with products. */
export interface CategoryRow {
  readonly name: string
  readonly product_count: number
}

/** Returns one page of the categories that have products, from counters. */
export async function listCategories(db: Db, page: PageRequest): Promise<PageResult<CategoryRow>> {
  const counted = db
    .selectFrom('product_counts')
    .where('section', '=', 0)
    // An empty category counts all products.
    .where('category', '<>', '')
    .groupBy('category')
    .having((eb) => eb(eb.fn.sum('number'), '>', eb.lit(0)))
    .select((eb) => [
      'category',
      eb.cast<number>(eb.fn.sum('number'), 'bigint').as('product_count'),
    ])
  return await paginate(
    db,
    db
      .selectFrom(counted.as('counted'))
      .innerJoin('categories', 'categories.name', 'counted.category'),
    // A category has no times, so no list is sorted or limited by them.
    {
      id: 'id',
      name: 'name_sort',
      product_count: 'product_count',
      created_at: 'id',
      updated_at: 'id',
    },
    page,
    (rows) => rows.select(['name', 'product_count']),
    { isFew: true },
  )
}
