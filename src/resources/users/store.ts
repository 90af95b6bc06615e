import type { Db } from '#db/database.ts'
import { isUniqueViolation } from '#db/errors.ts'
import { dayOf } from '#db/query/day.ts'
import { dialectOf } from '#db/query/dialect.ts'
import { type PageRequest, type PageResult, paginate, sumOf } from '#db/query/page.ts'
import { prepared } from '#db/query/prepared.ts'
import { writeTogether } from '#db/query/write-together.ts'
import { requireWritten } from '#db/stale-write.ts'
import type { Presence } from '#http/declare/policy.ts'
import { accountKey } from '#values/account-key.ts'
import { endOfDay, type Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { type Administrator, impersonal, isRekeyed, type UserState } from './rules.ts'
import type { UserFilters } from './schema.ts'
import type { UserRow } from './table.ts'

const byId = prepared((db: Db, param: { id: number }) =>
  db.selectFrom('users').selectAll().where('id', '=', param.id),
)

/** The user with this identifier, removed ones included. */
export const findUser = (db: Db, id: number): Promise<UserRow | undefined> => byId.first(db, { id })

const presence = prepared((db: Db, param: { id: number }) =>
  db.selectFrom('users').select('deleted_at').where('id', '=', param.id),
)

/** Whether there is a user with this identifier, or was. */
export async function isPresent(db: Db, id: number): Promise<Presence> {
  const found = await presence.first(db, { id })
  if (!found) return 'absent'
  return found.deleted_at === null ? 'present' : 'gone'
}

/** How many pass the filters; undefined where no counter tells, but then there are few. */
function countUsers(db: Db, filters: UserFilters): Promise<number> | undefined {
  const { role, status, name, email, age = -1 } = filters
  if (name !== undefined || email !== undefined) return undefined
  let counters = db.selectFrom('user_counts').where('age', '=', age)
  if (role !== undefined) counters = counters.where('role', '=', role)
  if (status !== undefined) counters = counters.where('status', '=', status)
  return sumOf(counters)
}

/** One page of the users that pass every filter. */
export function listUsers(
  db: Db,
  filters: UserFilters,
  page: PageRequest,
): Promise<PageResult<UserRow>> {
  const { role, status, name, email, age } = filters
  let query = db.selectFrom('users').where('deleted_at', 'is', null)
  if (role !== undefined) query = query.where('role', '=', role)
  if (status !== undefined) query = query.where('status', '=', status)
  if (name !== undefined) query = query.where('name', '=', name)
  if (email !== undefined) query = query.where('email_key', '=', accountKey(email))
  if (age !== undefined) query = query.where('age', '=', age)
  return paginate(
    query,
    {
      id: 'id',
      name: 'name',
      email: { nullable: 'email' },
      age: { nullable: 'age' },
      created_at: 'created_at',
      updated_at: 'updated_at',
    },
    page,
    (rows) => rows.selectAll('users'),
    countUsers(db, filters),
  )
}

const holders = prepared((db: Db, param: { email: string; username: string; but: number }) =>
  db
    .selectFrom('users')
    .select(['email_key', 'username_key'])
    .where('id', '!=', param.but)
    .where((eb) =>
      eb.or([
        eb('email_key', 'in', [param.email, param.username]),
        eb('username_key', 'in', [param.email, param.username]),
      ]),
    ),
)

/**
 * Refuses with 409/4092 what somebody else could be taken for: nobody's username is another's email
 * either, since both are signed in with.
 */
async function requireUnclaimed(db: Db, id: number, state: UserState): Promise<void> {
  const { email_key, username_key } = state
  if (email_key === null && username_key === null) return
  // No key is empty, so that stands for none.
  const sought = { email: email_key ?? '', username: username_key ?? '', but: id }
  const found = await holders.all(db, sought)
  const claimed = found.flatMap((other) => [other.email_key, other.username_key])
  if (email_key !== null && claimed.includes(email_key)) {
    throw problem('4092', 'user.duplicate_email')
  }
  if (claimed.length > 0) throw problem('4092', 'user.duplicate_username')
}

// Two who claim the same at the same moment are told apart by the unique indexes.
async function uniquely<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (isUniqueViolation(error, 'users.email_key')) throw problem('4092', 'user.duplicate_email')
    if (isUniqueViolation(error)) throw problem('4092', 'user.duplicate_username')
    throw error
  }
}

/** Keeps a new user; an email or username already taken is refused with 409/4092. */
export async function insertUser(db: Db, state: UserState, now: Instant): Promise<UserRow> {
  await requireUnclaimed(db, 0, state)
  const row = { ...state, created_at: now, updated_at: now }
  return uniquely(db.insertInto('users').values(row).returningAll().executeTakeFirstOrThrow())
}

/** Keeps the changed user as the next revision; refused as `insertUser` is. */
export async function saveUser(
  db: Db,
  user: UserRow,
  state: UserState,
  now: Instant,
): Promise<UserRow> {
  if (isRekeyed(user, state)) await requireUnclaimed(db, user.id, state)
  const saved = await uniquely(
    db
      .updateTable('users')
      .set({ ...state, revision: user.revision + 1, updated_at: now })
      .where('id', '=', user.id)
      .where('revision', '=', user.revision)
      .returningAll()
      .executeTakeFirst(),
  )
  return requireWritten(saved)
}

const blank = prepared((db: Db, param: { id: number; revision: number; goneAt: Instant }) =>
  db
    .updateTable('users')
    .set((eb) => ({
      name: 'Deleted user',
      ...impersonal,
      revision: eb('revision', '+', eb.lit(1)),
      created_at: dayOf('created_at'),
      updated_at: param.goneAt,
      deleted_at: param.goneAt,
    }))
    .where('id', '=', param.id)
    .where('revision', '=', param.revision)
    .returning('id'),
)

/** Leaves of a user's row nothing but that there was one, and on which days; throws StaleWriteError where it changed. */
export async function blankUser(db: Db, { id, revision }: UserRow, now: Instant): Promise<void> {
  requireWritten(await blank.first(db, { id, revision, goneAt: endOfDay(now) }))
}

const adminsIn = (db: Db) =>
  db
    .selectFrom('users')
    .where('role', '=', 'admin')
    .where('deleted_at', 'is', null)
    .orderBy('users.id')

const lockAdmins = prepared((db: Db, _: object) => adminsIn(db).select('id').forNoKeyUpdate())

const admins = prepared((db: Db, _: object) =>
  adminsIn(db)
    .leftJoin('erasures', 'erasures.user_id', 'users.id')
    .select(['users.id', 'users.role', 'users.status', 'erasures.erase_at']),
)

/**
 * Everybody with the role of an administrator, kept from changing until the transaction ends. On
 * PostgreSQL they are locked before they are read: what is read beside a lock may be older than it.
 */
export async function lockAdmins(db: Db): Promise<readonly Administrator[]> {
  if (dialectOf(db) === 'postgres') await writeTogether(db, [lockAdmins.write({})])
  return admins.all(db, {})
}
