import { findVariants, updateParentWords } from '#shop/catalogue/variants/store.ts'
import { derivedRows, derivedText } from '#store/derived-text.ts'
import { updateWordIndex } from '#store/search/word-index.ts'
import { isUnchanged } from '#store/unchanged.ts'
import { derivedColumns } from './store.ts'
import { productRows } from './table.ts'

/** The words by which products are found, and the forms by which they are unique and sorted. */
export const productTexts = derivedText({
  // By other rules, the words of a product had other entries.
  forget: async (db) => {
    await db.deleteFrom('product_words').execute()
    await db
      .updateTable('products')
      .set({ search_text: '' })
      .where('search_text', '<>', '')
      .execute()
  },
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
    const { id } = product
    const columns = derivedColumns(product)
    if (isUnchanged(product, columns)) return
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
  derive: async (db, parent) => {
    const { search_text: _, ...keys } = derivedColumns(parent)
    if (!isUnchanged(parent, keys)) await productRows.update(db, { id: parent.id }, keys)
    await updateParentWords(db, parent, await findVariants(db, [parent.id]))
  },
})
