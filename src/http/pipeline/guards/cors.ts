import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type HeaderName, headerFields } from '#http/response/header-fields.ts'
import { alsoVaries } from '#http/response/vary.ts'

/** The origins whose pages may use the API: these, or those of everybody. */
export type Origins = '*' | readonly string[]

// What every page may read anyway (CORS protocol, "CORS-safelisted response-header name").
const safe = new Set(['Cache-Control', 'Expires', 'Last-Modified'])
// What clients send and the API never answers with.
const sentOnly = new Set([
  'Accept-Encoding',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Unmodified-Since',
  'Prefer',
])
// What browsers set themselves, or let every page send.
const setByBrowsers = new Set(['Accept-Encoding'])

const names = Object.keys(headerFields) as HeaderName[]
const exposed = names.filter((name) => !safe.has(name) && !sentOnly.has(name)).join(', ')
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'X-Request-Id',
  ...[...sentOnly].filter((name) => !setByBrowsers.has(name)),
].join(', ')
const preflightSeconds = 600

/**
 * Lets pages of these origins read answers (Fetch, "CORS protocol"). Credentials are sent in
 * Authorization, which a page sets itself, so that no answer allows cookies.
 */
export function allowOrigins(app: FastifyInstance, origins: Origins): void {
  if (origins.length === 0) return
  app.addHook('onRequest', ({ headers }, reply, done) => {
    const allowed = allowedOrigin(origins, headers.origin)
    if (allowed !== undefined) {
      reply.headers({
        'access-control-allow-origin': allowed,
        'access-control-expose-headers': exposed,
      })
    }
    done()
  })
  if (origins === '*') return
  // Of a refusal too, and of an answer to whoever has no origin.
  app.addHook('onSend', (_request, reply, payload, done) => {
    reply.header('vary', alsoVaries(reply.getHeader('vary'), 'Origin'))
    done(null, payload)
  })
}

function allowedOrigin(origins: Origins, origin: string | undefined): string | undefined {
  // Whoever asks: what a cache has kept of an answer to no page may go to one.
  if (origins === '*') return '*'
  if (origin === undefined) return undefined
  return origins.includes(origin) ? origin : undefined
}

/** The header fields by which a preflight of an allowed origin is answered; none for others. */
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
