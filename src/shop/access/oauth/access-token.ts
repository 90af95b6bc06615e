import type { KeyObject } from 'node:crypto'
import type { Actor } from '#http/declare/actor.ts'
import { requireActor } from '#shop/access/authentication.ts'
import {
  invalidTokenProblem,
  type TokenKind,
  verifyToken,
} from '#shop/access/tokens/verification.ts'
import { createActor } from '#shop/scopes.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { consoleClientId, consoleScopes } from './console-client.ts'
import { hashId } from './storage/adapter.ts'
import { findLiveAccessToken, type StoredAccessToken } from './store.ts'

/** The issuer and keys that access tokens are verified with. */
export interface AccessTokenParts {
  readonly issuer: string
  readonly keys: { readonly find: (kid: string) => Promise<KeyObject | undefined> }
}

/** What the callers of access tokens are identified with. */
export interface IdentityParts extends AccessTokenParts {
  /** Whether the console is a client. */
  readonly hasConsole: boolean
}

/** The verified claims of an access token. */
export interface TokenClaims {
  readonly jti: string
  readonly scopes: readonly string[]
  readonly expiresAt: Instant
}

/**
 * Verifies an OAuth access token (RFC 9068 4) and returns its claims. Throws 4012 when it is not of
 * this server, 4013 when it has expired.
 */
export async function verifyOauthToken(
  { issuer, keys }: AccessTokenParts,
  token: string,
  now: Instant,
): Promise<TokenClaims> {
  const kind: TokenKind = {
    algorithm: 'RS256',
    typ: 'at+jwt',
    findKey: keys.find,
    issuerFor: () => issuer,
  }
  const { claims, expiresAt } = await verifyToken(kind, token, now)
  const { jti, scope } = claims
  if (typeof jti !== 'string') throw invalidTokenProblem()
  return { jti, scopes: typeof scope === 'string' ? scope.split(' ') : [], expiresAt }
}

/**
 * Returns the caller of an OAuth access token, with the scopes that token, client and role all allow.
 * Reads token, consent and client on every request, in one query, so that revoking any of them takes
 * effect at once.
 */
export async function identifyByToken(
  { hasConsole, ...parts }: IdentityParts,
  db: Db,
  token: string,
  now: Instant,
): Promise<Actor> {
  const { jti, scopes, expiresAt } = await verifyOauthToken(parts, token, now)
  const found = await findLiveAccessToken(db, hashId(jti), now)
  if (!found) throw problem('4012', 'detail.withdrawn_token')
  const credential = {
    scheme: 'bearer',
    id: jti,
    clientId: found.client_id,
    grantHash: found.grant_hash,
    authority: { expiresAt, addresses: null, origins: null },
  }
  const allowed =
    found.client_id === consoleClientId && hasConsole
      ? consoleScopes
      : found.client_scope?.split(' ')
  if (!allowed) throw problem('4012', 'detail.withdrawn_token')
  const granted = scopes.filter((scope) => allowed.some((each) => each === scope))
  const account = accountOf(found)
  if (account) return requireActor(account, credential, granted)
  return createActor({ userId: null, role: null, scopes: new Set(granted), credential }, true)
}

function accountOf({ user_id: id, role, status, deleted_at, email_verified }: StoredAccessToken) {
  return id === null || role === null || status === null || email_verified === null
    ? undefined
    : { id, role, status, deleted_at, email_verified }
}
