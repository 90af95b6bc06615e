import type { Route } from '#http/declare/route.ts'
import type { Exchange, Negotiated } from '#http/pipeline/exchange.ts'
import type { Guard } from '#http/pipeline/step.ts'
import {
  jsonRepresentation,
  negotiateMediaType,
  type Representation,
  representations,
  representationsWithExports,
  representationsWithPage,
  representationsWithStream,
} from '#http/response/media-type.ts'
import { problem } from '#values/problem.ts'

type Found = Pick<Negotiated, 'representation'>

const asJson: Found = { representation: jsonRepresentation }

/**
 * The media types of a route, and those of them that its OpenAPI operation lists besides the usual ones.
 * Those of exports are left to the description of the API: beside a type without a schema, the data of
 * generated clients would have no type.
 */
function formsOf(
  route: Pick<Route, 'resource' | 'kind'>,
  hasStream: boolean,
): readonly [ReadonlyMap<string, Representation>, readonly string[]] {
  const { resource, kind } = route
  if (hasStream) return [representationsWithStream, ['text/event-stream']]
  if (kind === 'list') return [representationsWithExports, []]
  const hasPage = 'page' in resource && resource.page !== undefined
  return hasPage ? [representationsWithPage, ['text/html']] : [representations, []]
}

/** Selects the media type of the response by Accept; throws 406/4061 if none is acceptable. */
export const negotiationGuard: Guard<Exchange, Found> = {
  name: 'negotiation',
  prepare({ resource, method, kind, stream }) {
    // A document has one media type, and a browser that opens it must not get 406.
    if (resource.kind === 'document') return { fragment: {}, check: () => asJson }
    const [forms, added] = formsOf({ resource, kind }, stream !== undefined)
    const types = ['application/json', 'application/xml', ...added]
    return {
      fragment: {
        responseTypes: method === 'DELETE' ? [] : types,
        problems: ['4061'],
        ...(stream ? { requestHeaders: ['Last-Event-ID'] as const } : {}),
      },
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
