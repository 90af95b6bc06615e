import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { type CodecOptions, compileCodec } from '#http/codec/codec.ts'
import { requireBoundedJson } from '#http/codec/json-bounds.ts'
import type { Route } from '#http/declare/route.ts'
import { xmlBodyOf } from '#http/pipeline/guards/api-key-location.ts'
import type { OpenApiFragment } from '#http/pipeline/step.ts'
import { readMediaType, representations } from '#http/response/media-type.ts'
import { createMessage } from '#i18n/message.ts'
import { type FieldIssue, fieldProblem, Problem, problem } from '#values/problem.ts'

declare module 'fastify' {
  interface FastifyRequest {
    bodyText: string
  }
}

/** The largest body accepted, in bytes. */
export const bodyLimitBytes = 1_048_576

const jsonType = 'application/json'
const xmlType = 'application/xml'
const mergePatchType = 'application/merge-patch+json'

/** The media types of bodies; a merge patch is for PATCH alone. */
const bodyTypes: readonly string[] = [mergePatchType, ...representations.keys()]

/** What Accept-Patch tells (RFC 5789 3.1). */
export const patchTypes = bodyTypes.join(', ')
const otherTypes = bodyTypes.filter((type) => type !== mergePatchType).join(', ')

/** The refusal of a body of another media type, which names those that the method takes. */
export function mediaTypeProblem(method: string): Problem {
  const isPatch = method === 'PATCH'
  const detail = createMessage('detail.media_type', {
    supported: isPatch ? patchTypes : otherTypes,
  })
  return new Problem('4151', detail, isPatch ? { headers: { 'accept-patch': patchTypes } } : {})
}

/**
 * Reads bodies in JSON, and takes those in XML as their text; an empty body is undefined, a
 * malformed or oversized one (see `json-bounds.ts`) is refused with 400/4002, one in another character encoding with 415/4151.
 */
export function acceptBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyText', '')
  app.removeAllContentTypeParsers()
  for (const type of bodyTypes) {
    const parse = representations.get(type)?.format === 'xml' ? parseXml : parseJson
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
      try {
        const text = textOf(body as Buffer)
        request.bodyText = text
        requireType(request)
        const value = text === '' ? undefined : parse(text, request)
        if (value instanceof Promise) value.then((read) => done(null, read), done)
        else done(null, value)
      } catch (error) {
        done(error as Error)
      }
    })
  }
}

/** What is no UTF-8 is refused rather than mended (RFC 8259 8.1). */
function textOf(bytes: Buffer): string {
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
  // Where there is no route, as for OPTIONS, there is nothing to read it for.
  const { exchange } = request
  if (!exchange || !xmlBodyOf(exchange.route)) return undefined
  return exchange.codecs[exchange.version]?.readXml(text)
}

function requireType({ headers, method }: FastifyRequest): void {
  const sent = headers['content-type']
  if (sent === undefined || sent === jsonType) return
  const { type, parameters } = readMediaType(sent)
  if (type === mergePatchType && method !== 'PATCH') throw problem('4151', 'detail.merge_patch')
  if (!/^utf-?8$/i.test(parameters.get('charset') ?? 'utf-8')) {
    throw problem('4151', 'detail.charset')
  }
}

/** What bodies a route takes; one that it has no use for is read all the same. */
export function describeBody({ method, body }: Route): OpenApiFragment {
  if (method === 'GET') return {}
  if (!body) return { problems: ['4002', '4131', '4151', '4152'] }
  const missing = requiresSomething(body) ? (['4001'] as const) : []
  return {
    bodyTypes: method === 'PATCH' ? [mergePatchType, jsonType, xmlType] : [jsonType, xmlType],
    problems: [...missing, '4002', '4131', '4151', '4152', '4221'],
  }
}

function requiresSomething(schema: TSchema): boolean {
  const { required, properties, items, anyOf } = schema as {
    readonly required?: readonly string[]
    readonly properties?: Readonly<Record<string, TSchema>>
    readonly items?: TSchema
    readonly anyOf?: readonly TSchema[]
  }
  if (required && required.length > 0) return true
  const inner = [...Object.values(properties ?? {}), ...(items ? [items] : []), ...(anyOf ?? [])]
  return inner.some(requiresSomething)
}

/** Compiles the reader of a route's body; what does not fit is refused with 4001 or 4221. */
export function compileBody(
  { body: schema, accept }: Route,
  codecOptions: CodecOptions,
): ((body: unknown) => unknown) | undefined {
  if (!schema) return undefined
  const { decode } = compileCodec(schema, codecOptions)
  const required: readonly string[] = schema.required ?? []
  const optional = required.length === 0
  return (body) => {
    if (body === undefined && !optional) throw problem('4002', 'detail.empty_body')
    const issues: FieldIssue[] = []
    const decoded = decode(body === undefined ? {} : body, '', issues)
    if (issues.length > 0) throw fieldProblem(issues)
    return accept ? accept(decoded) : decoded
  }
}
