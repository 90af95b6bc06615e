import type { Route } from '#http/declare/route.ts'
import type { Exchange, NegotiatedExchange } from '#http/exchange/exchange.ts'
import type { Guard } from '#http/exchange/step.ts'
import {
  csvType,
  jsonRepresentation,
  linkedDataType,
  ndjsonType,
  negotiateMediaType,
  type Representation,
  readRanges,
  representations,
  representationsWithExports,
  representationsWithLinkedData,
  representationsWithPage,
  representationsWithStream,
  xlsxType,
} from '#http/message/media-type.ts'
import { isNegotiated } from '#http/message/vary.ts'
import { problem } from '#values/problem.ts'

type Found = Pick<NegotiatedExchange, 'representation'>

const exportTypes: readonly string[] = [ndjsonType, csvType, xlsxType]
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
  if (kind === 'read' && 'linkedData' in resource) {
    return [representationsWithLinkedData, [linkedDataType]]
  }
  const hasPage = 'page' in resource && resource.page !== undefined
  return hasPage ? [representationsWithPage, ['text/html']] : [representations, []]
}

/**
 * A document has one media type, which a browser or health check gets whatever it accepts; only a request for
 * an export is 406/4061.
 */
const documentCheck = (mediaType: string): ReturnType<typeof negotiationGuard.prepare> => ({
  fragment: { problems: ['4061'] },
  check: ({ request }) => {
    const { accept } = request.headers
    if (accept === undefined || accept === '*/*') return asJson
    const types = [...readRanges(accept).keys()]
    if (types.length === 0 || types.some((type) => !exportTypes.includes(type))) return asJson
    throw problem('4061', 'detail.not_acceptable', { types: mediaType })
  },
})

/** Selects the media type of the response by Accept; throws 406/4061 if none is acceptable. */
export const negotiationGuard: Guard<Exchange, Found> = {
  name: 'negotiation',
  prepare({ resource, method, kind, stream }) {
    if (resource.kind === 'document') {
      return isNegotiated(resource)
        ? documentCheck(resource.mediaType)
        : { fragment: {}, check: () => asJson }
    }
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
