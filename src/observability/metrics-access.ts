import { hash, timingSafeEqual } from 'node:crypto'
import type { RouteGuard } from '#http/declare/policy.ts'
import { isLoopback } from '#http/message/addresses.ts'
import { createMessage } from '#i18n/message.ts'
import { isLoopbackName } from '#values/loopback-name.ts'
import { Problem, problem } from '#values/problem.ts'

const challenge = { 'www-authenticate': 'Bearer realm="cartwright metrics"' }

/**
 * Returns the guard of GET /metrics: with a token, 401 without that bearer token; without one, 403 for
 * clients that are not on this machine, and for other hosts than this machine and that of `baseUrl`.
 */
export const metricsGuard = (token: string | undefined, baseUrl = ''): RouteGuard =>
  token === undefined ? localGuard(baseUrl) : tokenGuard(token)

const localGuard = (baseUrl: string): RouteGuard => ({
  check: (request) => {
    const isAllowed = isLocal(request) && isOwnHost(request, baseUrl)
    if (!isAllowed) throw problem('4031', 'detail.metrics_local')
  },
  accessDescription: 'Only for clients on this machine while METRICS_TOKEN is not set.',
  problems: ['4031'],
})

/** A name of another machine may lead here, so that a web page of it reads what a browser here may. */
function isOwnHost({ headers }: Parameters<RouteGuard['check']>[0], baseUrl: string): boolean {
  const sent = URL.parse(`http://${headers[':authority'] ?? headers['host']}`)?.hostname ?? ''
  return isLoopbackName(sent) || sent === URL.parse(baseUrl)?.hostname
}

/** A forwarding header means an untrusted proxy on this machine, whose clients may be remote. */
const isLocal = ({ ip, headers }: Parameters<RouteGuard['check']>[0]): boolean =>
  isLoopback(ip) &&
  ['forwarded', 'x-forwarded-for', 'x-real-ip'].every((name) => headers[name] === undefined)

function tokenGuard(token: string): RouteGuard {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  const expected = digest(token)
  return {
    check: ({ headers }) => {
      const [, sent] = /^bearer +(.+)$/i.exec(String(headers['authorization'] ?? '')) ?? []
      if (sent === undefined) {
        throw new Problem('4011', createMessage('detail.metrics_token'), { headers: challenge })
      }
      // Hashes have equal lengths, as timingSafeEqual requires.
      if (timingSafeEqual(digest(sent), expected)) return
      throw new Problem('4012', createMessage('detail.metrics_token'), { headers: challenge })
    },
    accessDescription: 'Requires the token of the METRICS_TOKEN setting.',
    problems: ['4011', '4012'],
    security: {
      'metrics-token': {
        type: 'http',
        scheme: 'bearer',
        description: 'The token of the METRICS_TOKEN setting.',
      },
    },
  }
}
