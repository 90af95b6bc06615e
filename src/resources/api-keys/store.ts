import type { Db } from '#db/database.ts'
import { dialectOf } from '#db/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#db/query/page.ts'
import { prepared } from '#db/query/prepared.ts'
import { requireWritten } from '#db/stale-write.ts'
import type { Scope } from '#http/declare/caller.ts'
import type { Instant } from '#values/instant.ts'
import type { Grant } from './rules.ts'
import type { ApiKeyFilters } from './schema.ts'
import type { ApiKeyRow } from './table.ts'

/** A key as it is read: what it was granted as lists. */
export type ApiKeyState = Omit<ApiKeyRow, keyof Grant> & Grant

/** A secret as it is kept: its hash, and how it begins. */
export interface StoredSecret {
  readonly hash: string
  readonly prefix: string
}

const listIn = (text: string): readonly string[] => (text === '' ? [] : text.split(' '))
const optionalListIn = (text: string | null) => (text === null ? null : listIn(text))
const textOf = (list: readonly string[] | null): string | null => list?.join(' ') ?? null

/** What a key was made with; it ends when that does. */
export type KeyOrigin = Pick<ApiKeyRow, 'parent_id' | 'parent_client_id' | 'parent_grant_hash'>

const stateOf = (row: ApiKeyRow): ApiKeyState => ({
  ...row,
  scopes: listIn(row.scopes) as readonly Scope[],
  allowed_addresses: optionalListIn(row.allowed_addresses),
  allowed_origins: optionalListIn(row.allowed_origins),
})

const byId = prepared((db: Db, param: { id: number }) =>
  db.selectFrom('api_keys').selectAll().where('id', '=', param.id),
)

/** The key with this identifier, revoked ones included. */
export async function findKey(db: Db, id: number): Promise<ApiKeyState | undefined> {
  const row = await byId.first(db, { id })
  return row && stateOf(row)
}

const heldById = prepared((db: Db, param: { id: number }) =>
  db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', param.id)
    .$if(dialectOf(db) === 'postgres', (rows) => rows.forNoKeyUpdate()),
)

/** The key with this identifier, kept from being revoked until the transaction ends. */
export async function lockKey(db: Db, id: number): Promise<ApiKeyState | undefined> {
  const row = await heldById.first(db, { id })
  return row && stateOf(row)
}

/** One page of the keys that are not revoked and pass every filter. */
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
  const found = await paginate(query, columns, page, (rows) => rows.selectAll('api_keys'))
  return { ...found, rows: found.rows.map(stateOf) }
}

const insertSecret = prepared((db: Db, param: { hash: string; keyId: number; now: Instant }) =>
  db.insertInto('api_key_secrets').values({
    key_hash: param.hash,
    key_id: param.keyId,
    expires_at: null,
    created_at: param.now,
  }),
)

/** Keeps a new key of a user under the hash of its secret. */
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
  const row = await db
    .insertInto('api_keys')
    .values({
      user_id,
      name,
      prefix,
      scopes: grant.scopes.join(' '),
      allowed_addresses: textOf(grant.allowed_addresses),
      allowed_origins: textOf(grant.allowed_origins),
      expires_at: grant.expires_at,
      ...origin,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await insertSecret.run(db, { hash, keyId: row.id, now })
  return stateOf(row)
}

const nextRevision = prepared(
  (
    db: Db,
    param: {
      id: number
      revision: number
      prefix: string
      now: Instant
      revokedAt: Instant | null
    },
  ) =>
    db
      .updateTable('api_keys')
      .set((eb) => ({
        prefix: param.prefix,
        revoked_at: param.revokedAt,
        revision: eb('revision', '+', eb.lit(1)),
        updated_at: param.now,
      }))
      .where('id', '=', param.id)
      .where('revision', '=', param.revision)
      .returningAll(),
)

const dropSecrets = prepared((db: Db, param: { keyId: number; until: Instant; now: Instant }) =>
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

const limitSecrets = prepared((db: Db, param: { keyId: number; until: Instant }) =>
  db
    .updateTable('api_key_secrets')
    .set({ expires_at: param.until })
    .where('key_id', '=', param.keyId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', param.until)])),
)

/** Lets a key be known by another secret, and by those it had until then and no longer. */
export async function replaceSecret(
  db: Db,
  { id, revision }: ApiKeyState,
  { hash, prefix }: StoredSecret,
  { until, now }: { readonly until: Instant; readonly now: Instant },
): Promise<ApiKeyState> {
  const values = { id, revision, prefix, now, revokedAt: null }
  const row = requireWritten(await nextRevision.first(db, values))
  await dropSecrets.run(db, { keyId: id, until, now })
  await limitSecrets.run(db, { keyId: id, until })
  await insertSecret.run(db, { hash, keyId: id, now })
  return stateOf(row)
}

/** Takes every secret from a key; from then on nothing is known by it. */
export async function revokeKey(db: Db, key: ApiKeyState, now: Instant): Promise<void> {
  const { id, revision, prefix } = key
  requireWritten(await nextRevision.first(db, { id, revision, prefix, now, revokedAt: now }))
  await dropSecrets.run(db, { keyId: id, until: now, now })
}

const descendantsOf = prepared((db: Db, param: { parentId: number }) =>
  db
    .withRecursive('made', (made) =>
      made
        .selectFrom('api_keys')
        .select('id')
        .where('parent_id', '=', param.parentId)
        .union(
          made
            .selectFrom('api_keys')
            .innerJoin('made', 'made.id', 'api_keys.parent_id')
            .select('api_keys.id'),
        ),
    )
    .selectFrom('api_keys')
    .selectAll()
    .where('id', 'in', (eb) => eb.selectFrom('made').select('made.id'))
    .where('revoked_at', 'is', null),
)

/** Revokes every key made with a revoked one, directly or not, and returns them. */
export async function revokeDescendants(
  db: Db,
  parentId: number,
  now: Instant,
): Promise<readonly ApiKeyState[]> {
  const made = (await descendantsOf.all(db, { parentId })).map(stateOf)
  for (const key of made) await revokeKey(db, key, now)
  return made
}

const keysOf = (db: Db, userId: number) =>
  db.selectFrom('api_keys').select('id').where('user_id', '=', userId)

/** Removes every key of a user whose row the transaction has written. */
export async function dropKeysOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('api_key_secrets').where('key_id', 'in', keysOf(db, userId)).execute()
  await db.deleteFrom('api_keys').where('user_id', '=', userId).execute()
}

const newestOf = prepared((db: Db, param: { userId: number; most: number }) =>
  db
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', param.userId)
    .orderBy('id', 'desc')
    .limit(param.most),
)

/** The newest keys of a user, at most so many, revoked ones included. */
export const keysForExport = async (db: Db, userId: number, most: number): Promise<ApiKeyState[]> =>
  (await newestOf.all(db, { userId, most })).map(stateOf)
