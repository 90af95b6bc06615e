import type { Exchange } from '#http/exchange/exchange.ts'
import type { Guard } from '#http/exchange/step.ts'
import { problem } from '#values/problem.ts'
import type { Origins } from './cors.ts'

/** Schemes whose credentials a browser sends with requests of any page (RFC 9110 11.5). */
const browserStored = /^(?:basic|digest) /i

/**
 * Throws 403/4031 for a write with Basic or Digest from a page of another site (Sec-Fetch-Site),
 * unless CORS allows its origin: the browser, not the user, added the password.
 */
export const crossSiteGuard = (origins: Origins): Guard<Exchange> => ({
  name: 'cross-site',
  prepare({ access, method }) {
    if (access.kind === 'no-authentication' || method === 'GET') return undefined
    return {
      fragment: { problems: ['4031'] },
      check: ({ request: { headers } }) => {
        const site = headers['sec-fetch-site']
        const isOtherSite = site === 'cross-site' || site === 'same-site'
        if (!isOtherSite || !browserStored.test(headers.authorization ?? '')) return
        if (origins !== '*' && !origins.includes(headers.origin ?? '')) {
          throw problem('4031', 'detail.cross_site')
        }
      },
    }
  },
})
