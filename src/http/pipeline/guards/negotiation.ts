import type { Exchange, Negotiated } from '#http/pipeline/exchange.ts'
import type { Guard } from '#http/pipeline/step.ts'
import {
  jsonRepresentation,
  negotiateMediaType,
  representations,
  representationsWithPage,
} from '#http/response/media-type.ts'
import { problem } from '#values/problem.ts'

type Found = Pick<Negotiated, 'representation'>

const asJson: Found = { representation: jsonRepresentation }

/** Selects the media type of the response by Accept; throws 406/4061 if none is acceptable. */
export const negotiationGuard: Guard<Exchange, Found> = {
  name: 'negotiation',
  prepare({ resource, method }) {
    // A document has one media type, and a browser that opens it must not get 406.
    if (resource.kind === 'document') return { fragment: {}, check: () => asJson }
    const hasPage = 'page' in resource && resource.page !== undefined
    const forms = hasPage ? representationsWithPage : representations
    const types = ['application/json', 'application/xml', ...(hasPage ? ['text/html'] : [])]
    return {
      fragment: { responseTypes: method === 'DELETE' ? [] : types, problems: ['4061'] },
      check: ({ request }) => {
        const { accept } = request.headers
        if (accept === undefined || accept === '*/*' || accept === 'application/json') return asJson
        const representation = negotiateMediaType(accept, forms)
        if (representation) return { representation }
        const supported = [...forms.keys()].toReversed().join(', ')
        throw problem('4061', 'detail.not_acceptable', { types: supported })
      },
    }
  },
}
