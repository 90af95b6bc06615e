import { sql } from 'kysely'
import { copyCategories } from '#shop/catalogue/categories/names-store.ts'
import type { Db } from '#store/database.ts'
import { defaultsOf, uniqueFieldsOf } from '#store/entity-fields.ts'
import { idIn, isUnset, textIn } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { fields, longFields } from './fields.ts'
import { searchTextOfProduct } from './searched-texts.ts'
import { type ProductRow, productRows, products } from './table.ts'

/** What rows of products name: the keys of SKUs and what else is unique, the IDs of parents, and categories. */
interface NamedProducts {
  /** What is unique of products, by its column. */
  readonly keys: Readonly<Record<string, readonly string[]>>
  readonly parentIds: readonly number[]
  readonly categories: readonly string[]
}

/** The products that are read at once: a description has 10,000 characters at most. */
const productsAtOnce = 100
/** The variants that are read at once, unless one product has more; without texts they are small. */
const variantsAtOnce = 500

/** What a variant that no row names is copied with. No product of the shop has such a revision. */
const withoutTexts = {
  revision: 0,
  ...(products.stored(defaultsOf(longFields)) as Pick<ProductRow, keyof typeof longFields>),
  search_text: '',
  images: null,
} as const

type ColumnName = keyof typeof productRows.schemas
type SmallColumn = Exclude<ColumnName, keyof typeof withoutTexts>

const columnNames = Object.keys(productRows.schemas) as readonly ColumnName[]
const smallNames = columnNames.filter((name): name is SmallColumn => !(name in withoutTexts))
/** All columns but the search text, which that of a parent shares with all its variants. */
const ownNames = columnNames.filter((name) => name !== 'search_text')

const listOf = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/** The statement that finds products by a unique column, for each. */
const namedProducts = uniqueFieldsOf(fields).map(({ column }) => ({
  column,
  find: prepareSql(
    (db: Db, { keys }: { keys: readonly string[] }) => sql`
      select id, variant_of from products where ${textIn(db, `products.${column}`, keys)}`,
    productRows.schemasOf(['id', 'variant_of']),
  ),
}))

const wholeProducts = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    select ${listOf(ownNames)}, case when variant_count = 0 then search_text end as search_text
    from products where ${idIn(db, 'products.id', ids)}`,
  productRows.schemas,
)

const smallVariants = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    select ${listOf(smallNames)} from products
    where ${idIn(db, 'products.variant_of', ids)} and variant_of is not null and ${isUnset('deleted_at')}`,
  productRows.schemasOf(smallNames),
)

const newestProduct = prepareSql(
  (_: Db, __: object) => sql`select ${listOf(smallNames)} from products order by id desc limit 1`,
  productRows.schemasOf(smallNames),
)

/**
 * Copies what saving such products may read to a scratch database, but for what is there: the products, their
 * parents before and after, all variants of these, and the newest product, after whose ID new ones follow.
 * Little is read at once. Variants that no row names have no texts, on which no outcome depends.
 */
export async function copyProducts(
  from: Db,
  to: Db,
  { keys, parentIds, categories }: NamedProducts,
): Promise<void> {
  await copySmall(to, await newestProduct.all(from, {}))
  const named: Pick<ProductRow, 'id' | 'variant_of'>[] = []
  for (const { column, find } of namedProducts) {
    const ofColumn = keys[column] ?? []
    if (ofColumn.length > 0) named.push(...(await find.all(from, { keys: ofColumn })))
  }
  const ids = new Set([
    ...parentIds,
    ...named.flatMap(({ id, variant_of }) => [id, variant_of ?? id]),
  ])
  for (const page of inGroups([...ids], () => 1, productsAtOnce)) {
    const counts = await copyWhole(from, to, page)
    const parents = counts.filter(({ variant_count }) => variant_count > 0)
    for (const some of inGroups(parents, ({ variant_count }) => variant_count, variantsAtOnce)) {
      await copySmall(to, await smallVariants.all(from, { ids: some.map(({ id }) => id) }))
    }
  }
  await copyCategories(from, to, categories)
}

/** Copies products with their texts, also over copies without them; returns how many variants each has. */
async function copyWhole(
  from: Db,
  to: Db,
  ids: readonly number[],
): Promise<readonly Pick<ProductRow, 'id' | 'variant_count'>[]> {
  const found = await wholeProducts.all(from, { ids })
  await productRows.delete(to, { id: ids, revision: withoutTexts.revision })
  const rows = found.map((row) => ({
    ...row,
    search_text: row.search_text ?? searchTextOfProduct(row),
  }))
  await productRows.insertMissing(to, rows)
  return rows.map(({ id, variant_count }) => ({ id, variant_count }))
}

const copySmall = (to: Db, rows: readonly Pick<ProductRow, SmallColumn>[]): Promise<void> =>
  productRows.insertMissing(
    to,
    rows.map((row) => ({ ...row, ...withoutTexts })),
  )

/** Groups values in their order; only a group of one may weigh more than the limit. */
function* inGroups<T>(
  values: readonly T[],
  weightOf: (value: T) => number,
  limit: number,
): Generator<readonly T[]> {
  let group: T[] = []
  let weight = 0
  for (const value of values) {
    if (group.length > 0 && weight + weightOf(value) > limit) {
      yield group
      group = []
      weight = 0
    }
    group.push(value)
    weight += weightOf(value)
  }
  if (group.length > 0) yield group
}
