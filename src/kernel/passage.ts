import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { withoutKey } from './api-key-places.ts'
import { isEncrypted, isLoopback, type Trust } from './proxies.ts'
import type { Route } from './verb.ts'

/** HTTPS as this process offers it itself. */
export interface OwnHttps {
  readonly port: number
  /** True for a name or address that its certificate vouches for. */
  readonly isOurs: (host: string) => boolean
  /** One of them. */
  readonly name: string
}

/** On which ways requests may come in. */
export interface Passage {
  /** Whom to answer over plain HTTP where there is HTTPS: this machine, or nobody. */
  readonly plain: 'loopback' | 'redirect'
  /** Which proxies are believed; none by default. */
  readonly trusts?: Trust
  readonly https?: OwnHttps
  /** Where clients reach the server, if that is set. */
  readonly baseUrl?: string | undefined
}

/** True where a request may be answered without a look at what proxies say of it. */
export const isWelcome = (
  { plain, https }: Passage,
  { socket }: Pick<IncomingMessage, 'socket'>,
): boolean =>
  isEncrypted(socket) ||
  (plain === 'loopback' && (!https || isLoopback(socket.remoteAddress ?? '')))

/**
 * Sends who comes over plain HTTP to the same path on HTTPS: everybody but this machine where this
 * process or a trusted proxy offers it, everybody where `plain` is `redirect`. Routes may be spared.
 */
export function redirectPlain(
  app: FastifyInstance,
  passage: Passage,
  routes: readonly Route[],
): void {
  const spared = new Map(routes.map(({ path, overPlainHttp }) => [path, overPlainHttp]))
  app.addHook('onRequest', (request, reply, done) => {
    if (request.protocol === 'https' || isServed(passage, request)) return done()
    const isHere = isLoopback(request.ip)
    const { url } = request.routeOptions
    const sparing = url === undefined ? undefined : spared.get(url)
    if (sparing === 'anybody' || (sparing === 'loopback' && isHere)) return done()
    // A key that came here for all to read is not to be sent once more.
    const target = withoutKey(request.originalUrl)
    const path = target.startsWith('/') ? target : '/'
    // What browsers remember of HTTPS is for HSTS to say; a redirect kept for good outlives it.
    reply
      .code(301)
      .headers({ location: secureOrigin(passage, request) + path, 'cache-control': 'no-cache' })
      .send()
  })
}

function isServed(passage: Passage, request: FastifyRequest): boolean {
  if (passage.plain === 'redirect') return false
  return isLoopback(request.ip) || !(passage.https || isBrought(passage, request))
}

/** True for a request that a trusted proxy has brought, and tells of how it came there. */
const isBrought = ({ trusts }: Passage, { headers, raw }: FastifyRequest): boolean =>
  headers['x-forwarded-proto'] !== undefined && trusts?.(raw.socket.remoteAddress ?? '') === true

/**
 * Where a request is to come again. Anybody may write anything into Host, so it is followed only
 * where it is ours: by the certificate, as the address that the request came to, or by the word of
 * a proxy where no BASE_URL says otherwise.
 */
function secureOrigin(passage: Passage, request: FastifyRequest): string {
  const { https, baseUrl } = passage
  const canonical = baseUrl?.startsWith('https:') ? baseUrl : undefined
  const host = /^(?:\[[\da-f:.]+\]|[\w.-]+)$/i.exec(request.hostname)?.[0].toLowerCase() ?? ''
  if (canonical !== undefined && new URL(canonical).hostname === host) return canonical
  const isProxied = isBrought(passage, request)
  const isOurs = isProxied ? !canonical && host !== '' : isOurName(passage, request, host)
  const port = isProxied || !https || https.port === 443 ? '' : `:${https.port}`
  if (isOurs) return `https://${host}${port}`
  return canonical ?? `https://${https?.name ?? 'localhost'}${port}`
}

function isOurName({ https }: Passage, { raw }: FastifyRequest, host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '')
  const here = raw.socket.localAddress?.replace(/^::ffff:(?=\d+\.)/i, '')
  return host === 'localhost' || plain === here || https?.isOurs(plain) === true
}
