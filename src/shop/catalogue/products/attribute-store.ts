import { sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { idIn, isUnset } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { productAttributes } from './attribute-table.ts'
import { facetValuesOf } from './attributes.ts'
import type { ProductRow } from './table.ts'
import { type ProductVisibility, sectionOf } from './visibility.ts'

/** What decides the values that facets have of a product. */
type WithAttributes = Pick<ProductRow, 'attributes' | 'variant_of'> & ProductVisibility

/** A change of a product; null before it is created, and after it is removed. */
interface Change {
  readonly id: number
  readonly before: WithAttributes | null
  readonly after: WithAttributes | null
}

/** True for a change after which facets have other values. */
const changesAttributes = ({ before, after }: Omit<Change, 'id'>): boolean => {
  const [one, other] = [before?.attributes ?? null, after?.attributes ?? null]
  if (one === null && other === null) return false
  return one !== other || (before && sectionOf(before)) !== (after && sectionOf(after))
}

/** True for a change of a parent or a variant after which the facets of parents have other values. */
export const changesAttributesOfFamily = ({ before, after }: Omit<Change, 'id'>): boolean => {
  if (changesAttributes({ before, after })) return true
  // Variants have values in the facets of their parent while they are active themselves.
  const isSame = before?.status === after?.status && before?.variant_of === after?.variant_of
  return before !== null && after !== null && !isSame
}

/** Stores the attributes of products that have changed, for facets. */
export const storeAttributes = (db: Db, changes: readonly Change[]): Promise<void> =>
  replaceAttributes(db, changes.filter(changesAttributes))

/** Stores the attributes of products, for facets. */
export async function replaceAttributes(db: Db, changed: readonly Change[]): Promise<void> {
  const stored = changed.filter(({ before }) => before !== null && before.attributes !== null)
  if (stored.length > 0) {
    const ids = stored.map(({ id }) => id)
    await productAttributes.delete(db, { product_id: ids, of_variants: 0 })
  }
  const rows = changed.flatMap(({ id, after }) => {
    if (after === null) return []
    const section = sectionOf(after)
    const values = facetValuesOf(after.attributes)
    return values.map((each) => ({ ...each, product_id: id, of_variants: 0, section }))
  })
  if (rows.length > 0) await productAttributes.insertAll(db, rows)
}

const deleteOfVariants = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    delete from product_attributes
    where ${idIn(db, 'product_attributes.product_id', ids)} and of_variants = 1`,
)

const insertOfVariants = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    insert into product_attributes (product_id, name_key, value_key, of_variants, value, section)
    select products.variant_of, variant.name_key, variant.value_key, 1, min(variant.value),
      (select parent.section from products as parent where parent.id = products.variant_of)
    from products join product_attributes as variant on variant.product_id = products.id
    where ${idIn(db, 'products.variant_of', ids)} and products.variant_of is not null
      and products.status = 'active' and ${isUnset('products.deleted_at')} and variant.of_variants = 0
      and not exists (select 1 from product_attributes as own
        where own.product_id = products.variant_of and own.name_key = variant.name_key
          and own.value_key = variant.value_key and own.of_variants = 0)
    group by products.variant_of, variant.name_key, variant.value_key`,
)

/** Stores for facets which attributes the variants of these locked products have that they have not themselves. */
export async function storeAttributesOfVariants(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await deleteOfVariants.run(db, { ids })
  await insertOfVariants.run(db, { ids })
}
