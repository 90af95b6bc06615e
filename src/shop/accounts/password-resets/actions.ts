import type { Context } from '#http/declare/context.ts'
import { finishConfirmation, recoverUser } from '#shop/accounts/users/actions.ts'
import { consumeLink } from '#shop/accounts/users/consume-link.ts'
import { type NewPasswordParts, preparePassword } from '#shop/accounts/users/new-password.ts'
import {
  type PreparedPassword,
  patchUserState,
  type UserState,
} from '#shop/accounts/users/rules.ts'
import { findUser } from '#shop/accounts/users/store.ts'
import { callerNetwork } from '#shop/caller-network.ts'
import { type AccountToken, invalidLinkProblem } from '#shop/messages/mails/account-link.ts'
import { endAddressChanges } from '#shop/messages/mails/former-address-store.ts'
import { mailRequests } from '#shop/messages/mails/table.ts'
import type { RecoveryParts } from '#shop/recovery.ts'

/**
 * Requests a mail with a link to choose a new password. Does the same work for a known and an unknown
 * address: a job looks for the account.
 */
export async function requestPasswordReset(
  ctx: Pick<Context, 'db' | 'now' | 'actor' | 'auditActor'>,
  email: string,
): Promise<void> {
  const { db, now: created_at } = ctx
  const network = callerNetwork(ctx)
  await mailRequests.insert(db, { kind: 'password_reset', email, network, created_at })
}

/** Hashes the new password of the user of a token. Throws as `preparePassword`. */
export async function prepareReset(
  parts: NewPasswordParts,
  ctx: Pick<Context, 'db' | 'now' | 'auditActor'>,
  token: AccountToken,
  password: string,
): Promise<PreparedPassword> {
  const user = await findUser(ctx.db, token.user_id)
  if (!user) throw invalidLinkProblem('password_reset')
  return preparePassword(parts, ctx, password, (standIn) => recoveredState(user, token, standIn))
}

/**
 * The account with its new password and the address to which the token was mailed, which is confirmed by that:
 * the former one, while its change can be undone.
 */
const recoveredState = (
  user: UserState,
  { email }: Pick<AccountToken, 'email'>,
  password: PreparedPassword,
): UserState => ({ ...patchUserState(user, { email }, password), email_verified: 1 })

/**
 * Sets the password of the user of a token, undoes changes of the address, and ends all that somebody else may
 * have made in the account. Throws as `recoverUser`.
 */
export async function resetPassword(
  ctx: Pick<Context, 'db' | 'now' | 'auditActor'>,
  parts: RecoveryParts,
  token: AccountToken,
  password: PreparedPassword,
): Promise<void> {
  const user = await consumeLink(ctx.db, token)
  const auditActor = () => ({ ...ctx.auditActor(), credential: 'password_reset' })
  const state = recoveredState(user, token, password)
  const saved = await recoverUser({ ...ctx, auditActor }, parts.recoveries, user, state)
  await endAddressChanges(ctx.db, user.id)
  await finishConfirmation(ctx, parts, user, saved)
}
