import { fields } from '#shop/catalogue/products/fields.ts'
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
