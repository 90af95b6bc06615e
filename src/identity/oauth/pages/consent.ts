import { html } from './html.ts'
import type { Spoken } from './language.ts'
import { type Page, pageOf, saying } from './page.ts'
import type { WordKey } from './words.ts'

/** The page on which a user lets an application act. */
export function consentPage(
  spoken: Spoken,
  shown: {
    readonly client: string
    readonly name: string
    readonly csrf: string
    /** Where the user goes from here. */
    readonly host: string
    readonly isNative: boolean
    readonly granted: readonly string[]
    readonly barred: readonly string[]
    readonly privacy: string | undefined
    readonly terms: string | undefined
  },
): Page {
  const say = saying(spoken)
  const { client, name, csrf, host, isNative, granted, barred, privacy, terms } = shown
  const title = say('consent.title', { client })
  const list = (heading: WordKey, id: string, scopes: readonly string[], kind: string) =>
    scopes.length > 0 &&
    html`<section class="${kind}" aria-labelledby="${id}">
<h2 id="${id}">${say(heading)}</h2>
<ul>${scopes.map((scope) => html`<li>${say(`scope.${scope}` as WordKey)}</li>`)}</ul>
</section>`
  const link = (address: string | undefined, key: WordKey) =>
    address !== undefined && html`<a href="${address}" rel="noreferrer">${say(key)}</a>`
  const body = html`<h1>${title}</h1>
<p class="lead">${say('consent.account', { name })}</p>
${list('consent.list', 'granted', granted, 'scopes')}
${list('consent.barred', 'barred', barred, 'scopes barred')}
${isNative && html`<p class="note">${say('consent.native')}</p>`}
<p class="quiet note">${say('consent.return', { host })}</p>
${
  (privacy !== undefined || terms !== undefined) &&
  html`<p class="links">${link(privacy, 'consent.privacy')}${link(terms, 'consent.terms')}</p>`
}
<form method="post">
<input type="hidden" name="csrf" value="${csrf}">
<div class="acts">
<button class="main" name="act" value="allow">${say('consent.allow')}</button>
<button name="act" value="cancel">${say('consent.deny')}</button>
</div>
</form>`
  return pageOf(spoken, 200, { title, body })
}
