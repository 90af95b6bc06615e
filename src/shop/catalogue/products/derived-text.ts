import { findVariants, updateParentWords } from '#shop/catalogue/variants/store.ts'
import { derivedRows, derivedText } from '#store/derived-text.ts'
import { updateWordIndex } from '#store/search/word-index.ts'
import { replaceAttributes, storeAttributesOfVariants } from './attribute-store.ts'
import { indexedChange, searchTextOfProduct } from './searched-texts.ts'
import { productRows } from './table.ts'

/** The words by which products without variants are found. */
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
    const search_text = searchTextOfProduct(product)
    if (search_text === product.search_text) return
    await productRows.update(db, { id }, { search_text })
    const after = { ...product, search_text }
    await updateWordIndex(db, [indexedChange({ id, before: product, after })])
    await replaceAttributes(db, [{ id, before: product, after: product }])
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
    const { id } = parent
    await updateParentWords(db, [{ parent, variants: await findVariants(db, [id]) }])
    await replaceAttributes(db, [{ id, before: parent, after: parent }])
    await storeAttributesOfVariants(db, [id])
  },
})
