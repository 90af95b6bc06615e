import { type Authenticator, actorOf, realm } from '#auth/authentication.ts'
import type { Oauth } from '#auth/oauth/oauth.ts'
import { findSessionHolder } from '#auth/store.ts'
import type { Db } from '#db/database.ts'
import type { Actor } from '#http/declare/actor.ts'
import { languages } from '#i18n/languages.ts'
import { formatMessage } from '#i18n/message.ts'
import type { Instant } from '#values/instant.ts'
import { Problem, problem } from '#values/problem.ts'
import type { AccessClaims } from './access-tokens.ts'

/** The server's own access tokens. */
interface BearerTokens {
  /** True for what claims to be one of them, and is verified as nothing else. */
  readonly isOwn: (token: string) => boolean
  readonly verify: (token: string, now: Instant) => Promise<AccessClaims>
}

/** The access tokens that OAuth clients are issued. */
type BearerOauth = Pick<Oauth, 'identify' | 'security'>

/** A token that was sent and is not accepted (RFC 6750 3.1); other refusals with 401 name no error. */
class InvalidToken extends Problem {}

const invalidToken = (error: unknown): unknown =>
  error instanceof Problem && error.status === 401
    ? new InvalidToken(error.code, error.detail, error)
    : error

/** The characters that `error_description` may have (RFC 6750 3). */
const describable = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g

const challengeOf = (refused: Problem): string => {
  const bare = `Bearer realm="${realm}"`
  if (!(refused instanceof InvalidToken)) return bare
  const description = formatMessage(refused.detail, languages.en).replaceAll(describable, '')
  return `${bare}, error="invalid_token", error_description="${description}"`
}

/**
 * Access tokens as bearer tokens (RFC 6750). What the token says of the role is never believed: the
 * account and the session are asked for on every request, in one query, so that a suspension, a
 * removal and signing out hold at once.
 */
export const bearer = (tokens: BearerTokens, oauth?: BearerOauth): Authenticator => ({
  scheme: 'bearer',
  challenge: challengeOf,
  scopeChallenge: (scope) =>
    `Bearer realm="${realm}", error="insufficient_scope", scope="${scope}"`,
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
    try {
      const isOauth = oauth && !tokens.isOwn(text)
      const actor = isOauth
        ? await oauth.identify(db, text, now)
        : await tokenHolderOf(db, await tokens.verify(text, now))
      return { actor }
    } catch (error) {
      throw invalidToken(error)
    }
  },
})

async function tokenHolderOf(
  db: Db,
  { userId, sessionId, scopes, id }: AccessClaims,
): Promise<Actor> {
  const tokenHolder = await findSessionHolder(db, userId, sessionId)
  const proved = { scheme: 'bearer', id, clientId: null, sessionId, authority: 'password' } as const
  const actor = actorOf(tokenHolder, proved, scopes)
  if (tokenHolder?.session_id !== sessionId || tokenHolder.ended_at !== null) {
    throw problem('4012', 'detail.ended_session')
  }
  return actor
}
