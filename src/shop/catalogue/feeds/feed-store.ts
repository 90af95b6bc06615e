import { type RawBuilder, sql } from 'kysely'
import { productRows } from '#shop/catalogue/products/table.ts'
import { sectionOf } from '#shop/catalogue/products/visibility.ts'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { dialectOf, idIn, isUnset } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'

/** How many products are read at once, between which other requests are served. */
const batchSize = 200

const [ofPages, ofVariants] = [null, 1].map((variant_of) =>
  sql.lit(sectionOf({ status: 'active', parent_status: null, variant_of })),
) as [RawBuilder<number>, RawBuilder<number>]

/** The columns that feeds have of products. */
const columns = [
  ...(['id', 'handle', 'name', 'description', 'sku', 'price', 'compare_at_price'] as const),
  ...(['category', 'availability', 'stock', 'backorder', 'image_url', 'images'] as const),
  ...(['options', 'variant_of', 'variant_count', 'brand', 'gtin', 'weight_grams'] as const),
  ...(['unit_measure', 'attributes', 'updated_at'] as const),
]

const names = sql.join(columns.map((name) => sql.ref(name)))
const schemas = productRows.schemasOf(columns)

const productsAfter = prepareSql(
  (_: Db, { after }: { after: number }) => sql`
    select ${names} from products
    where id > ${after} and section in (${ofPages}, ${ofVariants}) and ${isUnset('deleted_at')}
    order by id limit ${sql.lit(batchSize)}`,
  schemas,
)

const parentsOf = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    select ${names} from products where ${idIn(db, 'products.id', ids)} and deleted_at is null`,
  schemas,
)

/** A product as feeds need it. */
export type FeedProduct = Awaited<ReturnType<typeof productsAfter.all>>[number]

/** Reads all products that the public sees in the order of their IDs, each with its parent if it is a variant. */
export async function* readProducts(
  db: Db,
): AsyncGenerator<
  readonly { readonly product: FeedProduct; readonly parent?: FeedProduct }[],
  void
> {
  let after = 0
  for (;;) {
    const products = await productsAfter.all(db, { after })
    const last = products.at(-1)
    if (!last) return
    after = last.id
    const ids = [...new Set(products.flatMap(({ variant_of }) => variant_of ?? []))]
    const parents = ids.length === 0 ? [] : await parentsOf.all(db, { ids })
    const byId = new Map(parents.map((parent) => [parent.id, parent]))
    yield products.flatMap((product) => {
      if (product.variant_of === null) return [{ product }]
      const parent = byId.get(product.variant_of)
      return parent ? [{ product, parent }] : []
    })
  }
}

const listedAfter = prepareSql(
  (_: Db, { after, limit }: { after: number; limit: number }) => sql`
    select id, handle, updated_at from products
    where section = ${ofPages} and id > ${after} and deleted_at is null order by id limit ${limit}`,
  productRows.schemasOf(['id', 'handle', 'updated_at']),
)

const listedAt = prepareSql(
  (_: Db, { offset }: { offset: number }) => sql`
    select id from products where section = ${ofPages} and deleted_at is null
    order by id limit 1 offset ${offset}`,
  { id: integer },
)

/** Reads some of the products that have pages, in the order of their IDs. */
export async function* readPages(db: Db, from: number, count: number) {
  const first = await listedAt.first(db, { offset: from })
  let after = (first?.id ?? Number.MAX_SAFE_INTEGER) - 1
  for (let left = count; left > 0; ) {
    const pages = await listedAfter.all(db, { after, limit: Math.min(left, 5 * batchSize) })
    const last = pages.at(-1)
    if (!last) return
    yield pages
    after = last.id
    left -= pages.length
  }
}

/** The time of the last change, from the index that each database has of it. */
const newestChange = prepareSql(
  (db: Db, __: object) => {
    const newest = (section: typeof ofPages) =>
      dialectOf(db) === 'sqlite'
        ? sql`select max(updated_at) as at from products
            where section = ${section} and deleted_at is null`
        : sql`select max(updated_at) as at from product_changes where section = ${section}`
    return sql`select coalesce(max(at), 0) as changed_at
      from (${newest(ofPages)} union all ${newest(ofVariants)}
        union all select max(updated_at) from categories) as newest`
  },
  { changed_at: integer },
)

const productNumbers = prepareSql(
  (_: Db, __: object) => sql`
    select section, cast(sum(number) as bigint) as number from product_counts
    where category = '' and section in (${ofPages}, ${ofVariants}) group by section`,
  { section: integer, number: integer },
)

/** What tells one state of the catalogue from another. */
export interface CatalogueState {
  /** The number of products with pages. */
  readonly pages: number
  readonly validator: string
}

/** A change may have the time of one before it for this long, by clocks of several hosts. */
const settledAfterMs = 2000

/** Returns the state of the catalogue, from counters and the time of its last change. */
export async function readCatalogueState(db: Db, now: number): Promise<CatalogueState> {
  const changedAt = (await newestChange.first(db, {}))?.changed_at ?? 0
  const counts = await productNumbers.all(db, {})
  const numberOf = (isVariant: 0 | 1) =>
    counts.find(({ section }) => section % 2 === isVariant)?.number ?? 0
  const isSettled = now - changedAt > settledAfterMs
  const validator = `${changedAt}.${numberOf(0)}.${numberOf(1)}`
  // Until then, each moment counts as another state.
  return { pages: numberOf(0), validator: isSettled ? validator : `${validator}.${now}` }
}
