import { derivedRows, derivedText } from '#store/derived-text.ts'
import { accountKey } from '#values/account-key.ts'
import { accountTokens } from './table.ts'

/** The former addresses of accounts, and the tokens that were mailed to them. */
export const formerAddressKeys = derivedText({
  read: (db, after) =>
    db
      .selectFrom('account_tokens')
      .select(['user_id as id', 'email', 'email_key'])
      .where('user_id', '>', after)
      // A user has one.
      .where('purpose', '=', 'address_change')
      .orderBy('user_id')
      .limit(derivedRows)
      .execute(),
  derive: async (db, { id, email, email_key: stored }) => {
    const email_key = accountKey(email ?? stored)
    if (email_key === stored) return
    await accountTokens.update(db, { user_id: id, email_key: stored }, { email_key })
  },
})
