import type { Instant } from '#values/instant.ts'
import type { AccessClaims } from './access-tokens.ts'
import { type Authenticator, actorOf, realm } from './authentication.ts'
import type { Oauth } from './oauth/oauth.ts'
import { findAccount } from './store.ts'

/** The server's own access tokens. */
interface BearerTokens {
  /** True for what claims to be one of them, and is verified as nothing else. */
  readonly isOwn: (token: string) => boolean
  readonly verify: (token: string, now: Instant) => AccessClaims
}

/** The access tokens that OAuth clients are issued. */
type BearerOauth = Pick<Oauth, 'identify' | 'security'>

/**
 * Access tokens as bearer tokens (RFC 6750). What the token says of the role is never believed: the
 * account is asked for on every request, so that a suspension or removal holds at once.
 */
export const bearer = (tokens: BearerTokens, oauth?: BearerOauth): Authenticator => ({
  scheme: 'bearer',
  challenge: () => `Bearer realm="${realm}"`,
  security: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The token that POST /login answers with.',
    },
    ...oauth?.security,
  },
  identify: async (db, { text }, now) => {
    if (oauth && !tokens.isOwn(text)) return { actor: await oauth.identify(db, text, now) }
    const { userId, scopes, id } = tokens.verify(text, now)
    const credential = { scheme: 'bearer', id, clientId: null }
    return { actor: actorOf(await findAccount(db, userId), credential, scopes) }
  },
})
