import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Route } from '#http/declare/route.ts'
import { withoutApiKey } from '#http/exchange/api-key-location.ts'
import { type AddressMatcher, isLoopback } from '#http/message/addresses.ts'

/** The HTTPS listener of this process. */
export interface HttpsEndpoint {
  readonly port: number
  /** True for a host name or address that the certificate covers. */
  readonly coversHost: (host: string) => boolean
  /** A host name or address that the certificate covers. */
  readonly name: string
}

/** Which transports are allowed, and which proxies are trusted. */
export interface HttpsPolicy {
  /** Which clients may use plain HTTP: those on this machine, none, or all. */
  readonly plain: 'loopback' | 'redirect' | 'allow'
  /** True for the address of a trusted proxy; none by default. */
  readonly isTrustedProxy?: AddressMatcher
  readonly https?: HttpsEndpoint
  /** The setting BASE_URL. */
  readonly baseUrl?: string | undefined
}

/**
 * Redirects plain HTTP to the same path on HTTPS with 301, unless `plain` allows the client, or the
 * route its transport.
 */
export function redirectToHttps(
  app: FastifyInstance,
  httpsPolicy: HttpsPolicy,
  routes: readonly Route[],
): void {
  const allowedClients = new Map(
    routes.map(({ path, allowPlainHttpFrom }) => [path, allowPlainHttpFrom]),
  )
  app.addHook('onRequest', (request, reply, done) => {
    if (request.protocol === 'https' || isPlainAllowed(httpsPolicy, request)) return done()
    const isHere = isLoopback(request.ip) || request.ip === localAddressOf(request)
    const { url } = request.routeOptions
    const allowed = url === undefined ? undefined : allowedClients.get(url)
    if (allowed === 'anybody' || (allowed === 'loopback' && isHere)) return done()
    // The Location does not repeat an API key that was sent in the clear.
    const target = withoutApiKey(request.originalUrl)
    const path = target.startsWith('/') ? target : '/'
    // A cached 301 would outlive HSTS, so it must be revalidated.
    reply
      .code(301)
      .headers({ location: secureOrigin(httpsPolicy, request) + path, 'cache-control': 'no-cache' })
      .send()
  })
}

function isPlainAllowed(httpsPolicy: HttpsPolicy, request: FastifyRequest): boolean {
  if (httpsPolicy.plain !== 'loopback') return httpsPolicy.plain === 'allow'
  return isLoopback(request.ip) || (!httpsPolicy.https && isOfUnknownProtocol(httpsPolicy, request))
}

/** True for a request from a trusted proxy that does not send X-Forwarded-Proto. */
const isOfUnknownProtocol = (
  { isTrustedProxy }: HttpsPolicy,
  { headers, raw }: FastifyRequest,
): boolean =>
  headers['x-forwarded-proto'] === undefined &&
  isTrustedProxy?.(raw.socket.remoteAddress ?? '') === true

/**
 * The origin to redirect to: BASE_URL if it is https. Clients choose Host and X-Forwarded-Host, so
 * the requested host is used only if the certificate covers it or it is the local address.
 */
function secureOrigin({ https, baseUrl }: HttpsPolicy, request: FastifyRequest): string {
  if (baseUrl?.startsWith('https:')) return baseUrl
  const here = localAddressOf(request)
  if (!https) {
    return `https://${baseUrl === undefined ? bracketed(here) : new URL(baseUrl).hostname}`
  }
  const [, host = ''] = /^\[?([\w.:-]+)\]?$/.exec(request.hostname.toLowerCase()) ?? []
  const isCovered = host === 'localhost' || host === here || https.coversHost(host)
  const port = https.port === 443 ? '' : `:${https.port}`
  return `https://${isCovered ? bracketed(host) : https.name}${port}`
}

const localAddressOf = ({ raw }: FastifyRequest): string =>
  raw.socket.localAddress?.replace(/^::ffff:(?=\d+\.)/i, '') ?? 'localhost'

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)
