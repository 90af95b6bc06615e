import type { Actor } from '#http/declare/actor.ts'
import type { AuthenticationResult } from '#http/declare/authentication.ts'
import { languages } from '#i18n/languages.ts'
import { formatMessage } from '#i18n/message.ts'
import { type Authenticator, realm, requireActor } from '#shop/access/authentication.ts'
import type { Oauth } from '#shop/access/oauth/oauth.ts'
import { findSessionHolder, type SessionHolder } from '#shop/access/store.ts'
import type { Db } from '#store/database.ts'
import { dialectOf } from '#store/query/dialect.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import { Problem, problem } from '#values/problem.ts'
import type { AccessClaims } from './access-tokens.ts'

/** The server's own access tokens. */
interface BearerTokens {
  /** True for a token whose header is of this server; it is not tried as an OAuth token. */
  readonly isOwn: (token: string) => boolean
  readonly verify: (token: string, now: Instant) => Promise<AccessClaims>
}

/** Access tokens issued to OAuth clients. */
type BearerOauth = Pick<Oauth, 'identify' | 'security'>

/** A token that was sent and is invalid (RFC 6750 3.1); other 401 responses carry no `error`. */
class InvalidToken extends Problem {}

const toInvalidToken = (error: unknown): unknown =>
  error instanceof Problem && error.status === 401
    ? new InvalidToken(error.code, error.detail, error)
    : error

/** Characters that `error_description` may not contain (RFC 6750 3). */
const forbiddenInDescription = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g

const formatChallenge = (error: Problem): string => {
  const bare = `Bearer realm="${realm}"`
  if (!(error instanceof InvalidToken)) return bare
  const description = formatMessage(error.detail, languages.en).replaceAll(
    forbiddenInDescription,
    '',
  )
  return `${bare}, error="invalid_token", error_description="${description}"`
}

/**
 * Authenticates bearer tokens (RFC 6750). Reads account and session for every request, in one query,
 * so that a changed role, a suspension, a removal and signing out take effect at once.
 */
export const bearer = (tokens: BearerTokens, oauth?: BearerOauth): Authenticator => ({
  scheme: 'bearer',
  challenge: formatChallenge,
  scopeChallenge: (scope) =>
    `Bearer realm="${realm}", error="insufficient_scope", scope="${scope}"`,
  security: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The access token returned by POST /login (JWT, verified as RFC8725 says).',
    },
    ...oauth?.security,
  },
  identify: async (db, { text }, now, mayAssume) => {
    try {
      if (oauth && !tokens.isOwn(text)) return { actor: await oauth.identify(db, text, now) }
      const claims = await tokens.verify(text, now)
      return (mayAssume && assumeActor(db, claims)) || { actor: await loadActor(db, claims) }
    } catch (error) {
      throw toInvalidToken(error)
    }
  },
})

/** Account and session as they were when a token was last accepted; claims stay as long as tokens are cached. */
const lastHolders = new WeakMap<AccessClaims, SessionHolder>()

/**
 * Returns the caller that a token proved last, while account and session are read: on PostgreSQL, a write
 * need not wait for them.
 */
function assumeActor(db: Db, claims: AccessClaims): AuthenticationResult | undefined {
  const last = lastHolders.get(claims)
  if (!last || dialectOf(db) !== 'postgres') return undefined
  const confirm = async () => {
    const found = await findSessionHolder(db, claims.userId, claims.sessionId)
    const isSame = found !== undefined && isUnchanged(last, found)
    // Or else each further request would first be taken for one of the holder.
    if (!isSame) lastHolders.delete(claims)
    return isSame
  }
  return { actor: actorOf(claims, last), confirmation: confirm() }
}

async function loadActor(db: Db, claims: AccessClaims): Promise<Actor> {
  const tokenHolder = await findSessionHolder(db, claims.userId, claims.sessionId)
  const actor = actorOf(claims, tokenHolder)
  if (tokenHolder) lastHolders.set(claims, tokenHolder)
  return actor
}

function actorOf(
  { sessionId, scopes, id }: AccessClaims,
  tokenHolder: SessionHolder | undefined,
): Actor {
  const credential = {
    scheme: 'bearer',
    id,
    clientId: null,
    sessionId,
    authority: 'password',
    provedAt: tokenHolder?.began_at ?? 0,
  } as const
  const actor = requireActor(tokenHolder, credential, scopes)
  if (tokenHolder?.session_id !== sessionId || tokenHolder.ended_at !== null) {
    throw problem('4012', 'detail.ended_session')
  }
  return actor
}
