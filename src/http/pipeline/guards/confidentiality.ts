import type { Route } from '#http/declare/operation.ts'
import type { Exchange, Gate } from '#http/pipeline/exchange.ts'
import { isConfidential } from '#http/server/network/proxies.ts'
import { refusal } from '#values/problem.ts'
import { keyInQuery } from './api-key-location.ts'

/**
 * 403/4031 for a secret that came over plain HTTP from another machine: a credential of any scheme, or
 * a body whose schema has a password or token, which is refused before it is read.
 */
export const confidentialityGate: Gate = {
  name: 'confidentiality',
  prepare(route) {
    const takesSecret = takesSecretBody(route)
    if (route.access.kind === 'open' && !takesSecret) return undefined
    return {
      says: { refusals: ['4031'] },
      check: (exchange) => {
        if (takesSecret || carriesCredential(exchange)) requireConfidential(exchange.request)
      },
    }
  },
}

/** Throws 403/4031 for a request that came over plain HTTP from another machine. */
export function requireConfidential(request: Parameters<typeof isConfidential>[0]): void {
  if (!isConfidential(request)) throw refusal('4031', 'detail.insecure')
}

const takesSecretBody = ({ body }: Route): boolean =>
  Object.values(body?.properties ?? {}).some((field) => 'writeOnly' in field)

const carriesCredential = ({ request, keyInBody }: Exchange): boolean =>
  request.headers.authorization !== undefined ||
  keyInBody !== undefined ||
  keyInQuery(request) !== undefined
