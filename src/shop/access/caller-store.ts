import { type SqlBool, sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '#http/declare/context.ts'
import { nullable } from '#schema/words.ts'
import { lockUser } from '#shop/accounts/users/store.ts'
import { users } from '#shop/accounts/users/table.ts'
import { apiKeyIdOf } from '#shop/key-id.ts'
import { isWithdrawn } from '#shop/working-key-store.ts'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { hashId } from './oauth/storage/adapter.ts'
import { findLiveAccessToken } from './oauth/store.ts'

interface CallerKey {
  readonly userId: number
  /** 0 for none, which no row has. */
  readonly sessionId: number
  readonly keyId: number
}

const callerState = prepareSql(
  (_: Db, { userId, sessionId, keyId }: CallerKey) => sql`
    select users.role, users.status, users.deleted_at, users.password_hash,
      coalesce(sessions.id, 0) as session_id, sessions.ended_at,
      coalesce(api_keys.id, 0) as key_id, api_keys.revoked_at, ${isWithdrawn} as is_withdrawn
    from users
    left join sessions on sessions.id = ${sessionId} and sessions.user_id = users.id
    left join api_keys on api_keys.id = ${keyId} and api_keys.user_id = users.id
    where users.id = ${userId}`,
  {
    ...users.schemasOf(['role', 'status', 'deleted_at', 'password_hash']),
    ...{ session_id: integer, ended_at: nullable(integer) },
    ...{ key_id: integer, revoked_at: nullable(integer), is_withdrawn: Type.Unsafe<SqlBool>({}) },
  },
)

type Caller = Pick<Context, 'db' | 'actor' | 'provedHash' | 'now'>

/**
 * True while the account of a caller is active and in the same role, has the
 * password that the request proves, and while the session, API key or token still works. With `locks`,
 * locks the account first, as whatever takes it from the caller does.
 */
export async function isCallerUnchanged(
  { db, actor, provedHash, now }: Caller,
  { locks }: { readonly locks: boolean },
): Promise<boolean> {
  const { userId, role, credential } = actor
  if (userId === null) return true
  if (locks) await lockUser(db, userId)
  const key = { userId, sessionId: credential?.sessionId ?? 0, keyId: apiKeyIdOf(actor) ?? 0 }
  const found = await callerState.first(db, key)
  if (found?.role !== role || found.status !== 'active' || found.deleted_at !== null) return false
  const proved = [provedHash, credential?.passwordHash].filter((hash) => hash !== undefined)
  if (proved.some((hash) => hash !== found.password_hash)) return false
  const isSame = found.session_id === key.sessionId && found.key_id === key.keyId
  if (!isSame || found.ended_at !== null || found.revoked_at !== null) return false
  return !found.is_withdrawn && isTokenLive({ db, actor, now })
}

/** True unless the caller has a token of an OAuth client that has been withdrawn. */
async function isTokenLive({
  db,
  actor: { credential },
  now,
}: Omit<Caller, 'provedHash'>): Promise<boolean> {
  if (credential === null || credential.clientId === null || credential.scheme !== 'bearer') {
    return true
  }
  return (await findLiveAccessToken(db, hashId(credential.id ?? ''), now)) !== undefined
}
