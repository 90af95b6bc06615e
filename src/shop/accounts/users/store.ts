import { sql } from 'kysely'
import type { Presence } from '#http/declare/policy.ts'
import { resourceWord } from '#i18n/message.ts'
import { nullable } from '#schema/words.ts'
import { isFormerAddress } from '#shop/messages/mails/former-address-store.ts'
import { integer, text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { dayOf } from '#store/query/day.ts'
import { dialectOf } from '#store/query/dialect.ts'
import { prepareQuery, prepareSql } from '#store/query/prepared.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import { rejectDuplicate } from '#store/reject-duplicate.ts'
import { requireWrittenRow } from '#store/stale-write.ts'
import { endOfDay, type Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import {
  type Administrator,
  addressNetwork,
  changesAccountKeys,
  emptyPersonalFields,
  type UserState,
} from './rules.ts'
import { type UserRow, users } from './table.ts'
import { isCalledOtherwise, usersByWords } from './words-store.ts'

/** Returns the user with this ID, removed users included. */
export const findUser = (db: Db, id: number): Promise<UserRow | undefined> => users.find(db, { id })

/** Returns accounts without an email that have a telephone number, by its key: at most two, the oldest first. */
export const findAccountsByPhone = (db: Db, key: string): Promise<UserRow[]> =>
  users.findAll(
    db,
    { phone_key: key, email: null, deleted_at: null, role: ['customer', 'admin'] },
    { order: 'id', limit: 2 },
  )

/** Returns whether a user with this ID exists, was removed, or never existed. */
export async function findUserPresence(db: Db, id: number): Promise<Presence> {
  const found = await users.find(db, { id })
  if (!found) return 'absent'
  return found.deleted_at === null ? 'present' : 'gone'
}

/** Throws 410/4101 when a user has been removed. */
export async function requireUserPresent(db: Db, id: number): Promise<void> {
  if ((await findUserPresence(db, id)) !== 'present')
    throw problem('4101', 'detail.gone', { name: resourceWord('user') })
}

const lock = prepareQuery((db: Db, param: { id: number }) =>
  db.selectFrom('users').select('id').where('id', '=', param.id).forNoKeyUpdate(),
)

/**
 * Locks a user until the transaction ends. The lock is sent with the next statement. SQLite needs none,
 * because it has a single writer.
 */
export async function lockUser(db: Db, id: number): Promise<void> {
  if (dialectOf(db) === 'postgres') await writeBatch(db, [lock.write({ id })])
}

const accountsByKey = prepareSql(
  (_: Db, param: { email: string; username: string; exceptId: number }) => sql`
    select email_key, username_key from users
    where id != ${param.exceptId} and (email_key in (${param.email}, ${param.username})
      or username_key in (${param.email}, ${param.username}))`,
  { email_key: nullable(text), username_key: nullable(text) },
)

/**
 * Throws 409/4092 when another user has the email or username. Emails and usernames share one
 * namespace, because both are accepted at sign-in.
 */
export async function requireUnique(
  db: Db,
  id: number,
  state: UserState,
  now: Instant,
): Promise<void> {
  const { email_key, username_key } = state
  if (email_key === null && username_key === null) return
  // Keys are never empty, so '' matches none.
  const keys = { email: email_key ?? '', username: username_key ?? '', exceptId: id }
  const others = await accountsByKey.all(db, keys)
  const takenKeys = others.flatMap((other) => [other.email_key, other.username_key])
  if (email_key !== null && takenKeys.includes(email_key)) {
    throw problem('4092', 'user.duplicate_email')
  }
  if (takenKeys.length > 0) throw problem('4092', 'user.duplicate_username')
  // After the users: a change that commits in between gives the address up, and keeps it, at once.
  if (await isFormerAddress(db, [keys.email, keys.username], id, now)) {
    throw problem('4092', 'user.duplicate_email')
  }
}

/** Throws 409/4092 when a changed user has taken the email or username of another one. */
export const requireChangedUnique = async (
  db: Db,
  user: UserRow,
  state: UserState,
  now: Instant,
): Promise<void> =>
  changesAccountKeys(user, state) ? requireUnique(db, user.id, state, now) : undefined

/** Turns a unique violation, the result of a concurrent write, into 409/4092. */
const rejectDuplicates = <T>(write: Promise<T>): Promise<T> =>
  rejectDuplicate(write, 'user.duplicate_username', [
    { columns: ['users.email_key'], key: 'user.duplicate_email' },
    { columns: ['users.external_id'], key: 'user.duplicate_external_id' },
  ])

/** Inserts a user whose address a network gives, if it counts. Throws 409/4092 when the email or username is taken. */
export async function insertUser(
  db: Db,
  state: UserState,
  now: Instant,
  network: string | null = null,
): Promise<UserRow> {
  await requireUnique(db, 0, state, now)
  const user = await rejectDuplicates(
    users.insert(db, {
      ...state,
      email_network: addressNetwork(state, network),
      created_at: now,
      updated_at: now,
    }),
  )
  await usersByWords.insert(db, user)
  return user
}

/**
 * Updates a user, whose new address a network gives, to the next revision. Throws 409/4092 when the email or username is taken and
 * StaleWriteError when the row has changed.
 */
export async function saveUser(
  db: Db,
  user: UserRow,
  state: UserState,
  now: Instant,
  network: string | null = null,
): Promise<UserRow> {
  await requireChangedUnique(db, user, state, now)
  const columns = {
    ...state,
    ...(state.email_key === user.email_key ? {} : { confirmation_mailed_at: null }),
    email_network: addressNetwork(state, state.email === user.email ? user.email_network : network),
  }
  const saved = await rejectDuplicates(users.save(db, user, columns, now))
  if (isCalledOtherwise(user, saved)) await usersByWords.replace(db, [saved])
  return saved
}

const emptied = sql.join(
  Object.entries(users.withFollowing({ name: 'Deleted user', ...emptyPersonalFields })).map(
    ([name, value]) => sql`${sql.ref(name)} = ${sql.lit(value)}`,
  ),
)

const anonymize = prepareSql(
  (_: Db, param: { id: number; revision: number; deletedAt: Instant }) => sql`
    update users set ${emptied}, confirmation_mailed_at = null,
      email_network = null, guest_until = null, revision = revision + 1, created_at = ${dayOf('created_at')},
      updated_at = ${param.deletedAt}, deleted_at = ${param.deletedAt}
    where id = ${param.id} and revision = ${param.revision} returning id`,
  { id: integer },
)

/** Removes personal data from a user's row and rounds its times to days. Throws StaleWriteError. */
export async function anonymizeUser(
  db: Db,
  { id, revision }: UserRow,
  now: Instant,
): Promise<void> {
  requireWrittenRow(await anonymize.first(db, { id, revision, deletedAt: endOfDay(now) }))
}

const lockAdminRows = prepareQuery((db: Db, _: object) =>
  db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('deleted_at', 'is', null)
    .orderBy('users.id')
    .forNoKeyUpdate(),
)

const selectAdmins = prepareSql(
  (_: Db) => sql`
    select users.id, users.role, users.status, erasures.erase_at
    from users left join erasures on erasures.user_id = users.id
    where users.role = 'admin' and users.deleted_at is null order by users.id`,
  { ...users.schemasOf(['id', 'role', 'status']), erase_at: nullable(integer) },
)

/**
 * Locks the administrators until the transaction ends and returns them. On PostgreSQL the lock comes
 * before the read: a statement that does both may return rows from before the lock.
 */
export async function lockAdmins(db: Db): Promise<readonly Administrator[]> {
  if (dialectOf(db) === 'postgres') await writeBatch(db, [lockAdminRows.write({})])
  return selectAdmins.all(db, {})
}
