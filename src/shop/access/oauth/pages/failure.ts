import { html } from '#http/html/html.ts'
import { type Page, renderPage } from '#http/html/page.ts'
import { type LocalizedMessages, translator } from './language.ts'

/** The page that explains why a request failed. */
export function failurePage(
  localized: LocalizedMessages,
  status: number,
  failure: {
    readonly reason: 'request' | 'expired' | 'server'
    readonly error: string
    readonly description: string | undefined
  },
): Page {
  const translate = translator(localized)
  const { reason, error, description } = failure
  const title = translate('failure.title')
  const body = html`<h1>${title}</h1>
<p class="lead">${translate(`failure.${reason}`)}</p>
<p>${translate('failure.advice')}</p>
<details>
<summary>${translate('failure.details')}</summary>
<p><code lang="en">${error}</code>${
    description !== undefined && html`<br><span lang="en">${description}</span>`
  }</p>
</details>`
  return renderPage(localized, status, { title, body })
}
