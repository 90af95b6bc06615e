import { toVersion, versions } from '#http/codec/versions.ts'
import { Type } from '#http/declare/type.ts'
import type { Exchange, Gate } from '#http/pipeline/exchange.ts'
import { readMediaType, representations } from '#http/response/media-type.ts'
import { say } from '#i18n/message.ts'
import { fieldRefusal, refusal } from '#values/problem.ts'

/**
 * Finds the version that the request names in its path, its media types or its query. Two that
 * disagree are refused with 400/4004; where none is named, the usual one is served.
 */
export const versionGate: Gate = {
  name: 'version',
  prepare({ noun, body }) {
    const told = noun.kind === 'document' ? [] : (['API-Version', 'Deprecation', 'Sunset'] as const)
    return {
      says: {
        everyHeaders: told,
        responseHeaders: noun.kind === 'document' ? [] : ['Link'],
        query: { version },
        refusals: ['4003', '4004'],
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
    typeof asked === 'string' ? askedVersion(asked) : undefined,
  ].filter((found) => found !== undefined)
  const [first] = named
  const second = named.find((other) => other !== first)
  if (first !== undefined && second !== undefined) {
    throw refusal('4004', 'detail.versions', { first, second })
  }
  return first
}

function askedVersion(text: string): number {
  const found = toVersion(text)
  if (found !== undefined) return found
  const message = say('query.version', { versions: versions.join(', ') })
  throw fieldRefusal([{ field: 'version', message }], '4003')
}
