import type { Context } from '#http/declare/context.ts'
import { undoAddressChange } from '#shop/accounts/address-changes/actions.ts'
import { confirmEmail, rejectEmail } from '#shop/accounts/email-confirmations/actions.ts'
import type { AccountToken } from '#shop/messages/mails/account-link.ts'
import type { AccountTokenPurpose } from '#shop/messages/mails/table.ts'
import type { RecoveryParts } from '#shop/recovery.ts'

/** A page with one button. */
export interface ButtonPage {
  readonly purpose: AccountTokenPurpose
  /** The beginning of the keys of its messages. */
  readonly prefix: 'verify' | 'disown' | 'undo'
  /** What the button does. */
  readonly work: (
    ctx: Pick<Context, 'db' | 'now' | 'actor' | 'auditActor'>,
    parts: RecoveryParts,
    token: AccountToken,
  ) => Promise<void>
}

/** The pages with one button, by their path. */
export const buttonPages: Readonly<Record<string, ButtonPage>> = {
  'email-confirmations': { purpose: 'email_confirmation', prefix: 'verify', work: confirmEmail },
  'email-rejections': { purpose: 'email_confirmation', prefix: 'disown', work: rejectEmail },
  'address-changes': { purpose: 'address_change', prefix: 'undo', work: undoAddressChange },
}
