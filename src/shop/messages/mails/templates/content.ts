import type { Language } from '#i18n/languages.ts'
import { de } from '#i18n/mails/de.ts'
import { en, type MailMessageKey, type MailMessages } from '#i18n/mails/en.ts'
import { es } from '#i18n/mails/es.ts'
import { fr } from '#i18n/mails/fr.ts'
import { zh } from '#i18n/mails/zh.ts'
import { formatText } from '#i18n/message.ts'

const messages: Readonly<Record<Language, MailMessages>> = { en, zh, es, fr, de }

/** The language of a mail, and the name and the time zone of the shop in it. */
export interface MailStyle {
  readonly language: Language
  readonly shopName: string
  /** The IANA name of the zone in which times are written. */
  readonly timeZone: string
}

/** A part of a mail, from top to bottom. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  /** A remark; `url` is where it leads. */
  | { readonly kind: 'small'; readonly text: string; readonly url?: string }
  /** A link; `hint` stands before its address, for readers without buttons. */
  | { readonly kind: 'button'; readonly label: string; readonly url: string; readonly hint: string }
  /** Products with their amounts. */
  | { readonly kind: 'items'; readonly items: readonly ItemLine[] }
  /** Amounts; the last one is the sum. */
  | { readonly kind: 'amounts'; readonly rows: readonly AmountRow[] }
  /** Facts under headings. */
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }

/** A product of an order. */
export interface ItemLine {
  readonly name: string
  readonly detail: string
  readonly amount: string
}

/** An amount and what it is. */
export interface AmountRow {
  readonly label: string
  readonly amount: string
}

/** A heading and the lines under it. */
export interface Fact {
  readonly label: string
  readonly lines: readonly string[]
}

/** What a mail says, in one language. */
export interface MailContent {
  readonly subject: string
  readonly title: string
  readonly blocks: readonly Block[]
}

/** Formats a message of a mail. */
export type Translate = (key: MailMessageKey, values?: Readonly<Record<string, string>>) => string

/** Returns a function that formats messages in the language of a mail; `{shop}` is always known. */
export function translatorOf({ language, shopName }: MailStyle): Translate {
  const texts = messages[language]
  return (key, values) => formatText(texts[key], { ...values, shop: shopName })
}
