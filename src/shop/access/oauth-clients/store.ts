import { sql } from 'kysely'
import { createMessage } from '#i18n/message.ts'
import { oauthArtefacts } from '#shop/access/oauth/storage/table.ts'
import type { Db } from '#store/database.ts'
import { isForeignKeyViolation } from '#store/errors.ts'
import { dayOf } from '#store/query/day.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { endOfDay, type Instant } from '#values/instant.ts'
import { fieldProblem } from '#values/problem.ts'
import type { OauthClientState } from './rules.ts'
import type { OauthClientFilters } from './schema.ts'
import { type OauthClientRow, oauthClients } from './table.ts'

/** Returns one page of the clients that match all filters. */
export async function listClients(
  db: Db,
  { client_id, client_name }: OauthClientFilters,
  page: PageRequest,
): Promise<PageResult<OauthClientRow>> {
  let query = db.selectFrom('oauth_clients').where('deleted_at', 'is', null)
  if (client_id !== undefined) query = query.where('client_id', '=', client_id)
  if (client_name !== undefined) query = query.where('client_name', '=', client_name)
  const columns = {
    id: 'id',
    client_name: 'client_name_sort',
    created_at: 'created_at',
    updated_at: 'updated_at',
  } as const
  const found = await paginate(db, query, columns, page, (rows) => rows.selectAll('oauth_clients'))
  return { ...found, rows: found.rows.map((row) => oauthClients.fromDatabase(row)) }
}

/** Inserts a client. Throws 422/4221 when its user does not exist. */
export const insertClient = (
  db: Db,
  identity: { readonly client_id: string; readonly secret_hash: string | null },
  state: OauthClientState,
  now: Instant,
): Promise<OauthClientRow> =>
  reportUnknownUser(
    oauthClients.insert(db, { ...identity, ...state, created_at: now, updated_at: now }),
  )

/**
 * Updates a client to the next revision. Throws 422/4221 when its user does not exist and
 * StaleWriteError when the row has changed.
 */
export const saveClient = (
  db: Db,
  current: Pick<OauthClientRow, 'id' | 'revision'>,
  state: OauthClientState & Pick<OauthClientRow, 'secret_hash'>,
  now: Instant,
): Promise<OauthClientRow> => {
  const columns = { ...state, ...(state.secret_hash === null ? noPreviousSecret : {}) }
  return reportUnknownUser(oauthClients.save(db, current, columns, now))
}

const noPreviousSecret = { previous_secret_hash: null, previous_secret_expires_at: null } as const

/** Replaces the secret of a client; only the previous secret stays valid, until `until`. */
export const replaceSecret = (
  db: Db,
  current: Pick<OauthClientRow, 'id' | 'revision' | 'secret_hash'>,
  { secretHash, until }: { readonly secretHash: string; readonly until: Instant },
  now: Instant,
): Promise<OauthClientRow> => {
  const previous =
    until > now
      ? { previous_secret_hash: current.secret_hash, previous_secret_expires_at: until }
      : noPreviousSecret
  const columns = { secret_hash: secretHash, ...previous }
  return oauthClients.save(db, current, columns, now)
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

const detach = prepareSql(
  (_: Db, { userId, changedAt }: { userId: number; changedAt: Instant }) => sql`
    update oauth_clients set user_id = null, revision = revision + 1,
      created_at = ${dayOf('created_at')}, updated_at = ${changedAt}
    where user_id = ${userId}`,
)

/** Removes a user from the clients that act as that user. */
export const detachUserClients = (db: Db, userId: number, now: Instant): Promise<number> =>
  detach.run(db, { userId, changedAt: endOfDay(now) })

/** Turns a foreign key violation into 422/4221. */
async function reportUnknownUser<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    throw fieldProblem([{ field: 'user_id', message: createMessage('client.unknown_user') }])
  }
}
