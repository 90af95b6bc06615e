import { html } from './html.ts'
import type { Spoken } from './language.ts'
import { type Page, pageOf, saying } from './page.ts'

interface SignOutShown {
  /** Who is signed in. */
  readonly name: string
  /** The application that has asked for it, if one has. */
  readonly client: string | undefined
  readonly csrf: string
}

/** The page that asks whether to sign out. */
export function signOutPage(spoken: Spoken, { name, client, csrf }: SignOutShown): Page {
  const say = saying(spoken)
  const title = say('sign_out.title')
  const lead = client === undefined ? 'sign_out.account' : 'sign_out.asked'
  const body = html`<h1>${title}</h1>
<p class="lead">${say(lead, { name, client: client ?? '' })}</p>
<p class="note">${say('sign_out.effect')}</p>
<form method="post" action="/oauth/logout/confirm">
<input type="hidden" name="xsrf" value="${csrf}">
<div class="acts">
<button class="main" name="logout" value="yes">${say('sign_out.submit')}</button>
<button name="logout" value="no">${say('sign_out.stay')}</button>
</div>
</form>`
  return pageOf(spoken, 200, { title, body })
}

/** The page that says that nobody is signed in any more. */
export function signedOutPage(spoken: Spoken): Page {
  const say = saying(spoken)
  const title = say('signed_out.title')
  const body = html`<h1>${title}</h1>
<p class="lead">${say('signed_out.text')}</p>`
  return pageOf(spoken, 200, { title, body })
}

/** The page that says that signing out was declined and nothing has changed. */
export function stillSignedInPage(spoken: Spoken): Page {
  const say = saying(spoken)
  const title = say('sign_out.kept')
  const body = html`<h1>${title}</h1>
<p class="lead">${say('sign_out.kept_text')}</p>`
  return pageOf(spoken, 200, { title, body })
}
