import type {
  IncomingHttpHeaders,
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from 'node:http'
import type { FastifyInstance } from 'fastify'
import { withoutPrefix } from '#http/codec/versions.ts'
import type { Route } from '#http/declare/operation.ts'
import type { Load } from '#http/pipeline/guards/overload.ts'
import { freshTag } from '#http/pipeline/middleware/conditional.ts'
import type { LimitState, RequestCost } from '#http/rate-limit/middleware.ts'
import { hsts } from '#http/response/security-headers.ts'
import { requestProblem } from '#http/server/connection/request-validity.ts'
import { networkOf } from '#http/server/network/client-network.ts'
import { type HttpsPolicy, isTransportAllowed } from '#http/server/network/https-policy.ts'
import { clientBehind, isEncrypted } from '#http/server/network/proxies.ts'
import { pathOf, type Served } from '#http/server/observe-requests.ts'
import { requestId } from '#http/server/request-id.ts'
import type { Instant } from '#values/instant.ts'
import type { CachedResponse, ResponseCache } from './response-cache.ts'
import { keyOf } from './store-response.ts'

/** What a ready answer is served with. */
export interface Serving {
  readonly answers: ResponseCache
  readonly clock: () => Instant
  /** Counts a request against its caller; undefined where the route has no limit. */
  readonly costFor: (route: Route) => RequestCost | undefined
  readonly load?: Load | undefined
  readonly observe?: ((served: Served) => void) | undefined
  /** On which ways requests may come in; where a proxy is believed, it says who is calling and how. */
  readonly httpsPolicy: HttpsPolicy
}

/**
 * Answers what is ready before the router sees the request; everything else goes the usual way.
 * Nothing is decided here that is not decided there: the answers were made there, for the same
 * request but for what `isPlain` sends on.
 */
export function serveFromCache(app: FastifyInstance, serving: Serving): void {
  const { server } = app
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const goOn = (): void => {
      for (const listener of listeners) listener.call(server, request, response)
    }
    const caller = isPlain(request) ? callerOf(request, serving.httpsPolicy) : undefined
    const answer = caller && findCachedResponse(request, serving)
    if (caller && answer) deliver({ caller, answer, request, response, goOn }, serving)
    else goOn()
  })
}

/** True for a request that says nothing but what it wants and in which form. */
function isPlain(request: IncomingMessage): boolean {
  const { method, url = '', headers } = request
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers.authorization === undefined &&
    headers.origin === undefined &&
    headers['if-match'] === undefined &&
    headers['if-unmodified-since'] === undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    requestProblem(request, url) === undefined
  )
}

/** Who asks, and how the request came. */
interface Caller {
  readonly address: string
  readonly isSecure: boolean
}

/** The caller of a request that may be answered as it came; others may have to come again. */
function callerOf(request: IncomingMessage, httpsPolicy: HttpsPolicy): Caller | undefined {
  const { headers, socket } = request
  const address = socket.remoteAddress ?? ''
  const { trusts } = httpsPolicy
  if (!trusts || !carriesClientAddress(headers) || !trusts(address)) {
    return isTransportAllowed(httpsPolicy, request)
      ? { address, isSecure: isEncrypted(socket) }
      : undefined
  }
  if (headers['x-forwarded-proto'] !== 'https') return undefined
  return { address: clientBehind(address, headers['x-forwarded-for'], trusts), isSecure: true }
}

const carriesClientAddress = (headers: IncomingHttpHeaders): boolean =>
  headers['x-forwarded-for'] !== undefined || headers['x-forwarded-proto'] !== undefined

const findCachedResponse = ({ url = '', headers }: IncomingMessage, { answers, load }: Serving) =>
  load?.isOverloaded() === true ? undefined : answers.find(keyOf(url, headers))

interface Delivery {
  readonly caller: Caller
  readonly answer: CachedResponse
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Answers the usual way. */
  readonly goOn: () => void
}

function deliver(delivery: Delivery, serving: Serving): void {
  const { caller, answer, request, goOn } = delivery
  const startedAtMs = performance.now()
  const { headers } = request
  const fresh =
    headers['if-none-match'] === answer.etag
      ? answer.etag
      : freshTag(headers, answer.plainTag, answer.lastModified)
  // The client has it in another coding than this, or needs what only the usual way tells.
  if (fresh === undefined ? answer.body === undefined : fresh !== answer.etag) {
    goOn()
    return
  }
  const limitState: LimitState = { now: serving.clock() }
  const send = (): void => {
    if (fresh !== undefined) limitState.refund?.()
    write(delivery, limitState, fresh !== undefined, startedAtMs, serving)
  }
  const cost = serving.costFor(answer.route)
  try {
    const pending = cost?.(limitState, networkOf(caller.address))
    if (pending) pending.then(send, goOn)
    else send()
  } catch {
    // Who has no more requests to spend is told so the usual way, which costs nothing more.
    goOn()
  }
}

function write(
  { caller, answer, request, response }: Delivery,
  { headers }: LimitState,
  isUnchanged: boolean,
  startedAtMs: number,
  { observe }: Serving,
): void {
  const { method = 'GET', url = '' } = request
  const id = requestId(request)
  const lines = [...(isUnchanged ? answer.unchangedHead : answer.head), 'x-request-id', id]
  if (caller.isSecure) lines.push(...hsts)
  for (const name in headers) lines.push(name, headers[name] ?? '')
  const status = isUnchanged ? 304 : 200
  response.writeHead(status, lines)
  response.end(isUnchanged || method === 'HEAD' ? undefined : answer.body)
  if (!observe) return
  const milliseconds = performance.now() - startedAtMs
  const route = answer.route.path
  const path = pathOf(withoutPrefix(url))
  const { address } = caller
  observe({ method, path, route, status, milliseconds, requestId: id, address, userId: null })
}
