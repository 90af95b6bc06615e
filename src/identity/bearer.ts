import type { Instant } from '#values/instant.ts'
import { refusal } from '#values/refusal.ts'
import type { AccessClaims } from './access-tokens.ts'
import { type Authenticator, actorOf, realm } from './authentication.ts'
import type { Oauth } from './oauth/oauth.ts'
import { findSessionHolder } from './store.ts'

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
 * account and the session are asked for on every request, in one query, so that a suspension, a
 * removal and signing out hold at once.
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
    const { userId, sessionId, scopes, id } = tokens.verify(text, now)
    const holder = await findSessionHolder(db, userId, sessionId)
    const proved = {
      scheme: 'bearer',
      id,
      clientId: null,
      sessionId,
      authority: 'password',
    } as const
    const actor = actorOf(holder, proved, scopes)
    if (holder?.session_id !== sessionId || holder.ended_at !== null) {
      throw refusal('4012', 'detail.ended_session')
    }
    return { actor }
  },
})
