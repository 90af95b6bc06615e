import type { KeyObject } from 'node:crypto'
import { actorOf } from '#auth/authentication.ts'
import { createActor } from '#auth/scopes.ts'
import { badToken, type TokenKind, verifyToken } from '#auth/tokens/verification.ts'
import type { Db } from '#db/database.ts'
import type { Actor } from '#http/declare/actor.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { nameHash } from './payloads/adapter.ts'
import { type ActiveToken, findToken } from './store.ts'

/** What access tokens are verified with. */
export interface AccessTokenDependencies {
  readonly issuer: string
  readonly keys: { readonly find: (kid: string) => Promise<KeyObject | undefined> }
}

/** What a verified access token says. */
export interface TokenClaims {
  readonly jti: string
  readonly scopes: readonly string[]
  readonly expiresAt: Instant
}

/**
 * What an access token of OAuth says (RFC 9068 4): refused with 4012 when it is not ours, with 4013
 * from its `exp` on.
 */
export async function readToken(
  { issuer, keys }: AccessTokenDependencies,
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
  if (typeof jti !== 'string') throw badToken()
  return { jti, scopes: typeof scope === 'string' ? scope.split(' ') : [], expiresAt }
}

/**
 * The caller whom an access token of OAuth proves, with what the token, the client and the role of
 * the user all allow. What was issued, consented to or registered is asked for on every request, in
 * one query, so that it is refused as soon as any of it is withdrawn.
 */
export async function identifyByToken(
  dependencies: AccessTokenDependencies,
  db: Db,
  token: string,
  now: Instant,
): Promise<Actor> {
  const { jti, scopes, expiresAt } = await readToken(dependencies, token, now)
  const found = await findToken(db, nameHash(jti))
  if (!found || (found.grant_hash !== null && found.granted === null)) {
    throw problem('4012', 'detail.withdrawn_token')
  }
  const credential = {
    scheme: 'bearer',
    id: jti,
    clientId: found.client_id,
    grantHash: found.grant_hash,
    authority: { expiresAt, addresses: null, origins: null },
  }
  const allowed = found.client_scope.split(' ')
  const granted = scopes.filter((scope) => allowed.includes(scope))
  const account = accountIn(found)
  if (account) return actorOf(account, credential, granted)
  return createActor({ userId: null, role: null, scopes: new Set(granted), credential })
}

function accountIn({ user_id: id, role, status, deleted_at }: ActiveToken) {
  return id === null || role === null || status === null
    ? undefined
    : { id, role, status, deleted_at }
}
