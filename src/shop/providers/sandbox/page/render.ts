import { type Html, html } from '#http/html/html.ts'
import { type Page, renderPage } from '#http/html/page.ts'
import type { Language } from '#i18n/languages.ts'
import { de } from '#i18n/sandbox-page/de.ts'
import { en, type SandboxMessageKey, type SandboxMessages } from '#i18n/sandbox-page/en.ts'
import { es } from '#i18n/sandbox-page/es.ts'
import { fr } from '#i18n/sandbox-page/fr.ts'
import { zh } from '#i18n/sandbox-page/zh.ts'
import { currencyDigits, moneyFormat, toMajor } from '#values/money.ts'
import type { Challenge } from './challenge.ts'

const messages: Readonly<Record<Language, SandboxMessages>> = { en, zh, es, fr, de }

/** The language of a page, and the name above it. */
export interface PageStyle {
  readonly language: Language
  readonly shopName: string
}

/** The page that asks the buyer to approve a payment; `csrf` guards its form. */
export function questionPage(style: PageStyle, challenge: Challenge, csrf: string): Page {
  const { language } = style
  const text = messages[language]
  const body = html`<h1>${text['ask.title']}</h1>
<p class="lead">${text['ask.lead']}</p>
${amount(language, challenge)}
<form method="post">
<input type="hidden" name="csrf" value="${csrf}">
<div class="actions">
<button class="main" name="decision" value="approve">${text['ask.approve']}</button>
<button name="decision" value="refuse">${text['ask.refuse']}</button>
</div>
</form>`
  return sandboxPage(style, 200, text['ask.title'], body)
}

/** The page of a payment that is decided. */
export function resultPage(style: PageStyle, challenge: Challenge): Page {
  const { language } = style
  const text = messages[language]
  const result = resultOf(challenge)
  const title = text[`${result}.title`]
  const { returnUrl } = challenge
  const body = html`<h1>${title}</h1>
<p class="lead">${text[`${result}.text`]}</p>
${amount(language, challenge)}
${
  returnUrl === undefined
    ? html`<p class="note">${text.close}</p>`
    : html`<p class="actions"><a class="button main" href="${returnUrl}">${text.return}</a></p>`
}`
  return sandboxPage(style, 200, title, body)
}

type Result = 'approved' | 'declined' | 'cancelled'

function resultOf({ status }: Challenge): Result {
  if (status === 'voided') return 'cancelled'
  return status === 'declined' ? 'declined' : 'approved'
}

type Failure = 'unknown' | 'failed' | 'foreign'

const failureTitles: Readonly<Record<Failure, SandboxMessageKey>> = {
  unknown: 'unknown.title',
  failed: 'failed.title',
  foreign: 'failed.title',
}

/** The page of a request that failed. */
export function failurePage(style: PageStyle, status: number, failure: Failure): Page {
  const text = messages[style.language]
  const title = text[failureTitles[failure]]
  const body = html`<h1>${title}</h1>
<p class="lead">${text[`${failure}.text`]}</p>`
  return sandboxPage(style, status, title, body)
}

function amount(language: Language, { amountMinor, currency }: Challenge): Html {
  const major = toMajor(amountMinor, currencyDigits(currency))
  const formatted = moneyFormat(language, currency).format(major)
  return html`<dl class="amount"><dt>${messages[language]['ask.amount']}</dt><dd>${formatted}</dd></dl>`
}

function sandboxPage(style: PageStyle, status: number, title: string, content: Html): Page {
  const { language, shopName } = style
  const body = html`${content}
<p class="footnote">${messages[language].sandbox}</p>`
  return renderPage({ tag: language, shopName }, status, { title, body })
}
