import { derivedRows, derivedText } from '#store/derived-text.ts'
import { accountKey } from '#values/account-key.ts'
import { users } from './table.ts'
import { replaceUserWords } from './words-store.ts'

const keyOf = (text: string | null): string | null => (text === null ? null : accountKey(text))

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
  derive: replaceUserWords,
})

/** The unique forms of usernames and e-mail addresses. */
export const userKeys = derivedText({
  read: (db, after) =>
    db
      .selectFrom('users')
      .select(['id', 'username', 'username_key', 'email', 'email_key'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(derivedRows)
      .execute(),
  derive: async (db, { id, username, username_key, email, email_key }) => {
    const keys = {
      username_key: username_key && keyOf(username),
      email_key: email_key && keyOf(email),
    }
    if (keys.username_key === username_key && keys.email_key === email_key) return
    await users.update(db, { id }, keys)
  },
})
