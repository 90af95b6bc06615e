import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type HeaderName, headerFields } from '#http/message/header-fields.ts'
import { addVary } from '#http/message/vary.ts'

/** The origins whose pages may use the API; `*` for all of them. */
export type Origins = '*' | readonly string[]

// Every page may read these (Fetch, "CORS-safelisted response-header name").
const safelisted = new Set(['Cache-Control', 'Expires', 'Last-Modified'])
// Request header fields that the API never sends.
const requestOnly = new Set([
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Unmodified-Since',
  'Last-Event-ID',
  'Prefer',
])

const names = Object.keys(headerFields) as HeaderName[]
const exposedHeaders = names
  .filter((name) => !safelisted.has(name) && !requestOnly.has(name))
  .join(', ')
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'X-Request-Id',
  ...requestOnly,
].join(', ')
const preflightSeconds = 600

/**
 * Allows pages of these origins to read responses (Fetch, "CORS protocol"). Pages set Authorization
 * themselves, so credentials mode (cookies) is never allowed.
 */
export function allowOrigins(app: FastifyInstance, origins: Origins): void {
  if (origins.length === 0) return
  app.addHook('onRequest', ({ headers }, reply, done) => {
    const allowed = allowedOrigin(origins, headers.origin)
    if (allowed !== undefined) {
      reply.headers({
        'access-control-allow-origin': allowed,
        'access-control-expose-headers': exposedHeaders,
      })
    }
    done()
  })
  if (origins === '*') return
  // On every response, also to requests without Origin, since caches store those too.
  app.addHook('onSend', (_request, reply, payload, done) => {
    reply.header('vary', addVary(reply.getHeader('vary'), 'Origin'))
    done(null, payload)
  })
}

function allowedOrigin(origins: Origins, origin: string | undefined): string | undefined {
  // Also without Origin: a cache may serve the response to a page later.
  if (origins === '*') return '*'
  if (origin === undefined) return undefined
  return origins.includes(origin) ? origin : undefined
}

/** The header fields of the response to a preflight; none for a disallowed origin. */
export function preflightResponse(
  { headers }: FastifyRequest,
  methods: string,
  origins: Origins,
): Readonly<Record<string, string>> {
  if (headers['access-control-request-method'] === undefined) return {}
  if (allowedOrigin(origins, headers.origin) === undefined) return {}
  return {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': allowedHeaders,
    'access-control-max-age': String(preflightSeconds),
    vary: 'Access-Control-Request-Method',
  }
}
