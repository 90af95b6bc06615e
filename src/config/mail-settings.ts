import { optional, type Setting } from './setting.ts'

type Format<T> = Pick<Setting<T>, 'expected' | 'parse'>

/** The URL of a mail server, without path and query. */
const smtpUrl: Format<string> = {
  expected: 'smtp://USER:PASSWORD@HOST:PORT, or smtps:// for TLS from the start',
  parse: (text) => {
    const url = URL.parse(text)
    const isServer =
      url !== null &&
      /^smtps?:$/.test(url.protocol) &&
      url.hostname !== '' &&
      /^\/?$/.test(url.pathname) &&
      url.search === '' &&
      url.hash === ''
    return isServer && isDecodable(url.username) && isDecodable(url.password) ? text : undefined
  },
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The sender of mails. */
export interface MailAddress {
  /** Undefined for an address alone. */
  readonly name?: string
  readonly address: string
}

const address = /^[^\s<>()[\]\\,;:"@\p{Cc}]+@[^\s<>()[\]\\,;:"@\p{Cc}]+$/u
const named = /^"?([^"<>\p{Cc}]{1,200}?)"?\s*<([^<>]+)>$/u

/** An address, or a name and an address in angle brackets. */
const mailAddress: Format<MailAddress> = {
  expected:
    'an address such as shop@example.com, or a name and an address: Shop <shop@example.com>',
  parse: (text) => {
    if (address.test(text)) return { address: text }
    const [, name = '', inner = ''] = named.exec(text) ?? []
    return address.test(inner) && name.trim() !== ''
      ? { name: name.trim(), address: inner }
      : undefined
  },
}

/** An http or https URL without query; a trailing slash is dropped. */
const pageUrl: Format<string> = {
  expected: 'an http or https URL, such as https://shop.example.com/account',
  parse: (text) => {
    const url = URL.parse(text)
    if (url === null || !/^https?:$/.test(url.protocol)) return undefined
    if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
      return undefined
    }
    return url.href.replace(/\/$/, '')
  },
}

/** The settings of mails and of the pages that they link to. */
export const mailSettings = {
  smtpUrl: optional(
    'SMTP_URL',
    {
      description:
        'The mail server. Default: mails are written to data/mail, beside the embedded database.',
      secret: true,
    },
    smtpUrl,
  ),
  mailFrom: optional(
    'MAIL_FROM',
    {
      description:
        'The sender of mails, as an address or as NAME <ADDRESS>. Default: SHOP_NAME, and no-reply at the host of BASE_URL.',
    },
    mailAddress,
  ),
  accountPagesUrl: optional(
    'ACCOUNT_PAGES_URL',
    {
      description:
        'The URL of your own pages for the links in mails, to which /password-resets/TOKEN, /email-confirmations/TOKEN, /email-rejections/TOKEN or /address-changes/TOKEN is added. Default: the pages of this server, BASE_URL/account.',
    },
    pageUrl,
  ),
}
