import type { Context } from '#http/declare/context.ts'
import { finishConfirmation, recoverUser } from '#shop/accounts/users/actions.ts'
import { patchUserState } from '#shop/accounts/users/rules.ts'
import { findUser } from '#shop/accounts/users/store.ts'
import { type AccountToken, invalidLinkProblem } from '#shop/messages/mails/account-link.ts'
import { consumeToken } from '#shop/messages/mails/token-store.ts'
import type { RecoveryParts } from '#shop/recovery.ts'

/**
 * Restores the former address of the user of a token, as a confirmed one, and ends all that somebody else may
 * have made in the account, and the password: the holder of the address chooses a new one by mail.
 */
export async function undoAddressChange(
  ctx: Pick<Context, 'db' | 'now' | 'auditActor'>,
  parts: RecoveryParts,
  token: AccountToken,
): Promise<void> {
  if (!(await consumeToken(ctx.db, token))) throw invalidLinkProblem('address_change')
  const user = await findUser(ctx.db, token.user_id)
  if (!user) throw invalidLinkProblem('address_change')
  const isName = user.username_key === user.email_key
  const patch = { email: token.email, ...(isName && { username: token.email }) }
  const saved = await recoverUser(ctx, parts.recoveries, user, {
    ...patchUserState(user, patch),
    ...{ email_verified: 1, password_hash: null, digest_secret: null },
  })
  await finishConfirmation(ctx, parts, user, saved)
}
