import { type Selectable, type SqlBool, sql } from 'kysely'
import { Type } from 'typebox'
import { nullable } from '#schema/words.ts'
import { type UserRow, users } from '#shop/accounts/users/table.ts'
import { isWithdrawn } from '#shop/working-key-store.ts'
import { type ColumnsOf, integer, type Row, text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { rowsFromJson } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { apiKeys } from './api-keys/table.ts'
import { knownNetworks } from './table.ts'

const accountColumns = users.schemasOf(['id', 'role', 'status', 'deleted_at', 'email_verified'])
const accountNames = sql`users.id, users.role, users.status, users.deleted_at,
  users.email_verified`

/** The columns of an account that decide whether its credentials are accepted, and the role. */
export type Account = Pick<UserRow, keyof typeof accountColumns>

/** An account and one of its sessions. */
export interface SessionHolder extends Account {
  /** Null when the user has no such session. */
  readonly session_id: number | null
  readonly ended_at: Instant | null
  readonly began_at: Instant | null
}

const holderBySession = prepareSql(
  (_: Db, param: { id: number; sessionId: number }) => sql`
    select ${accountNames}, sessions.id as session_id, sessions.ended_at,
      sessions.created_at as began_at
    from users left join sessions
      on sessions.user_id = users.id and sessions.id = ${param.sessionId}
    where users.id = ${param.id}`,
  {
    ...accountColumns,
    session_id: nullable(integer),
    ended_at: nullable(integer),
    began_at: nullable(integer),
  },
)

/** Returns an account, also a removed one, and one of its sessions, in one query. */
export const findSessionHolder = (
  db: Db,
  userId: number,
  sessionId: number,
): Promise<SessionHolder | undefined> => holderBySession.first(db, { id: userId, sessionId })

const holderColumns = {
  key_id: integer,
  ...apiKeys.schemasOf(['scopes', 'allowed_addresses', 'allowed_origins', 'last_used_at']),
  ...apiKeys.schemasOf(['rate_limit', 'rate_limit_key_id', 'parent_client_id']),
  ...{ key_expires_at: nullable(integer), secret_expires_at: nullable(integer) },
  /** True when the OAuth client that created the key, or its grant, no longer exists. */
  is_withdrawn: Type.Unsafe<SqlBool>({}),
}

/** An API key and its account, by one of the secrets of the key. */
export type KeyHolder = Account & Selectable<ColumnsOf<typeof holderColumns>>

const holderBySecret = prepareSql(
  (_: Db, { hash }: { hash: string }) => sql`
    select ${accountNames}, key_id, api_keys.scopes, allowed_addresses, allowed_origins,
      api_keys.expires_at as key_expires_at, api_key_secrets.expires_at as secret_expires_at,
      last_used_at, api_keys.rate_limit, api_keys.rate_limit_key_id, api_keys.parent_client_id,
      ${isWithdrawn} as is_withdrawn
    from api_key_secrets
    join api_keys on api_keys.id = api_key_secrets.key_id
    join users on users.id = api_keys.user_id
    where key_hash = ${hash}`,
  { ...accountColumns, ...holderColumns },
)

/** Returns the key with a secret of this hash, even an expired one, and its account, in one query. */
export const findKeyHolder = (db: Db, hash: string): Promise<KeyHolder | undefined> =>
  holderBySecret.first(db, { hash })

const insertNonceUse = prepareSql(
  (_: Db, param: { nonce: string; count: number; expiresAt: Instant }) => sql`
    insert into digest_nonces (nonce, count, expires_at)
    values (${param.nonce}, ${param.count}, ${param.expiresAt})
    on conflict (nonce) do update set count = excluded.count
      where digest_nonces.count < excluded.count
    returning nonce`,
  { nonce: text },
)

/** Records a use of a nonce; false when it was used with this count or a higher one before. */
export const spendNonce = async (
  db: Db,
  use: { readonly nonce: string; readonly count: number; readonly expiresAt: Instant },
): Promise<boolean> => (await insertNonceUse.first(db, use)) !== undefined

interface KeyUse {
  readonly id: number
  readonly at: Instant
}

const updateUses = prepareSql(
  (db: Db, { uses }: { uses: readonly KeyUse[] }) => sql`
    update api_keys set last_used_at = used.at
    from ${rowsFromJson(db, uses, { id: 'integer', at: 'integer' })} as used
    where api_keys.id = used.id and (last_used_at is null or last_used_at < used.at)`,
)

/** Records when API keys were last used; an earlier use than the recorded one changes nothing. */
export const recordUses = (db: Db, uses: readonly KeyUse[]): Promise<number> =>
  updateUses.run(db, { uses })

/** A network from which a user signed in with a password. */
export type KnownNetwork = Row<(typeof knownNetworks)['schemas']>

const networkFields = knownNetworks.kindsOf(['user_id', 'network', 'seen_at'])

// Without a WHERE clause, SQLite parses ON CONFLICT as the ON of a join.
const upsertNetworks = prepareSql(
  (db: Db, { rows }: { rows: readonly KnownNetwork[] }) => sql`
    insert into known_networks (user_id, network, seen_at)
    select user_id, network, seen_at from ${rowsFromJson(db, rows, networkFields)} as seen
    where user_id is not null
    on conflict (user_id, network) do update set seen_at = excluded.seen_at`,
)

/** Records networks of users; each pair of user and network may occur once. */
export const recordNetworks = (db: Db, rows: readonly KnownNetwork[]): Promise<number> =>
  upsertNetworks.run(db, { rows })

const newestNetworks = prepareSql(
  (_: Db, param: { userId: number; limit: number }) => sql`
    select network, seen_at from (
      select network, seen_at from known_networks where user_id = ${param.userId}
      union all select email_network, updated_at from users
        where id = ${param.userId} and email_network is not null) as known
    order by +seen_at desc limit ${param.limit}`,
  { network: text, seen_at: integer },
)

/** Returns the latest networks of a user, also that of an unconfirmed address, at most `limit`. */
export const networksForExport = (db: Db, userId: number, limit: number) =>
  newestNetworks.all(db, { userId, limit })

const deleteOldNetworks = prepareSql(
  (_: Db, { before }: { before: Instant }) =>
    sql`delete from known_networks where seen_at < ${before}`,
)

/** Deletes the networks without a sign-in since `before`; returns how many. */
export const deleteExpiredNetworks = (db: Db, before: Instant): Promise<number> =>
  deleteOldNetworks.run(db, { before })
