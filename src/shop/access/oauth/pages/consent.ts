import type { Role } from '#http/declare/actor.ts'
import { html } from '#http/html/html.ts'
import { type Page, renderPage } from '#http/html/page.ts'
import type { PageMessageKey } from '#i18n/oauth-pages/en.ts'
import { type LocalizedMessages, translator } from './language.ts'
import { isWiderForAdmins, scopeDescription } from './scope-description.ts'

/** How long a consent is valid. */
export interface ConsentTerm {
  /** How long an access token is valid. */
  readonly minutes: number
  /** How long the consent is valid at most. */
  readonly days: number
  /** `lasting` with refresh tokens; else `once` if every request asks again, or `passing`. */
  readonly kind: 'lasting' | 'passing' | 'once'
}

interface ConsentOptions {
  readonly client: string
  readonly name: string
  readonly role: Role
  readonly csrf: string
  /** The host that the user returns to. */
  readonly host: string
  readonly isNative: boolean
  readonly granted: readonly string[]
  readonly rejected: readonly string[]
  readonly term: ConsentTerm
  readonly privacyUrl: string | undefined
  readonly termsUrl: string | undefined
}

/** The page that asks a user to grant scopes to an application. */
export function consentPage(localized: LocalizedMessages, options: ConsentOptions): Page {
  const translate = translator(localized)
  const { client, name, role, csrf, host, isNative, granted, rejected, term } = options
  const { privacyUrl, termsUrl } = options
  const { messages } = localized
  const title = translate('consent.title', { client })
  const isAdminGrant =
    role === 'admin' && granted.some((scope) => isWiderForAdmins(messages, scope))
  const list = (heading: PageMessageKey, id: string, scopes: readonly string[], classes: string) =>
    scopes.length > 0 &&
    html`<section class="${classes}" aria-labelledby="${id}">
<h2 id="${id}">${translate(heading)}</h2>
<ul>${scopes.map((scope) => html`<li>${scopeDescription(messages, scope, role)}</li>`)}</ul>
</section>`
  const link = (url: string | undefined, key: PageMessageKey) =>
    url !== undefined && html`<a href="${url}" rel="noreferrer">${translate(key)}</a>`
  const { minutes, days, kind } = term
  const body = html`<h1>${title}</h1>
<p class="lead">${translate('consent.account', { name })}</p>
${isAdminGrant && html`<p class="caution" id="caution">${translate('consent.admin')}</p>`}
${list('consent.list', 'granted', granted, 'scopes')}
${list('consent.barred', 'rejected', rejected, 'scopes rejected')}
<section class="term" aria-labelledby="term">
<h2 id="term">${translate('consent.duration')}</h2>
<p>${translate(`consent.${kind}`, { minutes, days })}</p>
</section>
${isNative && html`<p class="note">${translate('consent.native')}</p>`}
<p class="quiet note">${translate('consent.return', { host })}</p>
${
  (privacyUrl !== undefined || termsUrl !== undefined) &&
  html`<p class="links">${link(privacyUrl, 'consent.privacy')}${link(termsUrl, 'consent.terms')}</p>`
}
<form method="post">
<input type="hidden" name="csrf" value="${csrf}">
<div class="actions">
<button class="main" name="act" value="allow">${translate('consent.allow')}</button>
<button name="act" value="cancel">${translate('consent.deny')}</button>
</div>
</form>`
  return renderPage(localized, 200, { title, body })
}
