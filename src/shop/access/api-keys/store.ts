import type { Scope } from '#shop/scopes.ts'
import type { Db } from '#store/database.ts'
import { idInQuery, withoutIndex } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import type { Grant } from './rules.ts'
import type { ApiKeyFilters } from './schema.ts'
import { type ApiKeyRow, apiKeySecrets, apiKeys } from './table.ts'

/** A key with its grant parsed into lists. */
export type ApiKeyState = Omit<ApiKeyRow, keyof Grant> & Grant

/** The stored form of a secret: its hash and its first characters. */
export interface StoredSecret {
  readonly hash: string
  readonly prefix: string
}

const parseList = (text: string): readonly string[] => (text === '' ? [] : text.split(' '))
const parseOptionalList = (text: string | null) => (text === null ? null : parseList(text))
const formatList = (list: readonly string[] | null): string | null => list?.join(' ') ?? null

/** The credential a key was created with, whose revocation revokes the key, and its rate limit. */
export type KeyOrigin = Pick<
  ApiKeyRow,
  'parent_id' | 'parent_client_id' | 'parent_grant_hash' | 'rate_limit' | 'rate_limit_key_id'
>

const parseRow = (row: ApiKeyRow): ApiKeyState => ({
  ...row,
  scopes: parseList(row.scopes) as readonly Scope[],
  allowed_addresses: parseOptionalList(row.allowed_addresses),
  allowed_origins: parseOptionalList(row.allowed_origins),
})

/** Returns the key with this ID, revoked keys included. */
export async function findKey(db: Db, id: number): Promise<ApiKeyState | undefined> {
  const row = await apiKeys.find(db, { id })
  return row && parseRow(row)
}

/** Returns the key with this ID and locks it until the transaction ends. */
export async function lockKey(db: Db, id: number): Promise<ApiKeyState | undefined> {
  const row = await apiKeys.find(db, { id }, { locks: true })
  return row && parseRow(row)
}

/** Returns one page of the active keys that match all filters. */
export async function listKeys(
  db: Db,
  { user_id }: ApiKeyFilters,
  page: PageRequest,
): Promise<PageResult<ApiKeyState>> {
  let query = db.selectFrom('api_keys').where('revoked_at', 'is', null)
  if (user_id !== undefined) query = query.where('user_id', '=', user_id)
  const columns = {
    id: 'id',
    name: 'name',
    created_at: 'created_at',
    updated_at: 'updated_at',
  } as const
  const found = await paginate(query, columns, page, (rows) => rows.selectAll('api_keys'), {
    isFew: user_id !== undefined,
  })
  return { ...found, rows: found.rows.map(parseRow) }
}

const countByUser = prepareQuery((db: Db, param: { userId: number; now: Instant }) =>
  db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', param.userId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', param.now)])),
)

/** Returns how many keys of a user are accepted. */
export const countKeys = async (db: Db, userId: number, now: Instant): Promise<number> =>
  Number((await countByUser.first(db, { userId, now }))?.count ?? 0)

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
): Promise<ApiKeyState> {
  const { user_id, name, grant, origin } = key
  const row = await apiKeys.insert(db, {
    ...{ user_id, name, prefix },
    scopes: grant.scopes.join(' '),
    allowed_addresses: formatList(grant.allowed_addresses),
    allowed_origins: formatList(grant.allowed_origins),
    expires_at: grant.expires_at,
    ...origin,
    ...{ created_at: now, updated_at: now },
  })
  await apiKeySecrets.insert(db, { key_hash: hash, key_id: row.id, created_at: now })
  return parseRow(row)
}

const deleteSecrets = prepareQuery(
  (db: Db, param: { keyId: number; until: Instant; now: Instant }) =>
    db
      .deleteFrom('api_key_secrets')
      .where('key_id', '=', param.keyId)
      .where((eb) =>
        eb.or([
          eb('expires_at', '<=', param.now),
          eb(eb.cast<number>(eb.val(param.until), 'bigint'), '<=', param.now),
        ]),
      ),
)

const expireSecrets = prepareQuery((db: Db, param: { keyId: number; until: Instant }) =>
  db
    .updateTable('api_key_secrets')
    .set({ expires_at: param.until })
    .where('key_id', '=', param.keyId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', param.until)])),
)

/** Adds a secret to a key; earlier secrets expire at `until` at the latest. */
export async function replaceSecret(
  db: Db,
  { id, revision }: ApiKeyState,
  { hash, prefix }: StoredSecret,
  { until, now }: { readonly until: Instant; readonly now: Instant },
): Promise<ApiKeyState> {
  const row = await apiKeys.save(db, { id, revision }, { prefix, revoked_at: null }, now)
  await deleteSecrets.run(db, { keyId: id, until, now })
  await expireSecrets.run(db, { keyId: id, until })
  await apiKeySecrets.insert(db, { key_hash: hash, key_id: id, created_at: now })
  return parseRow(row)
}

/** Revokes a key and deletes its secrets. Throws StaleWriteError when the key has changed. */
export async function revokeKey(db: Db, key: ApiKeyState, now: Instant): Promise<void> {
  await apiKeys.save(db, key, { revoked_at: now }, now)
  await deleteSecrets.run(db, { keyId: key.id, until: now, now })
}

/**
 * Updates a key to its next revision, if anything has changed. Throws StaleWriteError when the key has
 * changed meanwhile.
 */
export async function saveKey(
  db: Db,
  current: ApiKeyState,
  change: Partial<Pick<ApiKeyState, 'name' | 'rate_limit' | 'rate_limit_key_id'>>,
  now: Instant,
): Promise<ApiKeyState> {
  if (isUnchanged(current, change)) return current
  return parseRow(await apiKeys.save(db, current, change, now))
}

const descendantsOf = prepareQuery((db: Db, param: { parentId: number }) =>
  db
    .withRecursive('descendants', (query) =>
      query
        .selectFrom('api_keys')
        .select('id')
        .where('parent_id', '=', param.parentId)
        .union(
          query
            .selectFrom('api_keys')
            .innerJoin('descendants', 'descendants.id', 'api_keys.parent_id')
            .select('api_keys.id'),
        ),
    )
    .selectFrom('api_keys')
    .selectAll()
    .where((eb) =>
      idInQuery(db, 'api_keys.id', eb.selectFrom('descendants').select('descendants.id')),
    )
    .where('revoked_at', 'is', null),
)

/** Returns the active keys created with a key, directly or not, in the order of their IDs. */
export async function findDescendants(db: Db, parentId: number): Promise<readonly ApiKeyState[]> {
  const rows = await descendantsOf.all(db, { parentId })
  return rows.map(parseRow).sort((one, other) => one.id - other.id)
}

/**
 * Revokes and returns the active keys created with a key, directly or not. The transaction must have
 * revoked that key.
 */
export async function revokeDescendants(
  db: Db,
  parentId: number,
  now: Instant,
): Promise<readonly ApiKeyState[]> {
  const revoked: ApiKeyState[] = []
  for (;;) {
    // Parents first, so that concurrent revocations lock rows in the same order.
    const found = await findDescendants(db, parentId)
    if (found.length === 0) return revoked
    // Waits for a transaction that creates a key with this one, which only the next search finds.
    for (const key of found) await revokeKey(db, key, now)
    revoked.push(...found)
  }
}

const keyIdsOf = (db: Db, userId: number) =>
  db.selectFrom('api_keys').select('id').where('user_id', '=', userId)

/** Deletes the keys of a user whose row the transaction has written. */
export async function deleteUserKeys(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('api_key_secrets').where('key_id', 'in', keyIdsOf(db, userId)).execute()
  await apiKeys.delete(db, { user_id: userId })
}

const newestByUser = prepareQuery((db: Db, param: { userId: number; limit: number }) =>
  db
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', param.userId)
    .orderBy(withoutIndex('id'), 'desc')
    .limit(param.limit),
)

/** Returns the newest keys of a user, at most `limit`, revoked keys included. */
export const keysForExport = async (
  db: Db,
  userId: number,
  limit: number,
): Promise<ApiKeyState[]> => (await newestByUser.all(db, { userId, limit })).map(parseRow)
