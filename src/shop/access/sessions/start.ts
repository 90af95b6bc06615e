import { randomUUID } from 'node:crypto'
import type { Actor } from '#http/declare/actor.ts'
import type { Tokens } from '#shop/access/tokens/access-tokens.ts'
import { createActor, scopesOfRole } from '#shop/scopes.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { sessionExpiresAt } from './rules.ts'
import * as store from './store.ts'

/** A session that was started or renewed, with its tokens in plain text. */
export interface StartedSession {
  readonly user: Pick<store.Account, 'id' | 'role'>
  readonly sessionId: number
  readonly token: string
  readonly expiresInSeconds: number
  readonly refreshToken: string
}

/** Inserts a session of a user with its first refresh token; returns its ID. */
export async function insertSessionWithToken(
  db: Db,
  { userId, address, hash }: NewSession,
  now: Instant,
): Promise<number> {
  const expiresAt = sessionExpiresAt(now, now)
  const token = { hash, family: randomUUID(), userId, expiresAt }
  const sessionId = await store.insertSession(db, { ...token, address }, now)
  await store.insertRefreshToken(db, token, now)
  return sessionId
}

interface NewSession {
  readonly userId: number
  /** The client address. */
  readonly address: string | null
  /** The hash of the refresh token. */
  readonly hash: string
}

/** Issues the access token of a session. */
export async function issueTokens(
  tokens: Tokens,
  { user, sessionId }: SessionOfUser,
  refreshToken: string,
  now: Instant,
): Promise<StartedSession> {
  const { id, name, role } = user
  const issued = await tokens.issueAccessToken({ id, name, role, sessionId }, now)
  return { user: { id, role }, sessionId, ...issued, refreshToken }
}

interface SessionOfUser {
  readonly user: Pick<store.Account, 'id' | 'name' | 'role'>
  readonly sessionId: number
}

/** Returns the caller that the tokens of a session identify. */
export const actorOf = ({ user: { id, role }, sessionId }: StartedSession): Actor =>
  createActor({
    userId: id,
    role,
    scopes: new Set(scopesOfRole(role)),
    credential: { scheme: 'bearer', id: null, clientId: null, sessionId, authority: 'password' },
  })

/** Returns the public fields of the tokens of a session. */
export const presentTokens = ({ token, expiresInSeconds, refreshToken }: StartedSession) => ({
  token,
  token_type: 'Bearer',
  expires_in: expiresInSeconds,
  refresh_token: refreshToken,
})
