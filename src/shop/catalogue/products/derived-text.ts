import { findVariants, updateParentWords } from '#shop/catalogue/variants/store.ts'
import { derivedRows, derivedText } from '#store/derived-text.ts'
import { updateWordIndex } from '#store/search/word-index.ts'
import { derivedColumns } from './store.ts'
import { productRows } from './table.ts'

/** The words by which products are found, and the unique forms of their options. */
export const productTexts = derivedText({
  read: (db, after) =>
    db
      .selectFrom('products')
      .selectAll()
      .where('id', '>', after)
      .where('deleted_at', 'is', null)
      .where('variant_count', '=', 0)
      .orderBy('id')
      .limit(derivedRows)
      .execute(),
  derive: async (db, product) => {
    const { id, options_key, search_text } = product
    const columns = derivedColumns(product)
    if (columns.options_key === options_key && columns.search_text === search_text) return
    await productRows.update(db, { id }, columns)
    await updateWordIndex(db, [{ id, before: product, after: { ...product, ...columns } }])
  },
})

/** The words of products with variants, which follow from those of the variants. */
export const parentTexts = derivedText({
  read: (db, after) =>
    db
      .selectFrom('products')
      .selectAll()
      .where('id', '>', after)
      .where('deleted_at', 'is', null)
      .where('variant_count', '>', 0)
      .orderBy('id')
      .limit(derivedRows)
      .execute(),
  derive: async (db, parent) => updateParentWords(db, parent, await findVariants(db, [parent.id])),
})
