import type { AccountTokenPurpose } from '#shop/messages/mails/table.ts'
import type { Instant } from '#values/instant.ts'
import {
  type Block,
  type MailContent,
  type MailStyle,
  type Translate,
  translatorOf,
} from './content.ts'
import { timeFormatOf } from './formats.ts'

/** What the token in a mail that somebody asked for is for. */
export type RequestedPurpose = Exclude<AccountTokenPurpose, 'address_change'>

const prefixes = { password_reset: 'reset', email_confirmation: 'verify' } as const
const paths = {
  password_reset: 'password-resets',
  email_confirmation: 'email-confirmations',
} as const

/**
 * The mail with the link of a token. It holds nothing that its reader typed in, such as a name: anybody
 * can have it sent to anybody.
 */
export function accountMail(
  style: MailStyle,
  purpose: RequestedPurpose,
  urlOf: (path: string) => string,
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
        url: urlOf(paths[purpose]),
        hint: translate('link'),
      },
      purpose === 'password_reset'
        ? { kind: 'small', text: translate('reset.ignore') }
        : { kind: 'small', text: translate('verify.disown'), url: urlOf('email-rejections') },
    ],
  }
}

/**
 * The mail to the former address of an account. It holds neither the new address nor a name: a
 * thief of the account may have changed both. `undoUrl` is the link that undoes the change, if it can be.
 */
export function addressChangeMail(
  style: MailStyle,
  changedAt: Instant,
  undoUrl: string | undefined,
): MailContent {
  const translate = translatorOf(style)
  const time = timeFormatOf(style).format(changedAt)
  return {
    subject: translate('moved.subject'),
    title: translate('moved.subject'),
    blocks: [
      { kind: 'text', text: translate('greeting_unnamed') },
      { kind: 'text', text: translate('moved.text', { time }) },
      ...protection(translate, undoUrl),
      { kind: 'small', text: translate('verify.ignore') },
    ],
  }
}

/** The mail that says when an account is erased, and how to prevent that. */
export function erasureMail(style: MailStyle, erasedAt: Instant): MailContent {
  const translate = translatorOf(style)
  const time = timeFormatOf(style).format(erasedAt)
  return {
    subject: translate('erasure.subject'),
    title: translate('erasure.subject'),
    blocks: [
      { kind: 'text', text: translate('greeting_unnamed') },
      { kind: 'text', text: translate('erasure.text', { time }) },
      { kind: 'text', text: translate('erasure.withdraw') },
    ],
  }
}

const protection = (translate: Translate, undoUrl: string | undefined): readonly Block[] =>
  undoUrl === undefined
    ? [{ kind: 'text', text: translate('moved.protect') }]
    : [
        { kind: 'text', text: translate('moved.undo') },
        { kind: 'button', label: translate('moved.button'), url: undoUrl, hint: translate('link') },
      ]
