import { Type } from 'typebox'
import { toVersion, versions } from '#http/codec/versions.ts'
import type { Exchange, Guard } from '#http/pipeline/exchange.ts'
import { readMediaType, representations } from '#http/response/media-type.ts'
import { createMessage } from '#i18n/message.ts'
import { fieldProblem, problem } from '#values/problem.ts'

/**
 * Finds the version that the request names in its path, its media types or its query. Two that
 * disagree are refused with 400/4004; where none is named, the usual one is served.
 */
export const versionGuard: Guard = {
  name: 'version',
  prepare({ resource, body }) {
    const told =
      resource.kind === 'document' ? [] : (['API-Version', 'Deprecation', 'Sunset'] as const)
    return {
      fragment: {
        everyHeaders: told,
        responseHeaders: resource.kind === 'document' ? [] : ['Link'],
        query: { version },
        problems: ['4003', '4004'],
      },
      check: (exchange) => {
        const { prefix, representation, request } = exchange
        const asked = (request.query as Readonly<Record<string, unknown>>)['version']
        // Of a request without a body it means nothing, and no cache tells answers apart by it.
        const sent = body && request.headers['content-type']
        const isPlain =
          prefix === '' &&
          asked === undefined &&
          representation.version === undefined &&
          (sent === undefined || sent === 'application/json')
        if (!isPlain) exchange.version = versionNamed(exchange, asked, sent) ?? exchange.version
      },
    }
  },
}

const version = Type.Integer({
  minimum: Math.min(...versions),
  maximum: Math.max(...versions),
  description: 'The version of the API, where neither the path nor a media type names it.',
})

function versionNamed(
  { prefix, representation }: Exchange,
  asked: unknown,
  sent: string | undefined,
): number | undefined {
  const named = [
    toVersion(prefix.slice('/v'.length)),
    representation.version,
    sent === undefined ? undefined : representations.get(readMediaType(sent).type)?.version,
    // One that is given twice is refused where the query is read.
    typeof asked === 'string' ? requestedVersion(asked) : undefined,
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
