import type { PageMessageKey } from '#i18n/oauth-pages/messages.ts'
import { type Html, html } from './html.ts'
import type { LocalizedMessages } from './language.ts'
import { type Page, pageOf, translator } from './page.ts'

type Field = 'username' | 'password'

/** What is wrong with what was sent, and at which field. */
export interface SignInProblem {
  readonly key: Extract<PageMessageKey, `problem.${string}`>
  readonly field: Field
  readonly values?: Readonly<Record<string, string | number>>
}

interface SignInShown {
  readonly client: string
  readonly csrf: string
  readonly username: string
  readonly isRemembered: boolean
  readonly problems: readonly SignInProblem[]
}

/** The page on which a user proves who they are. */
export function signInPage(localized: LocalizedMessages, status: number, shown: SignInShown): Page {
  const translate = translator(localized)
  const { client, csrf, username, isRemembered, problems } = shown
  const found = problems.map(({ key, field, values }) => ({ field, text: translate(key, values) }))
  const field = (name: Field, attributes: Html) =>
    fieldOf(name, translate(`sign_in.${name}`), attributes, found)
  const focus = found.length === 0 && html` autofocus`
  const title = translate('sign_in.title')
  const body = html`<h1>${title}</h1>
<p class="lead">${translate('sign_in.lead', { client })}</p>
${found.length > 0 && summaryOf(translate('problem.title'), found)}
<form method="post" novalidate>
<input type="hidden" name="csrf" value="${csrf}">
${field('username', html`type="text" autocomplete="username" value="${username}"${focus}`)}
${field('password', html`type="password" autocomplete="current-password"`)}
<div class="check">
<input type="checkbox" id="remember" name="remember" value="yes"${isRemembered && html` checked`}>
<label for="remember">${translate('sign_in.remember')}</label>
</div>
<div class="acts">
<button class="main" name="act" value="sign-in">${translate('sign_in.submit')}</button>
<button name="act" value="cancel" formnovalidate>${translate('sign_in.cancel')}</button>
</div>
</form>`
  const heading = found.length > 0 ? `${translate('problem.title')} · ${title}` : title
  return pageOf(localized, status, { title: heading, body })
}

type Found = readonly { readonly field: Field; readonly text: string }[]

/** What is wrong, before the form: read out first, and leading to the fields. */
const summaryOf = (title: string, found: Found): Html =>
  html`<div class="problem" role="alert" tabindex="-1" autofocus>
<h2>${title}</h2>
<ul>${found.map(({ field, text }) => html`<li><a href="#${field}">${text}</a></li>`)}</ul>
</div>`

function fieldOf(name: Field, label: string, attributes: Html, found: Found): Html {
  const wrong = found.find(({ field }) => field === name)?.text
  const isWrong = wrong !== undefined
  const told = html` aria-invalid="true" aria-describedby="${name}-problem"`
  return html`<div class="field">
<label for="${name}">${label}</label>
${isWrong && html`<p id="${name}-problem">${wrong}</p>`}
<input id="${name}" name="${name}" required maxlength="320" spellcheck="false" autocapitalize="none" ${attributes}${isWrong && told}>
</div>`
}
