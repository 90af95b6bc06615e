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
  const field = passwordField(translate('reset.password'), 'new', problem)
  const body = html`<h1>${translate('reset.title')}</h1>
<p class="lead">${translate('reset.lead')}</p>
${form(field, translate('reset.submit'))}`
  return pageOf(style, problem === undefined ? 200 : 422, translate('reset.title'), body)
}

const form = (field: Html | undefined, submit: string): Html => html`<form method="post">
${field}
<div class="actions"><button class="main">${submit}</button></div>
</form>`

function passwordField(label: string, kind: 'new' | 'current', problem?: string): Html {
  const isInvalid = problem !== undefined
  return html`<div class="field">
<label for="password">${label}</label>
${isInvalid && html`<p id="problem" role="alert">${label}: ${problem}</p>`}
<input id="password" name="password" type="password" autocomplete="${kind}-password" required${kind === 'new' && html` minlength="8"`} maxlength="256" autofocus${isInvalid && html` aria-invalid="true" aria-describedby="problem"`}>
</div>`
}

/**
 * A page with one button: to confirm an address, to say that it was not you, or to undo a change. With `password`, it
 * asks for that of the account, again after a wrong one.
 */
export function buttonPage(
  style: PageStyle,
  prefix: ButtonLink['prefix'],
  password?: 'asked' | 'wrong',
): Page {
  const translate = translator(style)
  const title = translate(`${prefix}.title`)
  const isWrong = password === 'wrong'
  const problem = isWrong ? translate('proof.wrong') : undefined
  const field = password && passwordField(translate('proof.password'), 'current', problem)
  const body = html`<h1>${title}</h1>
<p class="lead">${translate(`${prefix}.lead`)}</p>
${form(field, translate(`${prefix}.submit`))}`
  return pageOf(style, isWrong ? 422 : 200, title, body)
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
