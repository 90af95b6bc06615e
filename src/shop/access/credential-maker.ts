import type { Context } from '#http/declare/context.ts'
import { isConfirmed } from '#shop/accounts/users/rules.ts'
import { findUser, lockUser } from '#shop/accounts/users/store.ts'
import { requirePresent } from '#shop/require-present.ts'
import { problem } from '#values/problem.ts'
import { isCallerUnchanged } from './store.ts'

/**
 * Requires of a caller who makes a credential that outlives the sign-in that the account has a confirmed
 * address: else whoever signs up with an address of somebody else could keep a way in. Locks the account
 * until the transaction ends, so that no recovery misses the credential. Throws 401/4012 for a
 * credential that has ended meanwhile, 409/4091 without a confirmed address, and 410/4101 for a user who
 * was removed meanwhile.
 */
export async function requireCredentialMaker({
  db,
  actor,
}: Pick<Context, 'db' | 'actor'>): Promise<void> {
  const id = actor.userId ?? 0
  await lockUser(db, id)
  const user = requirePresent('user', await findUser(db, id))
  if (!(await isCallerUnchanged(db, actor))) throw problem('4012', 'detail.stale_account')
  if (!isConfirmed(user)) throw problem('4091', 'user.address_unconfirmed')
}
