import { html } from './html.ts'
import type { Spoken } from './language.ts'
import { type Page, pageOf, saying } from './page.ts'

/** The page that says why a user cannot go on. */
export function failurePage(
  spoken: Spoken,
  status: number,
  failure: {
    readonly reason: 'request' | 'expired' | 'server'
    readonly error: string
    readonly description: string | undefined
  },
): Page {
  const say = saying(spoken)
  const { reason, error, description } = failure
  const title = say('failure.title')
  const body = html`<h1>${title}</h1>
<p class="lead">${say(`failure.${reason}`)}</p>
<p>${say('failure.advice')}</p>
<details>
<summary>${say('failure.details')}</summary>
<p><code lang="en">${error}</code>${
    description !== undefined && html`<br><span lang="en">${description}</span>`
  }</p>
</details>`
  return pageOf(spoken, status, { title, body })
}
