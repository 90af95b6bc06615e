import type { Context } from '#http/declare/context.ts'
import { finishConfirmation, recoverUser } from '#shop/accounts/users/actions.ts'
import { consumeLink } from '#shop/accounts/users/consume-link.ts'
import { patchUserState } from '#shop/accounts/users/rules.ts'
import type { AccountToken } from '#shop/messages/mails/account-link.ts'
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
  const user = await consumeLink(ctx.db, token)
  const saved = await recoverUser(ctx, parts.recoveries, user, {
    ...patchUserState(user, { email: token.email }),
    ...{ email_verified: 1, password_hash: null, digest_secret: null },
  })
  await finishConfirmation(ctx, parts, user, saved)
}
