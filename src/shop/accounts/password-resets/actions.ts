import type { Context } from '#http/declare/context.ts'
import { finishConfirmation, recoverUser } from '#shop/accounts/users/actions.ts'
import { type NewPasswordParts, preparePassword } from '#shop/accounts/users/new-password.ts'
import { type PreparedPassword, patchUserState } from '#shop/accounts/users/rules.ts'
import { findUser } from '#shop/accounts/users/store.ts'
import { callerNetwork } from '#shop/caller-network.ts'
import { type AccountToken, invalidLinkProblem } from '#shop/messages/mails/account-link.ts'
import { mailRequests } from '#shop/messages/mails/table.ts'
import { consumeToken } from '#shop/messages/mails/token-store.ts'
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
  return preparePassword(parts, ctx, password, (standIn) => patchUserState(user, {}, standIn))
}

/**
 * Sets the password of the user of a token, and ends all that somebody else may have made in the
 * account. The address is confirmed by that, since the token was mailed to it.
 */
export async function resetPassword(
  ctx: Pick<Context, 'db' | 'now' | 'auditActor'>,
  parts: RecoveryParts,
  token: AccountToken,
  password: PreparedPassword,
): Promise<void> {
  if (!(await consumeToken(ctx.db, token))) throw invalidLinkProblem('password_reset')
  const user = await findUser(ctx.db, token.user_id)
  if (!user) throw invalidLinkProblem('password_reset')
  const auditActor = () => ({ ...ctx.auditActor(), credential: 'password_reset' })
  const saved = await recoverUser({ ...ctx, auditActor }, parts.recoveries, user, {
    ...patchUserState(user, {}, password),
    // A former address gets the mail while its change can be undone: that says nothing of the current one.
    email_verified: token.email_key === user.email_key ? 1 : user.email_verified,
  })
  await finishConfirmation(ctx, parts, user, saved)
}
