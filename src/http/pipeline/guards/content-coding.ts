import { negotiateContentCoding } from '#http/codec/content-coding/negotiate.ts'
import type { Exchange } from '#http/exchange/exchange.ts'
import type { Guard } from '#http/exchange/step.ts'
import { problem } from '#values/problem.ts'

/** Throws 406/4061 if `Accept-Encoding` excludes every coding, identity too (RFC 9110 12.5.3). */
export const contentCodingGuard: Guard<Exchange> = {
  name: 'content coding',
  prepare: () => ({
    fragment: {
      problems: ['4061'],
      commonHeaders: ['Content-Encoding', 'Vary'],
    },
    check: ({ request }) => {
      const { coding, acceptsIdentity } = negotiateContentCoding(request.headers['accept-encoding'])
      if (coding === undefined && !acceptsIdentity) throw problem('4061', 'detail.no_coding')
    },
  }),
}
