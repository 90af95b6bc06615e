import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Route } from '#http/declare/operation.ts'
import { shared } from '#http/declare/policy.ts'
import type { Middleware } from '#http/pipeline/exchange.ts'
import { ttlOf } from '#http/pipeline/middleware/last-modified.ts'
import { headOf, type ResponseCache } from './response-cache.ts'

// What is another for them is told by the key, or the answer is not kept.
const foreseen = new Set(['Accept', 'Accept-Encoding', 'Authorization', 'Origin'])

/** By what an answer is found again: all that it may depend on, for a caller who is not known. */
export const keyOf = (address: string, headers: FastifyRequest['headers']): string =>
  `${address}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}`

/** True for a route whose answers to callers that are not known may be kept. */
const isCacheable = ({ method, cache, resource }: Route): boolean =>
  method === 'GET' && cache === shared && resource.kind !== 'document'

/** Marks the answers that may be kept, from before the database is read. */
export const cacheResponseMiddleware = (answers: ResponseCache): Middleware => ({
  name: 'ready answers',
  prepare(route) {
    if (!isCacheable(route)) return undefined
    return {
      fragment: {},
      step: async (exchange, next) => {
        if (exchange.actor.role !== null || exchange.request.method !== 'GET') return next()
        const mark = answers.mark()
        const answer = await next()
        const names = answer.cacheTags?.()
        const plainTag = answer.headers['etag']
        const { lastModified } = answer
        if (names && plainTag !== undefined) {
          const ttlMs = ttlOf(lastModified, exchange.now)
          exchange.cacheEntry = { names, mark, plainTag, lastModified, ttlMs }
        }
        return answer
      },
    }
  },
})

/** The hook of a route that keeps its answers, as they have just been made, where they may be. */
export const storeResponses = (
  answers: ResponseCache,
  route: Route,
): { readonly onSend?: onSendHookHandler } =>
  isCacheable(route)
    ? {
        onSend: (request, reply, payload, done) => {
          storeResponse(answers, request, reply, payload)
          done()
        },
      }
    : {}

function storeResponse(
  answers: ResponseCache,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): void {
  const { headers, originalUrl } = request
  // What is answered before the route's own hooks has no exchange, whatever the declaration says.
  const exchange = request.exchange as FastifyRequest['exchange'] | undefined
  if (!exchange?.cacheEntry || headers.origin !== undefined) return
  const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : undefined
  if (reply.statusCode !== (body === undefined ? 304 : 200)) return
  const key = keyOf(originalUrl, headers)
  if (!answers.isWanted(key) || (body === undefined && answers.find(key))) return
  const sent = reply.getHeaders()
  const isForeseen = String(sent['vary'])
    .split(', ')
    .every((name) => foreseen.has(name))
  if (!isForeseen || sent['set-cookie'] !== undefined) return
  const { cacheEntry, route } = exchange
  const { names, mark, plainTag, lastModified, ttlMs } = cacheEntry
  const answer = {
    ...headOf(sent, body),
    route,
    body,
    plainTag,
    etag: String(sent['etag']),
    lastModified,
    ttlMs,
  }
  answers.keep(key, answer, names, mark)
}
