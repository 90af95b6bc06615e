import type { AccountTokenPurpose } from '#shop/messages/mails/table.ts'
import type { Instant } from '#values/instant.ts'
import { type MailContent, type MailStyle, translatorOf } from './content.ts'
import { timeFormatOf } from './formats.ts'

const prefixes = { password_reset: 'reset', email_confirmation: 'verify' } as const

/**
 * The mail with the link of a token. It holds nothing that its reader typed in, such as a name: anybody
 * can have it sent to anybody.
 */
export function accountMail(
  style: MailStyle,
  purpose: AccountTokenPurpose,
  url: string,
): MailContent {
  const translate = translatorOf(style)
  const prefix = prefixes[purpose]
  return {
    subject: translate(`${prefix}.subject`),
    title: translate(`${prefix}.title`),
    blocks: [
      { kind: 'text', text: translate('greeting_unnamed') },
      { kind: 'text', text: translate(`${prefix}.text`) },
      {
        kind: 'button',
        label: translate(`${prefix}.button`),
        url,
        hint: translate('link'),
      },
      { kind: 'small', text: translate(`${prefix}.ignore`) },
    ],
  }
}

/**
 * The mail to the former address of an account. It holds neither the new address nor a name: a
 * thief of the account may have changed both.
 */
export function addressChangeMail(style: MailStyle, changedAt: Instant): MailContent {
  const translate = translatorOf(style)
  const time = timeFormatOf(style.language).format(changedAt)
  return {
    subject: translate('moved.subject'),
    title: translate('moved.subject'),
    blocks: [
      { kind: 'text', text: translate('greeting_unnamed') },
      { kind: 'text', text: translate('moved.text', { time }) },
      { kind: 'text', text: translate('moved.protect') },
      { kind: 'small', text: translate('verify.ignore') },
    ],
  }
}
