import type { Role } from '#http/declare/caller.ts'
import type { PageMessageKey } from '#i18n/oauth-pages/messages.ts'
import { html } from './html.ts'
import type { LocalizedMessages } from './language.ts'
import { type Page, pageOf, translator } from './page.ts'
import { isWiderForAdmins, scopeSentence } from './scope-description.ts'

/** For how long a consent lets an application act. */
export interface ConsentTerm {
  /** How long an access token is good for. */
  readonly minutes: number
  /** How long the consent counts at most. */
  readonly days: number
  /** `lasting` with refresh tokens; without them `passing`, or `once` where each time is asked for. */
  readonly kind: 'lasting' | 'passing' | 'once'
}

interface ConsentShown {
  readonly client: string
  readonly name: string
  readonly role: Role
  readonly csrf: string
  /** Where the user goes from here. */
  readonly host: string
  readonly isNative: boolean
  readonly granted: readonly string[]
  readonly barred: readonly string[]
  readonly term: ConsentTerm
  readonly privacy: string | undefined
  readonly terms: string | undefined
}

/** The page on which a user lets an application act: what it may do, and for how long. */
export function consentPage(localized: LocalizedMessages, shown: ConsentShown): Page {
  const translate = translator(localized)
  const { client, name, role, csrf, host, isNative, granted, barred, term, privacy, terms } = shown
  const { messages } = localized
  const title = translate('consent.title', { client })
  const isWide = role === 'admin' && granted.some((scope) => isWiderForAdmins(messages, scope))
  const list = (heading: PageMessageKey, id: string, scopes: readonly string[], kind: string) =>
    scopes.length > 0 &&
    html`<section class="${kind}" aria-labelledby="${id}">
<h2 id="${id}">${translate(heading)}</h2>
<ul>${scopes.map((scope) => html`<li>${scopeSentence(messages, scope, role)}</li>`)}</ul>
</section>`
  const link = (address: string | undefined, key: PageMessageKey) =>
    address !== undefined && html`<a href="${address}" rel="noreferrer">${translate(key)}</a>`
  const { minutes, days, kind } = term
  const body = html`<h1>${title}</h1>
<p class="lead">${translate('consent.account', { name })}</p>
${isWide && html`<p class="caution" id="caution">${translate('consent.admin')}</p>`}
${list('consent.list', 'granted', granted, 'scopes')}
${list('consent.barred', 'barred', barred, 'scopes barred')}
<section class="term" aria-labelledby="term">
<h2 id="term">${translate('consent.duration')}</h2>
<p>${translate(`consent.${kind}`, { minutes, days })}</p>
</section>
${isNative && html`<p class="note">${translate('consent.native')}</p>`}
<p class="quiet note">${translate('consent.return', { host })}</p>
${
  (privacy !== undefined || terms !== undefined) &&
  html`<p class="links">${link(privacy, 'consent.privacy')}${link(terms, 'consent.terms')}</p>`
}
<form method="post">
<input type="hidden" name="csrf" value="${csrf}">
<div class="acts">
<button class="main" name="act" value="allow">${translate('consent.allow')}</button>
<button name="act" value="cancel">${translate('consent.deny')}</button>
</div>
</form>`
  return pageOf(localized, 200, { title, body })
}
