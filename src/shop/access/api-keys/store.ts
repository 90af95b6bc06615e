import { sql } from 'kysely'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { asBigint, idInQuery } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import type { Grant } from './rules.ts'
import type { ApiKeyFilters } from './schema.ts'
import { type ApiKeyRow, apiKeySecrets, apiKeys } from './table.ts'

/** The stored form of a secret: its hash and its first characters. */
export interface StoredSecret {
  readonly hash: string
  readonly prefix: string
}

/** The credential a key was created with, whose revocation revokes the key, and its rate limit. */
export type KeyOrigin = Pick<
  ApiKeyRow,
  'parent_id' | 'parent_client_id' | 'parent_grant_hash' | 'rate_limit' | 'rate_limit_key_id'
>

/** Returns one page of the active keys that match all filters. */
export async function listKeys(
  db: Db,
  { user_id }: ApiKeyFilters,
  page: PageRequest,
): Promise<PageResult<ApiKeyRow>> {
  let query = db.selectFrom('api_keys').where('revoked_at', 'is', null)
  if (user_id !== undefined) query = query.where('user_id', '=', user_id)
  const columns = {
    id: 'id',
    name: 'name_sort',
    created_at: 'created_at',
    updated_at: 'updated_at',
  } as const
  const found = await paginate(db, query, columns, page, (rows) => rows.selectAll('api_keys'), {
    isFew: user_id !== undefined,
  })
  return { ...found, rows: found.rows.map((row) => apiKeys.fromDatabase(row)) }
}

const countByUser = prepareSql(
  (_: Db, { userId, now }: { userId: number; now: Instant }) => sql`
    select count(*) as number from api_keys
    where user_id = ${userId} and revoked_at is null
      and (expires_at is null or expires_at > ${now})`,
  { number: integer },
)

/** Returns how many keys of a user are accepted. */
export const countKeys = async (db: Db, userId: number, now: Instant): Promise<number> =>
  (await countByUser.first(db, { userId, now }))?.number ?? 0

/** Inserts a key and the hash of its secret. */
export async function insertKey(
  db: Db,
  key: {
    readonly user_id: number
    readonly name: string
    readonly grant: Grant
    readonly origin: KeyOrigin
  },
  { hash, prefix }: StoredSecret,
  now: Instant,
): Promise<ApiKeyRow> {
  const { user_id, name, grant, origin } = key
  const { scopes, expires_at, allowed_addresses, allowed_origins } = grant
  const row = await apiKeys.insert(db, {
    ...{ user_id, name, prefix },
    ...{ scopes, expires_at, allowed_addresses, allowed_origins },
    ...origin,
    ...{ created_at: now, updated_at: now },
  })
  await apiKeySecrets.insert(db, { key_hash: hash, key_id: row.id, created_at: now })
  return row
}

const deleteSecrets = prepareSql(
  (_: Db, { keyId, until, now }: { keyId: number; until: Instant; now: Instant }) => sql`
    delete from api_key_secrets
    where key_id = ${keyId} and (expires_at <= ${now} or ${asBigint(until)} <= ${now})`,
)

const expireSecrets = prepareSql(
  (_: Db, { keyId, until }: { keyId: number; until: Instant }) => sql`
    update api_key_secrets set expires_at = ${until}
    where key_id = ${keyId} and (expires_at is null or expires_at > ${until})`,
)

/** Adds a secret to a key; earlier secrets expire at `until` at the latest. */
export async function replaceSecret(
  db: Db,
  { id, revision }: ApiKeyRow,
  { hash, prefix }: StoredSecret,
  { until, now }: { readonly until: Instant; readonly now: Instant },
): Promise<ApiKeyRow> {
  const row = await apiKeys.save(db, { id, revision }, { prefix, revoked_at: null }, now)
  await deleteSecrets.run(db, { keyId: id, until, now })
  await expireSecrets.run(db, { keyId: id, until })
  await apiKeySecrets.insert(db, { key_hash: hash, key_id: id, created_at: now })
  return row
}

/** Revokes a key and deletes its secrets. Throws StaleWriteError when the key has changed. */
export async function revokeKey(db: Db, key: ApiKeyRow, now: Instant): Promise<void> {
  await apiKeys.save(db, key, { revoked_at: now }, now)
  await deleteSecrets.run(db, { keyId: key.id, until: now, now })
}

/**
 * Updates a key to its next revision, if anything has changed. Throws StaleWriteError when the key has
 * changed meanwhile.
 */
export async function saveKey(
  db: Db,
  current: ApiKeyRow,
  change: Partial<Pick<ApiKeyRow, 'name' | 'rate_limit' | 'rate_limit_key_id'>>,
  now: Instant,
): Promise<ApiKeyRow> {
  if (isUnchanged(current, change)) return current
  return await apiKeys.save(db, current, change, now)
}

const descendantsOf = prepareSql(
  (db: Db, { parentId }: { parentId: number }) => sql`
    with recursive descendants as (
      select id from api_keys where parent_id = ${parentId}
      union
      select api_keys.id from api_keys join descendants on descendants.id = api_keys.parent_id)
    select * from api_keys
    where ${idInQuery(db, 'api_keys.id', sql`(select descendants.id from descendants)`)}
      and revoked_at is null`,
  apiKeys.schemas,
)

/** Returns the active keys created with a key, directly or not, in the order of their IDs. */
export async function findDescendants(db: Db, parentId: number): Promise<readonly ApiKeyRow[]> {
  const rows = await descendantsOf.all(db, { parentId })
  return rows.map((row) => apiKeys.fromDatabase(row)).sort((one, other) => one.id - other.id)
}

/**
 * Revokes and returns the active keys created with a key, directly or not. The transaction must have
 * revoked that key.
 */
export async function revokeDescendants(
  db: Db,
  parentId: number,
  now: Instant,
): Promise<readonly ApiKeyRow[]> {
  const revoked: ApiKeyRow[] = []
  for (;;) {
    // Parents first, so that concurrent revocations lock rows in the same order.
    const found = await findDescendants(db, parentId)
    if (found.length === 0) return revoked
    // Waits for a transaction that creates a key with this one, which only the next search finds.
    for (const key of found) await revokeKey(db, key, now)
    revoked.push(...found)
  }
}

const deleteSecretsOfUser = prepareSql(
  (_: Db, { userId }: { userId: number }) => sql`
    delete from api_key_secrets
    where key_id in (select id from api_keys where user_id = ${userId})`,
)

/** Deletes the keys of a user whose row the transaction has written. */
export async function deleteUserKeys(db: Db, userId: number): Promise<void> {
  await deleteSecretsOfUser.run(db, { userId })
  await apiKeys.delete(db, { user_id: userId })
}
