import type { Instant } from '#values/instant.ts'
import type { AccessClaims } from './access-tokens.ts'
import { type Authenticator, actorOf } from './authentication.ts'
import { findAccount } from './store.ts'

/**
 * Access tokens as bearer tokens (RFC 6750). What the token says of the role is never believed: the
 * account is asked for on every request, so that a suspension or removal holds at once.
 */
export const bearer = (tokens: {
  readonly verify: (token: string, now: Instant) => AccessClaims
}): Authenticator => ({
  scheme: 'bearer',
  challenge: 'Bearer realm="cartwright"',
  security: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token that POST /login answers with.',
  },
  identify: async (db, token, now) => {
    const { userId, scopes } = tokens.verify(token, now)
    return actorOf(await findAccount(db, userId), scopes)
  },
})
