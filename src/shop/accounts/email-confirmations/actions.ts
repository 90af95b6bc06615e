import type { Context } from '#http/declare/context.ts'
import { finishConfirmation, recoverUser, saveUser } from '#shop/accounts/users/actions.ts'
import { patchUserState } from '#shop/accounts/users/rules.ts'
import { findUser } from '#shop/accounts/users/store.ts'
import { callerNetwork } from '#shop/caller-network.ts'
import { type AccountToken, invalidLinkProblem } from '#shop/messages/mails/account-link.ts'
import { accountTokens, mailRequests } from '#shop/messages/mails/table.ts'
import { consumeToken } from '#shop/messages/mails/token-store.ts'
import type { RecoveryParts } from '#shop/recovery.ts'
import { problem } from '#values/problem.ts'

/**
 * Requests the mail again with which a user confirms the address. Throws 409/4091 without an address, and
 * for one that is confirmed.
 */
export async function requestConfirmation(
  ctx: Pick<Context, 'db' | 'now' | 'actor' | 'auditActor'>,
  user: { readonly id: number; readonly email: string | null; readonly email_verified: number },
): Promise<void> {
  if (user.email === null) throw problem('4091', 'user.no_email')
  if (user.email_verified === 1) throw problem('4091', 'user.email_confirmed')
  await mailRequests.insert(ctx.db, {
    kind: 'email_confirmation',
    email: null,
    user_id: user.id,
    network: callerNetwork(ctx),
    created_at: ctx.now,
  })
}

/** Confirms the address of the user of a token; the tokens for it stop working. */
export async function confirmEmail(
  ctx: Pick<Context, 'db' | 'now' | 'actor' | 'auditActor'>,
  parts: RecoveryParts,
  token: AccountToken,
): Promise<void> {
  const { user_id } = token
  if (!(await consumeToken(ctx.db, token))) throw invalidLinkProblem('email_confirmation')
  const user = await findUser(ctx.db, user_id)
  if (!user) throw invalidLinkProblem('email_confirmation')
  const saved = await saveUser(ctx, user, { ...patchUserState(user, {}), email_verified: 1 })
  await finishConfirmation(ctx, parts, user, saved)
  await accountTokens.delete(ctx.db, { user_id, purpose: 'email_confirmation' })
}

/**
 * Frees the address of a token, whose holder did not sign up, and ends all that was made in the account.
 * Nobody can sign in by the address any more; a username of its own stays, with its password.
 */
export async function rejectEmail(
  ctx: Pick<Context, 'db' | 'now' | 'auditActor'>,
  { recoveries }: RecoveryParts,
  token: AccountToken,
): Promise<void> {
  if (!(await consumeToken(ctx.db, token))) throw invalidLinkProblem('email_rejection')
  const user = await findUser(ctx.db, token.user_id)
  if (!user) throw invalidLinkProblem('email_rejection')
  const isName = user.username_key === user.email_key
  await recoverUser(ctx, recoveries, user, {
    ...patchUserState(user, {}),
    ...{ email: null, email_key: null, email_verified: 0 },
    ...(isName && { username: null, username_key: null, password_hash: null, digest_secret: null }),
  })
}
