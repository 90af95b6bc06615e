import { createMessage } from '#i18n/message.ts'
import { oauthArtefacts } from '#shop/access/oauth/storage/table.ts'
import type { Db } from '#store/database.ts'
import { isForeignKeyViolation } from '#store/errors.ts'
import { dayOf } from '#store/query/day.ts'
import { withoutIndex } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { endOfDay, type Instant } from '#values/instant.ts'
import { fieldProblem } from '#values/problem.ts'
import type { OauthClientState } from './rules.ts'
import type { OauthClientFilters } from './schema.ts'
import { type OauthClientRow, oauthClients } from './table.ts'

/** A client with its lists parsed. */
export type OauthClientRecord = Omit<OauthClientRow, keyof OauthClientState> & OauthClientState

/** Returns the client with this ID, removed clients included. */
export async function findClient(db: Db, id: number): Promise<OauthClientRecord | undefined> {
  const row = await oauthClients.find(db, { id })
  return row && parseRow(row)
}

/** Returns one page of the clients that match all filters. */
export async function listClients(
  db: Db,
  { client_id, client_name }: OauthClientFilters,
  page: PageRequest,
): Promise<PageResult<OauthClientRecord>> {
  let query = db.selectFrom('oauth_clients').where('deleted_at', 'is', null)
  if (client_id !== undefined) query = query.where('client_id', '=', client_id)
  if (client_name !== undefined) query = query.where('client_name', '=', client_name)
  const columns = {
    id: 'id',
    client_name: 'client_name',
    created_at: 'created_at',
    updated_at: 'updated_at',
  } as const
  const found = await paginate(query, columns, page, (rows) => rows.selectAll('oauth_clients'))
  return { ...found, rows: found.rows.map(parseRow) }
}

/** Inserts a client. Throws 422/4221 when its user does not exist. */
export const insertClient = (
  db: Db,
  identity: { readonly client_id: string; readonly secret_hash: string | null },
  state: OauthClientState,
  now: Instant,
): Promise<OauthClientRecord> =>
  reportUnknownUser(
    oauthClients.insert(db, {
      ...identity,
      ...columnsOf(state),
      created_at: now,
      updated_at: now,
    }),
  ).then(parseRow)

/**
 * Updates a client to the next revision. Throws 422/4221 when its user does not exist and
 * StaleWriteError when the row has changed.
 */
export const saveClient = (
  db: Db,
  current: Pick<OauthClientRow, 'id' | 'revision'>,
  state: OauthClientState & Pick<OauthClientRow, 'secret_hash'>,
  now: Instant,
): Promise<OauthClientRecord> => {
  const columns = {
    ...columnsOf(state),
    secret_hash: state.secret_hash,
    ...(state.secret_hash === null ? noPreviousSecret : {}),
  }
  return reportUnknownUser(oauthClients.save(db, current, columns, now)).then(parseRow)
}

const noPreviousSecret = { previous_secret_hash: null, previous_secret_expires_at: null } as const

/** Replaces the secret of a client; only the previous secret stays valid, until `until`. */
export const replaceSecret = (
  db: Db,
  current: Pick<OauthClientRow, 'id' | 'revision' | 'secret_hash'>,
  { secretHash, until }: { readonly secretHash: string; readonly until: Instant },
  now: Instant,
): Promise<OauthClientRecord> => {
  const previous =
    until > now
      ? { previous_secret_hash: current.secret_hash, previous_secret_expires_at: until }
      : noPreviousSecret
  const columns = { secret_hash: secretHash, ...previous }
  return oauthClients.save(db, current, columns, now).then(parseRow)
}

/** Marks a client as removed and deletes everything issued to it. */
export async function removeClient(
  db: Db,
  { id, client_id }: Pick<OauthClientRow, 'id' | 'client_id'>,
  now: Instant,
): Promise<void> {
  const removed = { deleted_at: now, secret_hash: null, ...noPreviousSecret, user_id: null }
  await oauthClients.revise(db, { id }, removed, now)
  await oauthArtefacts.delete(db, { client_id })
}

const detach = prepareQuery((db: Db, param: { userId: number; changedAt: Instant }) =>
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

/** Removes a user from the clients that act as that user. */
export const detachUserClients = (db: Db, userId: number, now: Instant): Promise<number> =>
  detach.run(db, { userId, changedAt: endOfDay(now) })

const columnsOf = (state: OauthClientState) => ({
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

const parseRow = (row: OauthClientRow): OauthClientRecord => ({
  ...row,
  redirect_uris: JSON.parse(row.redirect_uris),
  post_logout_redirect_uris: JSON.parse(row.post_logout_redirect_uris),
  grant_types: JSON.parse(row.grant_types),
  response_types: JSON.parse(row.response_types),
  contacts: JSON.parse(row.contacts),
})

/** Turns a foreign key violation into 422/4221. */
async function reportUnknownUser<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    throw fieldProblem([{ field: 'user_id', message: createMessage('client.unknown_user') }])
  }
}

const newestByUser = prepareQuery((db: Db, param: { userId: number; limit: number }) =>
  db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('user_id', '=', param.userId)
    .orderBy(withoutIndex('id'), 'desc')
    .limit(param.limit),
)

/** Returns the newest clients that act as a user, at most `limit`. */
export const clientsForExport = async (
  db: Db,
  userId: number,
  limit: number,
): Promise<OauthClientRecord[]> => (await newestByUser.all(db, { userId, limit })).map(parseRow)
