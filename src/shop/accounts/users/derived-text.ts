import { derivedRows, derivedText } from '#store/derived-text.ts'
import { usersByWords } from './words-store.ts'

/** The words by which users are found. */
export const userWordTexts = derivedText({
  read: (db, after) =>
    db
      .selectFrom('users')
      .select(['id', 'name', 'username', 'email'])
      .where('id', '>', after)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .limit(derivedRows)
      .execute(),
  derive: (db, user) => usersByWords.replace(db, [user]),
})
