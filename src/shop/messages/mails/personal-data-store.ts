import type { Db } from '#store/database.ts'
import { withoutIndex } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { notNull } from '#store/query/statements.ts'
import { accountTokens, mailRequests, mails } from './table.ts'

const newestByUser = prepareQuery((db: Db, param: { userId: number; limit: number }) =>
  db
    .selectFrom('mails')
    .select(['kind', 'order_id', 'status', 'sent_at', 'created_at'])
    .where('user_id', '=', param.userId)
    .orderBy(withoutIndex('id'), 'desc')
    .limit(param.limit),
)

/** Returns the newest mails to a user, at most `limit`. */
export const mailsForExport = (db: Db, userId: number, limit: number) =>
  newestByUser.all(db, { userId, limit })

/** Deletes the mails to a user, also those that are not sent yet, and the tokens in them. */
export async function deleteMailsOf(db: Db, userId: number): Promise<void> {
  await mails.delete(db, { user_id: userId })
  await mailRequests.delete(db, { user_id: userId })
  await accountTokens.delete(db, { user_id: userId })
}

/** Gives the mails about the orders of a user to another one. */
export const mergeMails = (
  db: Db,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number> => mails.update(db, { user_id: from, order_id: notNull }, { user_id: to })
