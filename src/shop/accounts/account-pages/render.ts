import { type Html, html } from '#http/html/html.ts'
import { type Page, renderPage } from '#http/html/page.ts'
import { de } from '#i18n/account-pages/de.ts'
import { type AccountPageMessageKey, type AccountPageMessages, en } from '#i18n/account-pages/en.ts'
import { es } from '#i18n/account-pages/es.ts'
import { fr } from '#i18n/account-pages/fr.ts'
import { zh } from '#i18n/account-pages/zh.ts'
import type { Language } from '#i18n/languages.ts'
import { formatText } from '#i18n/message.ts'
import type { ButtonLink } from '#shop/accounts/button-link.ts'

const messages: Readonly<Record<Language, AccountPageMessages>> = { en, zh, es, fr, de }

/** The language of a page, and the name above it. */
export interface PageStyle {
  readonly language: Language
  readonly shopName: string
}

type Translate = (key: AccountPageMessageKey) => string

const translator =
  ({ language, shopName }: PageStyle): Translate =>
  (key) =>
    formatText(messages[language][key], { shop: shopName })

/** The page with the form for a new password; `problem` says why the last one was rejected. */
export function passwordPage(style: PageStyle, problem?: string): Page {
  const translate = translator(style)
  const isInvalid = problem !== undefined
  const body = html`<h1>${translate('reset.title')}</h1>
<p class="lead">${translate('reset.lead')}</p>
<form method="post">
<div class="field">
<label for="password">${translate('reset.password')}</label>
${isInvalid && html`<p id="problem" role="alert">${translate('reset.password')}: ${problem}</p>`}
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="256" autofocus${isInvalid && html` aria-invalid="true" aria-describedby="problem"`}>
</div>
<div class="actions"><button class="main">${translate('reset.submit')}</button></div>
</form>`
  return pageOf(style, isInvalid ? 422 : 200, translate('reset.title'), body)
}

/** A page with one button: to confirm an address, to say that it was not you, or to undo a change. */
export function buttonPage(style: PageStyle, prefix: ButtonLink['prefix']): Page {
  const translate = translator(style)
  const title = translate(`${prefix}.title`)
  const body = html`<h1>${title}</h1>
<p class="lead">${translate(`${prefix}.lead`)}</p>
<form method="post">
<div class="actions"><button class="main">${translate(`${prefix}.submit`)}</button></div>
</form>`
  return pageOf(style, 200, title, body)
}

/** The page with the result of a form. */
export function resultPage(
  style: PageStyle,
  status: number,
  result: `${'reset' | ButtonLink['prefix']}.done` | 'gone' | 'failed',
): Page {
  const translate = translator(style)
  const title = translate(`${result}.title`)
  const body = html`<h1>${title}</h1>
<p class="lead">${translate(`${result}.text`)}</p>
<p class="note">${translate('close')}</p>`
  return pageOf(style, status, title, body)
}

const pageOf = (
  { language, shopName }: PageStyle,
  status: number,
  title: string,
  body: Html,
): Page => renderPage({ tag: language, shopName }, status, { title, body })
