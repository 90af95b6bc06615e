import type { Guard } from '#http/pipeline/exchange.ts'
import { problem } from '#values/problem.ts'
import type { Origins } from './cors.ts'

/** Schemes whose credentials browsers remember, and send whichever page asks (RFC 9110 11.5). */
const remembered = /^(?:basic|digest) /i

/**
 * Refuses a change that a page of another origin has a browser make with a password that it
 * remembers (403/4031): Basic and Digest, where Sec-Fetch-Site says that the page is a stranger and
 * CORS does not allow its origin.
 */
export const crossSiteGuard = (origins: Origins): Guard => ({
  name: 'cross-site',
  prepare({ access, method }) {
    if (access.kind === 'open' || method === 'GET') return undefined
    return {
      fragment: { problems: ['4031'] },
      check: ({ request: { headers } }) => {
        const site = headers['sec-fetch-site']
        const isStrange = site === 'cross-site' || site === 'same-site'
        if (!isStrange || !remembered.test(headers.authorization ?? '')) return
        if (origins !== '*' && !origins.includes(headers.origin ?? '')) {
          throw problem('4031', 'detail.cross_site')
        }
      },
    }
  },
})
