import { type AccountToken, invalidLinkProblem } from '#shop/messages/mails/account-link.ts'
import { consumeToken } from '#shop/messages/mails/token-store.ts'
import type { Db } from '#store/database.ts'
import { findUser, lockUser } from './store.ts'
import type { UserRow } from './table.ts'

/**
 * Uses a link up and returns its user, whom it locks first: no write of the account is in progress then.
 * Throws the problem of a link that does not work any more.
 */
export async function consumeLink(db: Db, token: AccountToken): Promise<UserRow> {
  const { purpose, user_id } = token
  await lockUser(db, user_id)
  const isUsable = await consumeToken(db, token)
  const user = isUsable ? await findUser(db, user_id) : undefined
  if (!user) throw invalidLinkProblem(purpose)
  return user
}
