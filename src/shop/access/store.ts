import type { SqlBool } from 'kysely'
import type { Actor, Role } from '#http/declare/actor.ts'
import { apiKeyIdOf } from '#shop/key-id.ts'
import { isWithdrawn } from '#shop/working-key-store.ts'
import type { Db } from '#store/database.ts'
import { rowsFromJson, withoutIndex } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { knownNetworks } from './table.ts'

/** The columns of an account that decide whether its credentials are accepted, and the role. */
export interface Account {
  readonly id: number
  readonly role: Role
  readonly status: 'active' | 'suspended'
  readonly deleted_at: number | null
}

const accountColumns = ['users.id', 'users.role', 'users.status', 'users.deleted_at'] as const

/** An account and one of its sessions. */
export interface SessionHolder extends Account {
  /** Null when the user has no such session. */
  readonly session_id: number | null
  readonly ended_at: Instant | null
}

const holderBySession = prepareQuery((db: Db, param: { id: number; sessionId: number }) =>
  db
    .selectFrom('users')
    .leftJoin('sessions', (join) =>
      join.onRef('sessions.user_id', '=', 'users.id').on('sessions.id', '=', param.sessionId),
    )
    .select([...accountColumns, 'sessions.id as session_id', 'sessions.ended_at'])
    .where('users.id', '=', param.id),
)

/** Returns an account, also a removed one, and one of its sessions, in one query. */
export const findSessionHolder = (
  db: Db,
  id: number,
  sessionId: number,
): Promise<SessionHolder | undefined> => holderBySession.first(db, { id, sessionId })

interface CallerKey {
  readonly userId: number
  /** 0 for none, which no row has. */
  readonly sessionId: number
  readonly keyId: number
}

const callerState = prepareQuery((db: Db, param: CallerKey) =>
  db
    .selectFrom('users')
    .leftJoin('sessions', (join) => join.on('sessions.id', '=', param.sessionId))
    .leftJoin('api_keys', (join) => join.on('api_keys.id', '=', param.keyId))
    .select([...accountColumns, 'sessions.ended_at', 'api_keys.revoked_at'])
    .where('users.id', '=', param.userId),
)

/**
 * True while the account of a caller is active in the same role, and its session and API key have
 * not ended.
 */
export async function isCallerUnchanged(db: Db, actor: Actor): Promise<boolean> {
  const { userId, role, credential } = actor
  if (userId === null) return true
  const sessionId = credential?.sessionId ?? 0
  const found = await callerState.first(db, { userId, sessionId, keyId: apiKeyIdOf(actor) ?? 0 })
  if (found?.role !== role || found.status !== 'active') return false
  return found.deleted_at === null && found.ended_at === null && found.revoked_at === null
}

/** An API key and its account, by one of the secrets of the key. */
export interface KeyHolder extends Account {
  readonly key_id: number
  readonly scopes: string
  readonly allowed_addresses: string | null
  readonly allowed_origins: string | null
  readonly key_expires_at: Instant | null
  readonly secret_expires_at: Instant | null
  readonly last_used_at: Instant | null
  readonly rate_limit: string | null
  /** The key whose rate limit this one shares; null for its own. */
  readonly rate_limit_key_id: number | null
  /** The OAuth client that created the key; null for any other key. */
  readonly parent_client_id: string | null
  /** True, or 1 on SQLite, when that client or its grant no longer exists. */
  readonly is_withdrawn: SqlBool
}

const holderBySecret = prepareQuery((db: Db, param: { hash: string }) =>
  db
    .selectFrom('api_key_secrets')
    .innerJoin('api_keys', 'api_keys.id', 'api_key_secrets.key_id')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select([
      ...accountColumns,
      'api_keys.parent_client_id',
      isWithdrawn.as('is_withdrawn'),
      'key_id',
      'api_keys.scopes',
      'allowed_addresses',
      'allowed_origins',
      'api_keys.expires_at as key_expires_at',
      'api_key_secrets.expires_at as secret_expires_at',
      'last_used_at',
      'api_keys.rate_limit',
      'api_keys.rate_limit_key_id',
    ])
    .where('key_hash', '=', param.hash),
)

/** Returns the key with a secret of this hash, even an expired one, and its account, in one query. */
export const findKeyHolder = (db: Db, hash: string): Promise<KeyHolder | undefined> =>
  holderBySecret.first(db, { hash })

const insertNonceUse = prepareQuery(
  (db: Db, param: { nonce: string; count: number; expiresAt: Instant }) =>
    db
      .insertInto('digest_nonces')
      .values({ nonce: param.nonce, count: param.count, expires_at: param.expiresAt })
      .onConflict((conflict) =>
        conflict
          .column('nonce')
          .doUpdateSet((eb) => ({ count: eb.ref('excluded.count') }))
          .whereRef('digest_nonces.count', '<', 'excluded.count'),
      )
      .returning('nonce'),
)

/** Records a use of a nonce; false when it was used with this count or a higher one before. */
export const spendNonce = async (
  db: Db,
  use: { readonly nonce: string; readonly count: number; readonly expiresAt: Instant },
): Promise<boolean> => (await insertNonceUse.first(db, use)) !== undefined

const updateUses = prepareQuery(
  (db: Db, param: { uses: readonly { readonly id: number; readonly at: Instant }[] }) =>
    db
      .updateTable('api_keys')
      .from(rowsFromJson(db, param.uses, { id: 'integer', at: 'integer' }).as('used'))
      .set((eb) => ({ last_used_at: eb.ref('used.at') }))
      .whereRef('api_keys.id', '=', 'used.id')
      .where((eb) =>
        eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', eb.ref('used.at'))]),
      ),
)

/** Records when API keys were last used; an earlier use than the recorded one changes nothing. */
export const recordUses = (
  db: Db,
  uses: readonly { readonly id: number; readonly at: Instant }[],
): Promise<number> => updateUses.run(db, { uses })

/** A network from which a user signed in with a password. */
export interface KnownNetwork {
  readonly user_id: number
  readonly network: string
  readonly seen_at: Instant
}

const upsertNetworks = prepareQuery((db: Db, param: { rows: readonly KnownNetwork[] }) =>
  db
    .insertInto('known_networks')
    .columns(['user_id', 'network', 'seen_at'])
    .expression(
      db
        .selectFrom(
          rowsFromJson(db, param.rows, {
            user_id: 'integer',
            network: 'text',
            seen_at: 'integer',
          }).as('seen'),
        )
        .select(['seen.user_id', 'seen.network', 'seen.seen_at'])
        // Without a WHERE clause, SQLite parses ON CONFLICT as the ON of a join.
        .where('seen.user_id', 'is not', null),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'network'])
        .doUpdateSet((eb) => ({ seen_at: eb.ref('excluded.seen_at') })),
    ),
)

/** Records networks of users; each pair of user and network may occur once. */
export const recordNetworks = (db: Db, rows: readonly KnownNetwork[]): Promise<number> =>
  upsertNetworks.run(db, { rows })

/** True when the user has signed in from the network. */
export const hasNetwork = async (db: Db, userId: number, network: string): Promise<boolean> =>
  (await knownNetworks.find(db, { user_id: userId, network })) !== undefined

const newestNetworks = prepareQuery((db: Db, param: { userId: number; limit: number }) =>
  db
    .selectFrom('known_networks')
    .select(['network', 'seen_at'])
    .where('user_id', '=', param.userId)
    .orderBy(withoutIndex('seen_at'), 'desc')
    .limit(param.limit),
)

/** Returns the latest networks of a user, at most `limit`. */
export const networksForExport = (db: Db, userId: number, limit: number) =>
  newestNetworks.all(db, { userId, limit })

const deleteOldNetworks = prepareQuery((db: Db, param: { before: Instant }) =>
  db.deleteFrom('known_networks').where('seen_at', '<', param.before),
)

/** Deletes the networks without a sign-in since `before`; returns how many. */
export const deleteExpiredNetworks = (db: Db, before: Instant): Promise<number> =>
  deleteOldNetworks.run(db, { before })
