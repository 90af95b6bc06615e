import type { Exchange, NegotiatedExchange } from '#http/exchange/exchange.ts'
import type { Guard } from '#http/exchange/step.ts'
import { toVersion, versions } from '#http/message/api-versions.ts'
import { readMediaType, representations } from '#http/message/media-type.ts'
import { createMessage } from '#i18n/message.ts'
import { fieldProblem, problem } from '#values/problem.ts'

type Known = Exchange & Pick<NegotiatedExchange, 'representation'>

/**
 * Selects the API version by the path, a media type or the query, else the default version. Throws
 * 400/4004 if two of them differ, 400/4003 for an unknown version in the query.
 */
export const versionGuard: Guard<Known, Pick<Exchange, 'version'>> = {
  name: 'version',
  prepare({ resource, body }) {
    const isDocument = resource.kind === 'document'
    return {
      fragment: {
        commonHeaders: isDocument ? [] : ['API-Version'],
        deprecationHeaders: isDocument ? [] : ['Deprecation', 'Sunset', 'Link'],
        problems: ['4003', '4004'],
      },
      check: (exchange) => {
        const { request } = exchange
        const inQuery = (request.query as Readonly<Record<string, unknown>>)['version']
        // Content-Type counts only with a body: responses to GET do not vary by it.
        const bodyType = body && request.headers['content-type']
        return { version: versionNamed(exchange, inQuery, bodyType) ?? exchange.version }
      },
    }
  },
}

function versionNamed(
  { prefix, representation }: Known,
  inQuery: unknown,
  bodyType: string | undefined,
): number | undefined {
  const isPlain =
    prefix === '' &&
    inQuery === undefined &&
    representation.version === undefined &&
    (bodyType === undefined || bodyType === 'application/json')
  if (isPlain) return undefined
  const named = [
    toVersion(prefix.slice('/v'.length)),
    representation.version,
    bodyType === undefined ? undefined : representations.get(readMediaType(bodyType).type)?.version,
    // compileQuery rejects a repeated parameter.
    typeof inQuery === 'string' ? requestedVersion(inQuery) : undefined,
  ].filter((found) => found !== undefined)
  const [first] = named
  const second = named.find((other) => other !== first)
  if (first !== undefined && second !== undefined) {
    throw problem('4004', 'detail.versions', { first, second })
  }
  return first
}

function requestedVersion(text: string): number {
  const found = toVersion(text)
  if (found !== undefined) return found
  const message = createMessage('query.version', { versions: versions.join(', ') })
  throw fieldProblem([{ field: 'version', message }], '4003')
}
