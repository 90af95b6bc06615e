import type { TObject } from 'typebox'
import { nullable } from '#schema/words.ts'
import { fields } from '#shop/catalogue/products/fields.ts'
import { Product, ShopId } from '#shop/catalogue/products/schema.ts'
import { uniqueFieldsOf } from '#store/entity-fields.ts'
import { type KeyedRow, textsOf } from './target.ts'

/** What is unique of the products of rows, by its column. */
export const uniqueKeysOf = (
  rows: readonly KeyedRow[],
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    uniqueFieldsOf(fields).map(({ name, column, keyOf }) => [
      column,
      textsOf(rows, name).flatMap((value) => keyOf(value) ?? []),
    ]),
  )

/** Adds to what rows may have what tells of which product they are. */
export const withIdentity = (body: TObject): TObject => ({
  ...body,
  properties: { ...body.properties, id: nullable(Product.properties.id), shop_id: ShopId },
})
