import type { Db } from '#store/database.ts'
import { dialectOf, hasSeveral, isKept, isOneOf } from '#store/query/dialect.ts'
import { maxRowsToSort, type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { countRows, sumCounts, type Total } from '#store/query/total.ts'
import { accountKey } from '#values/account-key.ts'
import { phoneKey } from '#values/phone-key.ts'
import { sortKey } from '#values/sort-key.ts'
import type { UserFilters } from './schema.ts'
import type { UserRow } from './table.ts'
import { usersByWords } from './words-store.ts'

/** Sums counters; undefined for filters without counters, which match only few rows. */
function countUsers(db: Db, filters: UserFilters): Promise<Total> | undefined {
  const { role, status, name, email, external_id, phone, age = -1 } = filters
  if ((name ?? email ?? external_id ?? phone) !== undefined) return undefined
  let counters = db.selectFrom('user_counts').where('age', '=', age)
  if (role) counters = counters.where(isOneOf(db, 'role', role))
  if (status) counters = counters.where(isOneOf(db, 'status', status))
  return sumCounts(counters)
}

/** Selects the users that match all filters; `isMany` if they are so many that they are read in the order of the list. */
function filteredUsers(db: Db, filters: UserFilters, isMany: boolean) {
  const { role, status, name, email, q, age, external_id, phone } = filters
  const isBypassed = isMany && dialectOf(db) === 'sqlite'
  let query = db.selectFrom('users').where(isKept('users.deleted_at', q !== undefined && !isMany))
  if (role) query = query.where(isOneOf(db, 'role', role, isBypassed && hasSeveral(role)))
  if (status) query = query.where(isOneOf(db, 'status', status, isBypassed && hasSeveral(status)))
  // The index of names has them as they are sorted.
  if (name !== undefined) {
    query = query.where('name_sort', '=', sortKey(name)).where('name', '=', name)
  }
  if (email !== undefined) query = query.where('email_key', '=', accountKey(email))
  if (external_id !== undefined) query = query.where('external_id', '=', external_id)
  // A text without digits is nobody's number.
  if (phone !== undefined) query = query.where('phone_key', '=', phoneKey(phone) ?? '')
  if (age !== undefined) query = query.where('age', '=', age)
  if (q === undefined) return query
  return query.where((eb) => eb.and(usersByWords.conditions(db, q, isMany)))
}

/** Returns one page of the users that match all filters. */
export async function listUsers(
  db: Db,
  filters: UserFilters,
  page: PageRequest,
): Promise<PageResult<UserRow>> {
  const { role, status, q, age } = filters
  const isSearch = q !== undefined
  const length = isSearch
    ? countRows(db, filteredUsers(db, filters, false))
    : countUsers(db, filters)
  // No index has the users of a search, of several roles or statuses, or of an age and a role or status in another order.
  const isOfAge = age !== undefined && (role ?? status) !== undefined
  const isUnsorted = isSearch || isOfAge || hasSeveral(role) || hasSeveral(status)
  const isFew = length === undefined || (isUnsorted && (await length).items <= maxRowsToSort)
  return paginate(
    db,
    filteredUsers(db, filters, !isFew),
    {
      id: 'users.id',
      name: 'name_sort',
      email: { nullable: 'email_sort' },
      age: { nullable: 'age' },
      created_at: 'created_at',
      updated_at: 'updated_at',
    },
    page,
    (rows) => rows.selectAll('users'),
    { length, isFew },
  )
}
