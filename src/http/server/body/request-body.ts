import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireBoundedJson } from '#http/codec/json-bounds.ts'
import type { Route } from '#http/declare/route.ts'
import { xmlBodyOf } from '#http/exchange/api-key-location.ts'
import type { OpenApiFragment } from '#http/exchange/step.ts'
import { queryType, readMediaType, representations } from '#http/message/media-type.ts'
import { inPlace, type NetworkWork } from '#http/rate-limit/network-work.ts'
import { createMessage } from '#i18n/message.ts'
import { type Shape, shapeOf, withoutNull } from '#schema/shape.ts'
import { Problem, problem } from '#values/problem.ts'

declare module 'fastify' {
  interface FastifyRequest {
    bodyText: string
  }
}

const jsonType = 'application/json'
const xmlType = 'application/xml'
const mergePatchType = 'application/merge-patch+json'

/** The media types of bodies; a merge patch is allowed in PATCH only. */
const bodyTypes: readonly string[] = [mergePatchType, ...representations.keys()]

/** The value of Accept-Patch (RFC 5789 3.1). */
export const patchTypes = bodyTypes.join(', ')
const otherTypes = bodyTypes.filter((type) => type !== mergePatchType).join(', ')

/** The problem of an unsupported media type (415/4151), which lists those the method supports. */
export function mediaTypeProblem(method: string, upload?: Route['upload']): Problem {
  if (upload) {
    const supported = Object.keys(upload.mediaTypes).join(', ')
    return problem('4151', 'detail.media_type', { supported })
  }
  if (method === 'QUERY') {
    const detail = createMessage('detail.media_type', { supported: queryType })
    return new Problem('4151', detail, { headers: { 'accept-query': queryType } })
  }
  const isPatch = method === 'PATCH'
  const detail = createMessage('detail.media_type', {
    supported: isPatch ? patchTypes : otherTypes,
  })
  return new Problem('4151', detail, isPatch ? { headers: { 'accept-patch': patchTypes } } : {})
}

/**
 * Adds the parsers of JSON and XML bodies, which are work of the network once a body has arrived; an empty
 * body is undefined. A malformed body, or JSON
 * beyond the bounds of `json-bounds.ts`, gets 400/4002; another character encoding 415/4151.
 */
export function acceptBodies(app: FastifyInstance, work: NetworkWork | undefined): void {
  app.decorateRequest('bodyText', '')
  app.removeAllContentTypeParsers()
  for (const type of bodyTypes) {
    const parse = representations.get(type)?.format === 'xml' ? parseXml : parseJson
    app.addContentTypeParser(
      type,
      { parseAs: 'buffer' },
      async (request: FastifyRequest, body: Buffer) => {
        const { exchange } = request
        const parseBody = () => {
          const text = textOf(body)
          request.bodyText = text
          requireType(request)
          return text === '' ? undefined : parse(text, request)
        }
        return exchange && 'actor' in exchange ? inPlace(work, exchange, parseBody) : parseBody()
      },
    )
  }
}

/** Decodes a body. Throws 400/4002 for bytes that are not UTF-8, instead of replacing them (RFC 8259 8.1). */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw problem('4002', 'detail.not_utf8')
  return bytes.toString()
}

function parseJson(text: string): unknown {
  requireBoundedJson(text)
  try {
    return JSON.parse(text)
  } catch {
    throw problem('4002', 'detail.malformed_json')
  }
}

function parseXml(text: string, request: FastifyRequest): unknown {
  // OPTIONS has no exchange.
  const { exchange } = request
  if (!exchange || !xmlBodyOf(exchange.route)) return undefined
  return exchange.codecs[exchange.version]?.readXml(text)
}

function requireType({ headers, method }: FastifyRequest): void {
  const sent = headers['content-type']
  if (sent === undefined || sent === jsonType) return
  const { type, parameters } = readMediaType(sent)
  if (type === mergePatchType && method !== 'PATCH') throw problem('4151', 'detail.merge_patch')
  requireUtf8(parameters)
}

/** Throws 415/4151 for the parameters of a media type that name another charset than UTF-8. */
export function requireUtf8(parameters: ReadonlyMap<string, string>): void {
  if (!/^utf-?8$/i.test(parameters.get('charset') ?? 'utf-8')) {
    throw problem('4151', 'detail.charset')
  }
}

/** Describes the bodies of a route; a route without a body schema still parses one. */
export function describeBody({ method, body, upload }: Route): OpenApiFragment {
  if (method === 'GET') return {}
  if (upload) {
    return {
      requestHeaders: ['Content-Digest'],
      problems: ['4001', '4002', '4131', '4151', '4152'],
    }
  }
  if (!body) return { problems: ['4002', '4131', '4151', '4152'] }
  const missing = hasRequiredField(shapeOf(body)) ? (['4001'] as const) : []
  return {
    bodyTypes: method === 'PATCH' ? [mergePatchType, jsonType, xmlType] : [jsonType, xmlType],
    problems: [...missing, '4002', '4131', '4151', '4152', '4221'],
  }
}

/** True for a value with a required field at any depth. */
function hasRequiredField(shape: Shape): boolean {
  const value = withoutNull(shape)
  if (value.kind === 'list') return hasRequiredField(value.items)
  const members = 'members' in value ? value.members : []
  return members.some((member) => member.isRequired || hasRequiredField(member.shape))
}
