import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import type { Actor } from './actor.ts'
import type { Gate } from './exchange.ts'

/** What a request says about its caller. */
export interface Credentials {
  readonly authorization: string | undefined
}

/** A kind of credential in the words of OpenAPI 3.1. */
export interface SecurityScheme extends Readonly<Record<string, unknown>> {
  readonly type: 'http' | 'apiKey' | 'oauth2' | 'openIdConnect'
}

/** Tells who is calling. Implemented by the identity modules. */
export interface Authentication {
  /** One WWW-Authenticate challenge per enabled mechanism. */
  readonly challenges: readonly string[]
  /** The enabled mechanisms, by name. */
  readonly security?: Readonly<Record<string, SecurityScheme>>
  /** The caller that the credentials name; throws a Refusal (4012, 4013, 4032) for bad ones. */
  readonly identify: (db: Db, credentials: Credentials, now: Instant) => Promise<Actor>
}

/** Finds out who is calling; credentials that do not verify are refused on every route. */
export const authenticationGate = (authentication: Authentication): Gate => ({
  name: 'authentication',
  prepare({ access }) {
    if (access.kind === 'open') return undefined
    return {
      says: { refusals: ['4012', '4013', '4032'] },
      check: (exchange) => {
        const { authorization } = exchange.request.headers
        if (authorization === undefined) return
        return authentication
          .identify(exchange.ctx.db, { authorization }, exchange.now)
          .then((actor) => {
            exchange.actor = actor
            exchange.ctx = { ...exchange.ctx, actor }
          })
      },
    }
  },
})
