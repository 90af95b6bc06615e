import { html } from './html.ts'
import type { LocalizedMessages } from './language.ts'
import { type Page, pageOf, translator } from './page.ts'

interface SignOutShown {
  /** Who is signed in. */
  readonly name: string
  /** The application that has asked for it, if one has. */
  readonly client: string | undefined
  readonly csrf: string
}

/** The page that asks whether to sign out. */
export function signOutPage(
  localized: LocalizedMessages,
  { name, client, csrf }: SignOutShown,
): Page {
  const translate = translator(localized)
  const title = translate('sign_out.title')
  const lead = client === undefined ? 'sign_out.account' : 'sign_out.asked'
  const body = html`<h1>${title}</h1>
<p class="lead">${translate(lead, { name, client: client ?? '' })}</p>
<p class="note">${translate('sign_out.effect')}</p>
<form method="post" action="/oauth/logout/confirm">
<input type="hidden" name="xsrf" value="${csrf}">
<div class="acts">
<button class="main" name="logout" value="yes">${translate('sign_out.submit')}</button>
<button name="logout" value="no">${translate('sign_out.stay')}</button>
</div>
</form>`
  return pageOf(localized, 200, { title, body })
}

/** The page that says that nobody is signed in any more. */
export function signedOutPage(localized: LocalizedMessages): Page {
  const translate = translator(localized)
  const title = translate('signed_out.title')
  const body = html`<h1>${title}</h1>
<p class="lead">${translate('signed_out.text')}</p>`
  return pageOf(localized, 200, { title, body })
}

/** The page that says that signing out was declined and nothing has changed. */
export function stillSignedInPage(localized: LocalizedMessages): Page {
  const translate = translator(localized)
  const title = translate('sign_out.kept')
  const body = html`<h1>${title}</h1>
<p class="lead">${translate('sign_out.kept_text')}</p>`
  return pageOf(localized, 200, { title, body })
}
