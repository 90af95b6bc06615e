import { derivedRows, derivedText } from '#store/derived-text.ts'
import { isUnchanged } from '#store/unchanged.ts'
import { keysOfName } from './names-store.ts'
import { categories } from './table.ts'

/** The forms by which categories are compared and sorted. */
export const categoryKeys = derivedText({
  read: (db, after) =>
    db
      .selectFrom('categories')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(derivedRows)
      .execute(),
  derive: async (db, category) => {
    const keys = keysOfName(category.name)
    if (!isUnchanged(category, keys)) await categories.update(db, { id: category.id }, keys)
  },
})
