import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Route } from '#http/declare/route.ts'
import { withoutKey } from '#http/pipeline/guards/api-key-location.ts'
import { isLoopback, type Trust } from './proxies.ts'

/** HTTPS as this process offers it itself. */
export interface OwnHttps {
  readonly port: number
  /** True for a name or address that its certificate vouches for. */
  readonly isOwn: (host: string) => boolean
  /** One of them. */
  readonly name: string
}

/** On which ways requests may come in. */
export interface HttpsPolicy {
  /** Whom to answer over plain HTTP: this machine, nobody, or everybody. */
  readonly plain: 'loopback' | 'redirect' | 'allow'
  /** Which proxies are believed; none by default. */
  readonly trusts?: Trust
  readonly https?: OwnHttps
  /** Where clients reach the server, if that is set. */
  readonly baseUrl?: string | undefined
}

/**
 * Sends a request that came over plain HTTP to the same path on HTTPS with 301, unless `plain` lets
 * its client in. Routes may be spared.
 */
export function redirectPlain(
  app: FastifyInstance,
  httpsPolicy: HttpsPolicy,
  routes: readonly Route[],
): void {
  const spared = new Map(routes.map(({ path, overPlainHttp }) => [path, overPlainHttp]))
  app.addHook('onRequest', (request, reply, done) => {
    if (request.protocol === 'https' || isServed(httpsPolicy, request)) return done()
    const isHere = isLoopback(request.ip) || request.ip === localAddressOf(request)
    const { url } = request.routeOptions
    const sparing = url === undefined ? undefined : spared.get(url)
    if (sparing === 'anybody' || (sparing === 'loopback' && isHere)) return done()
    // A key that came here for all to read is not to be sent once more.
    const target = withoutKey(request.originalUrl)
    const path = target.startsWith('/') ? target : '/'
    // What browsers remember of HTTPS is for HSTS to say; a redirect kept for good outlives it.
    reply
      .code(301)
      .headers({ location: secureOrigin(httpsPolicy, request) + path, 'cache-control': 'no-cache' })
      .send()
  })
}

function isServed(httpsPolicy: HttpsPolicy, request: FastifyRequest): boolean {
  if (httpsPolicy.plain !== 'loopback') return httpsPolicy.plain === 'allow'
  return isLoopback(request.ip) || (!httpsPolicy.https && isOfSilentProxy(httpsPolicy, request))
}

/** True for a request of a trusted proxy that does not say how its client came. */
const isOfSilentProxy = ({ trusts }: HttpsPolicy, { headers, raw }: FastifyRequest): boolean =>
  headers['x-forwarded-proto'] === undefined && trusts?.(raw.socket.remoteAddress ?? '') === true

/**
 * Where a request is to come again: BASE_URL where that is set. Anybody may write anything into Host
 * and X-Forwarded-Host, so a name is followed only where our certificate vouches for it, or where it
 * is the address that the request came to.
 */
function secureOrigin({ https, baseUrl }: HttpsPolicy, request: FastifyRequest): string {
  if (baseUrl?.startsWith('https:')) return baseUrl
  const here = localAddressOf(request)
  if (!https)
    return `https://${baseUrl === undefined ? bracketed(here) : new URL(baseUrl).hostname}`
  const [, host = ''] = /^\[?([\w.:-]+)\]?$/.exec(request.hostname.toLowerCase()) ?? []
  const isOwn = host === 'localhost' || host === here || https.isOwn(host)
  const port = https.port === 443 ? '' : `:${https.port}`
  return `https://${isOwn ? bracketed(host) : https.name}${port}`
}

const localAddressOf = ({ raw }: FastifyRequest): string =>
  raw.socket.localAddress?.replace(/^::ffff:(?=\d+\.)/i, '') ?? 'localhost'

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)
