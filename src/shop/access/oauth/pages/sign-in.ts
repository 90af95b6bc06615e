import { type Html, html } from '#http/html/html.ts'
import { type Page, renderPage } from '#http/html/page.ts'
import type { PageMessageKey } from '#i18n/oauth-pages/en.ts'
import { type LocalizedMessages, translator } from './language.ts'

type Field = 'username' | 'password'

/** A problem with a submitted field. */
export interface SignInProblem {
  readonly key: Extract<PageMessageKey, `problem.${string}`>
  readonly field: Field
  readonly values?: Readonly<Record<string, string | number>>
}

interface SignInOptions {
  readonly client: string
  readonly csrf: string
  readonly username: string
  readonly isRemembered: boolean
  readonly problems: readonly SignInProblem[]
}

/** The page with the form for username and password. */
export function signInPage(
  localized: LocalizedMessages,
  status: number,
  options: SignInOptions,
): Page {
  const translate = translator(localized)
  const { client, csrf, username, isRemembered, problems } = options
  const errors = problems.map(({ key, field, values }) => ({ field, text: translate(key, values) }))
  const field = (name: Field, attributes: Html) =>
    renderField(name, translate(`sign_in.${name}`), attributes, errors)
  const focus = errors.length === 0 && html` autofocus`
  const title = translate('sign_in.title')
  const body = html`<h1>${title}</h1>
<p class="lead">${translate('sign_in.lead', { client })}</p>
${errors.length > 0 && renderSummary(translate('problem.title'), errors)}
<form method="post" novalidate>
<input type="hidden" name="csrf" value="${csrf}">
${field('username', html`type="text" autocomplete="username" value="${username}"${focus}`)}
${field('password', html`type="password" autocomplete="current-password"`)}
<div class="check">
<input type="checkbox" id="remember" name="remember" value="yes"${isRemembered && html` checked`}>
<label for="remember">${translate('sign_in.remember')}</label>
</div>
<div class="actions">
<button class="main" name="act" value="sign-in">${translate('sign_in.submit')}</button>
<button name="act" value="cancel" formnovalidate>${translate('sign_in.cancel')}</button>
</div>
</form>`
  const heading = errors.length > 0 ? `${translate('problem.title')} · ${title}` : title
  return renderPage(localized, status, { title: heading, body })
}

type FieldErrors = readonly { readonly field: Field; readonly text: string }[]

/** The error summary before the form; it has the focus, so screen readers read it first. */
const renderSummary = (title: string, errors: FieldErrors): Html =>
  html`<div class="problem" role="alert" tabindex="-1" autofocus>
<h2>${title}</h2>
<ul>${errors.map(({ field, text }) => html`<li><a href="#${field}">${text}</a></li>`)}</ul>
</div>`

function renderField(name: Field, label: string, attributes: Html, errors: FieldErrors): Html {
  const error = errors.find(({ field }) => field === name)?.text
  const isInvalid = error !== undefined
  const errorAttributes = html` aria-invalid="true" aria-describedby="${name}-problem"`
  return html`<div class="field">
<label for="${name}">${label}</label>
${isInvalid && html`<p id="${name}-problem">${error}</p>`}
<input id="${name}" name="${name}" required maxlength="320" spellcheck="false" autocapitalize="none" ${attributes}${isInvalid && errorAttributes}>
</div>`
}
