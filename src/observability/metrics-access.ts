import { hash, timingSafeEqual } from 'node:crypto'
import type { RouteGuard } from '#http/declare/policy.ts'
import { isLoopback } from '#http/server/network/proxies.ts'
import { createMessage } from '#i18n/message.ts'
import { Problem, problem } from '#values/problem.ts'

const challenge = { 'www-authenticate': 'Bearer realm="cartwright metrics"' }

/**
 * Lets in whoever sends the token as a bearer token, else 401; without a token, clients of the
 * loopback address alone, else 403.
 */
export const metricsGuard = (token: string | undefined): RouteGuard =>
  token === undefined ? localGuard : tokenGuard(token)

const localGuard: RouteGuard = {
  check: (request) => {
    if (!isLocal(request)) throw problem('4031', 'detail.metrics_local')
  },
  admits: 'For clients of this machine, while no token is set.',
  problems: ['4031'],
}

/** A proxy of this machine that is not trusted passes on clients of anywhere. */
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
      // Hashes have one length, and take the same time to compare.
      if (timingSafeEqual(digest(sent), expected)) return
      throw new Problem('4012', createMessage('detail.metrics_token'), { headers: challenge })
    },
    admits: 'For whoever holds the token of the setting METRICS_TOKEN.',
    problems: ['4011', '4012'],
    security: {
      'metrics-token': {
        type: 'http',
        scheme: 'bearer',
        description: 'The token of the setting METRICS_TOKEN.',
      },
    },
  }
}
