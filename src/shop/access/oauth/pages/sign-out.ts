import { html } from '#http/html/html.ts'
import { type Page, renderPage } from '#http/html/page.ts'
import { type LocalizedMessages, translator } from './language.ts'

interface SignOutOptions {
  /** The name of the signed-in user. */
  readonly name: string
  /** The application that requests the logout, if any. */
  readonly client: string | undefined
  readonly csrf: string
}

/** The page that asks a user to confirm a logout. */
export function signOutPage(
  localized: LocalizedMessages,
  { name, client, csrf }: SignOutOptions,
): Page {
  const translate = translator(localized)
  const title = translate('sign_out.title')
  const leadKey = client === undefined ? 'sign_out.account' : 'sign_out.asked'
  const body = html`<h1>${title}</h1>
<p class="lead">${translate(leadKey, { name, client: client ?? '' })}</p>
<p class="note">${translate('sign_out.effect')}</p>
<form method="post" action="/oauth/logout/confirm">
<input type="hidden" name="xsrf" value="${csrf}">
<div class="actions">
<button class="main" name="logout" value="yes">${translate('sign_out.submit')}</button>
<button name="logout" value="no">${translate('sign_out.stay')}</button>
</div>
</form>`
  return renderPage(localized, 200, { title, body })
}

/** The page after a logout. */
export function signedOutPage(localized: LocalizedMessages): Page {
  const translate = translator(localized)
  const title = translate('signed_out.title')
  const body = html`<h1>${title}</h1>
<p class="lead">${translate('signed_out.text')}</p>`
  return renderPage(localized, 200, { title, body })
}

/** The page after a declined logout. */
export function stillSignedInPage(localized: LocalizedMessages): Page {
  const translate = translator(localized)
  const title = translate('sign_out.kept')
  const body = html`<h1>${title}</h1>
<p class="lead">${translate('sign_out.kept_text')}</p>`
  return renderPage(localized, 200, { title, body })
}
