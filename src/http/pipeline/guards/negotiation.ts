import type { Guard } from '#http/pipeline/exchange.ts'
import { negotiate, representations, representationsWithPage } from '#http/response/media-type.ts'
import { problem } from '#values/problem.ts'

/** Chooses the form of the answer by what the client accepts; refuses with 406 what is not had. */
export const negotiationGuard: Guard = {
  name: 'negotiation',
  prepare({ resource, method }) {
    // A document has one form, and a browser that opens it is not to be refused.
    if (resource.kind === 'document') return undefined
    const hasPage = 'page' in resource && resource.page !== undefined
    const forms = hasPage ? representationsWithPage : representations
    const plain = ['application/json', 'application/xml', ...(hasPage ? ['text/html'] : [])]
    const answerTypes = method === 'DELETE' ? [] : plain
    return {
      fragment: { answerTypes, problems: ['4061'] },
      check: (exchange) => {
        const { accept } = exchange.request.headers
        if (accept === undefined || accept === '*/*' || accept === 'application/json') return
        const chosen = negotiate(accept, forms)
        if (!chosen) {
          const types = [...forms.keys()].toReversed().join(', ')
          throw problem('4061', 'detail.not_acceptable', { types })
        }
        exchange.representation = chosen
      },
    }
  },
}
