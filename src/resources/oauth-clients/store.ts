import type { Db } from '#db/database.ts'
import { isForeignKeyViolation } from '#db/errors.ts'
import { dayOf } from '#db/query/day.ts'
import { type PageRequest, type PageResult, paginate } from '#db/query/page.ts'
import { prepared } from '#db/query/prepared.ts'
import { requireWritten } from '#db/stale-write.ts'
import { createMessage } from '#i18n/message.ts'
import { endOfDay, type Instant } from '#values/instant.ts'
import { fieldProblem } from '#values/problem.ts'
import type { OauthClientState } from './rules.ts'
import type { OauthClientFilters } from './schema.ts'
import type { OauthClientRow } from './table.ts'

/** A client, its lists read. */
export type OauthClientRecord = Omit<OauthClientRow, keyof OauthClientState> & OauthClientState

const byId = prepared((db: Db, param: { id: number }) =>
  db.selectFrom('oauth_clients').selectAll().where('id', '=', param.id),
)

/** The client with this identifier, removed ones included. */
export async function findClient(db: Db, id: number): Promise<OauthClientRecord | undefined> {
  const row = await byId.first(db, { id })
  return row && read(row)
}

/** One page of the clients that pass every filter. */
export async function listClients(
  db: Db,
  { client_id, client_name }: OauthClientFilters,
  page: PageRequest,
): Promise<PageResult<OauthClientRecord>> {
  let query = db.selectFrom('oauth_clients').where('deleted_at', 'is', null)
  if (client_id !== undefined) query = query.where('client_id', '=', client_id)
  if (client_name !== undefined) query = query.where('client_name', '=', client_name)
  const columns = { id: 'id', client_name: 'client_name', created_at: 'created_at' } as const
  const found = await paginate(query, columns, page, (rows) => rows.selectAll('oauth_clients'))
  return { ...found, rows: found.rows.map(read) }
}

/** Keeps a new client; refused with 422 when it would act as nobody there is. */
export const insertClient = (
  db: Db,
  identity: { readonly client_id: string; readonly secret_hash: string | null },
  state: OauthClientState,
  now: Instant,
): Promise<OauthClientRecord> =>
  ofKnownUser(
    db
      .insertInto('oauth_clients')
      .values({
        ...identity,
        ...noPreviousSecret,
        ...written(state),
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  ).then(read)

/** Keeps the changed client as its next revision; refused with 422 as a new one is. */
export const saveClient = (
  db: Db,
  { id, revision }: Pick<OauthClientRow, 'id' | 'revision'>,
  state: OauthClientState & Pick<OauthClientRow, 'secret_hash'>,
  now: Instant,
): Promise<OauthClientRecord> =>
  ofKnownUser(
    db
      .updateTable('oauth_clients')
      .set({
        ...written(state),
        secret_hash: state.secret_hash,
        ...(state.secret_hash === null ? noPreviousSecret : {}),
        revision: revision + 1,
        updated_at: now,
      })
      .where('id', '=', id)
      .where('revision', '=', revision)
      .returningAll()
      .executeTakeFirst(),
  )
    .then(requireWritten)
    .then(read)

const noPreviousSecret = { previous_secret_hash: null, previous_secret_expires_at: null } as const

/** Gives a client another secret; the one it had is taken until then, any other no longer. */
export const replaceSecret = (
  db: Db,
  { id, revision, secret_hash }: Pick<OauthClientRow, 'id' | 'revision' | 'secret_hash'>,
  { hashed, until }: { readonly hashed: string; readonly until: Instant },
  now: Instant,
): Promise<OauthClientRecord> =>
  db
    .updateTable('oauth_clients')
    .set({
      secret_hash: hashed,
      ...(until > now
        ? { previous_secret_hash: secret_hash, previous_secret_expires_at: until }
        : noPreviousSecret),
      revision: revision + 1,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .returningAll()
    .executeTakeFirst()
    .then(requireWritten)
    .then(read)

/** Removes a client, and with it all that was issued to it. */
export async function removeClient(
  db: Db,
  { id, client_id }: Pick<OauthClientRow, 'id' | 'client_id'>,
  now: Instant,
): Promise<void> {
  await db
    .updateTable('oauth_clients')
    .set((eb) => ({
      deleted_at: now,
      updated_at: now,
      secret_hash: null,
      ...noPreviousSecret,
      user_id: null,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
  await db.deleteFrom('oauth_artefacts').where('client_id', '=', client_id).execute()
}

const release = prepared((db: Db, param: { userId: number; changedAt: Instant }) =>
  db
    .updateTable('oauth_clients')
    .set((eb) => ({
      user_id: null,
      revision: eb('revision', '+', eb.lit(1)),
      created_at: dayOf('created_at'),
      updated_at: param.changedAt,
    }))
    .where('user_id', '=', param.userId),
)

/** Leaves the clients that acted as a user acting as nobody. */
export const releaseClientsOf = (db: Db, userId: number, now: Instant): Promise<number> =>
  release.run(db, { userId, changedAt: endOfDay(now) })

const withdraw = prepared((db: Db, param: { userId: number }) =>
  db.deleteFrom('oauth_artefacts').where('user_id', '=', param.userId),
)

/** Signs a user out everywhere, and withdraws every token that a client was issued on its behalf. */
export const revokeTokensOf = (db: Db, userId: number): Promise<number> =>
  withdraw.run(db, { userId })

const written = (state: OauthClientState) => ({
  client_name: state.client_name,
  application_type: state.application_type,
  redirect_uris: JSON.stringify(state.redirect_uris),
  post_logout_redirect_uris: JSON.stringify(state.post_logout_redirect_uris),
  grant_types: JSON.stringify(state.grant_types),
  response_types: JSON.stringify(state.response_types),
  token_endpoint_auth_method: state.token_endpoint_auth_method,
  scope: state.scope,
  client_uri: state.client_uri,
  policy_uri: state.policy_uri,
  tos_uri: state.tos_uri,
  contacts: JSON.stringify(state.contacts),
  user_id: state.user_id,
})

const read = (row: OauthClientRow): OauthClientRecord => ({
  ...row,
  redirect_uris: JSON.parse(row.redirect_uris),
  post_logout_redirect_uris: JSON.parse(row.post_logout_redirect_uris),
  grant_types: JSON.parse(row.grant_types),
  response_types: JSON.parse(row.response_types),
  contacts: JSON.parse(row.contacts),
})

async function ofKnownUser<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    throw fieldProblem([{ field: 'user_id', message: createMessage('client.unknown_user') }])
  }
}

const newestOf = prepared((db: Db, param: { userId: number; most: number }) =>
  db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('user_id', '=', param.userId)
    .orderBy('id', 'desc')
    .limit(param.most),
)

/** The newest clients that act as a user by their own credentials, at most so many. */
export const clientsForExport = async (
  db: Db,
  userId: number,
  most: number,
): Promise<OauthClientRecord[]> => (await newestOf.all(db, { userId, most })).map(read)
