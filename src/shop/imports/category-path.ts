import { maxDepth } from '#shop/catalogue/categories/table.ts'
import { textKey } from '#values/text-key.ts'
import type { KeyedRow } from './targets/target.ts'

/** The field of a row of another system that has the names of categories from the root down to that of the product. */
export const categoryPathField = 'category_path'

const maxNameLength = 100

/** Returns the path of the category of a product by what the row names; undefined without one. */
export function categoryPathOf(
  { fields }: KeyedRow,
  category: string | null,
): readonly string[] | undefined {
  const given = fields[categoryPathField]
  if (!Array.isArray(given) || category === null || given.at(-1) !== category) return undefined
  const names = (given as readonly string[]).filter(
    (name) => textKey(name) !== '' && name.length <= maxNameLength,
  )
  return names.length > 1 ? names.slice(-maxDepth) : undefined
}

/** Returns a row without the path. */
export const withoutCategoryPath = (row: KeyedRow): KeyedRow => {
  const { [categoryPathField]: _, ...fields } = row.fields
  return { ...row, fields }
}
