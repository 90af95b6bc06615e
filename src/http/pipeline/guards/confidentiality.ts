import type { Route } from '#http/declare/route.ts'
import { apiKeyInQuery } from '#http/exchange/api-key-location.ts'
import type { Exchange } from '#http/exchange/exchange.ts'
import { ignoresCredentials, ignoresEveryCredential } from '#http/exchange/ignored-credentials.ts'
import type { Guard } from '#http/exchange/step.ts'
import { isSecureTransport } from '#http/message/addresses.ts'
import { objectShapeOf } from '#schema/shape.ts'
import { problem } from '#values/problem.ts'

/**
 * Throws 403/4031 for a secret over plain HTTP from another machine: a credential of any scheme, or
 * a body whose schema has a password or token. The body is not read then.
 */
export const confidentialityGuard: Guard<Exchange> = {
  name: 'confidentiality',
  prepare(route) {
    const acceptsSecret = acceptsSecretBody(route)
    if (ignoresEveryCredential(route.access) && !acceptsSecret) return undefined
    return {
      fragment: { problems: ['4031'] },
      check: (exchange) => {
        const isSecret = !ignoresCredentials(exchange) && carriesCredential(exchange)
        if (acceptsSecret || isSecret) requireSecureTransport(exchange.request)
      },
    }
  },
}

/** Throws 403/4031 for a request that came over plain HTTP from another machine. */
export function requireSecureTransport(request: Parameters<typeof isSecureTransport>[0]): void {
  if (!isSecureTransport(request)) throw problem('4031', 'detail.insecure')
}

const acceptsSecretBody = ({ body }: Route): boolean =>
  body !== undefined && objectShapeOf(body).members.some(({ shape }) => shape.schema.writeOnly)

const carriesCredential = ({ request, bodyApiKey }: Exchange): boolean =>
  request.headers.authorization !== undefined ||
  bodyApiKey !== undefined ||
  apiKeyInQuery(request) !== undefined
