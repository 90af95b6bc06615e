import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { type FieldIssue, fieldRefusal, refusal } from '#values/refusal.ts'
import { compileCodec, type Dialect } from './codec.ts'
import type { Says } from './exchange.ts'
import type { Route } from './verb.ts'

declare module 'fastify' {
  interface FastifyRequest {
    bodyText: string
  }
}

/** The largest body accepted, in bytes. */
export const bodyLimitBytes = 1_048_576

const jsonType = 'application/json'
const mergePatchType = 'application/merge-patch+json'

/** Reads JSON bodies; an empty body is undefined, a malformed one is refused with 400/4002. */
export function acceptJson(app: FastifyInstance): void {
  app.decorateRequest('bodyText', '')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    [jsonType, mergePatchType],
    { parseAs: 'string' },
    (request, text, done) => {
      request.bodyText = text as string
      try {
        done(null, text === '' ? undefined : JSON.parse(text as string))
      } catch {
        done(refusal('4002', 'detail.malformed_json'))
      }
    },
  )
}

/** What bodies a route takes; one that it has no use for is read all the same. */
export function sayBody({ method, body }: Route): Says {
  if (method === 'GET') return {}
  if (!body) return { refusals: ['4002', '4131', '4151'] }
  const missing = requiresSomething(body) ? (['4001'] as const) : []
  return {
    bodyTypes: method === 'PATCH' ? [mergePatchType, jsonType] : [jsonType],
    refusals: [...missing, '4002', '4131', '4151', '4221'],
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
  { body: schema }: Route,
  dialect: Dialect,
): ((body: unknown) => unknown) | undefined {
  if (!schema) return undefined
  const { decode } = compileCodec(schema, dialect)
  const required: readonly string[] = schema.required ?? []
  const optional = required.length === 0
  return (body) => {
    if (body === undefined && !optional) throw refusal('4002', 'detail.empty_body')
    const issues: FieldIssue[] = []
    const decoded = decode(body ?? {}, '', issues)
    if (issues.length > 0) throw fieldRefusal(issues)
    return decoded
  }
}
