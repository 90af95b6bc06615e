import type { Db } from '#store/database.ts'
import { markRemoved } from '#store/mark-removed.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { rejectDuplicate } from '#store/reject-duplicate.ts'
import { saveRevision } from '#store/save-revision.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import type { ShippingMethodState } from './rules.ts'
import type { ShippingMethodFilters } from './schema.ts'
import type { ShippingMethodRow } from './table.ts'

/** A stored shipping method. */
export interface StoredMethod extends ShippingMethodState {
  readonly id: number
  readonly revision: number
  readonly created_at: Instant
  readonly updated_at: Instant
  readonly deleted_at: Instant | null
}

const fromRow = (row: ShippingMethodRow): StoredMethod => ({
  ...row,
  countries: row.countries === '' ? [] : row.countries.split(','),
  active: row.active === 1,
})

const toColumns = ({ countries, active, ...state }: ShippingMethodState) => ({
  ...state,
  countries: countries.join(','),
  active: active ? 1 : 0,
})

/** Returns the method with this ID, even if removed. */
export async function findMethod(db: Db, id: number): Promise<StoredMethod | undefined> {
  const query = db.selectFrom('shipping_methods').selectAll().where('id', '=', id)
  const row = await query.executeTakeFirst()
  return row && fromRow(row)
}

const byCode = prepareQuery((db: Db, param: { code: string }) =>
  db
    .selectFrom('shipping_methods')
    .selectAll()
    .where('code', '=', param.code)
    .where('deleted_at', 'is', null),
)

/** Returns the method with this code. */
export async function findMethodByCode(db: Db, code: string): Promise<StoredMethod | undefined> {
  const row = await byCode.first(db, { code })
  return row && fromRow(row)
}

/** Returns a page of the methods that match every filter. */
export async function listMethods(
  db: Db,
  { code, country, active }: ShippingMethodFilters & { readonly active?: boolean },
  page: PageRequest,
): Promise<PageResult<StoredMethod>> {
  let query = db.selectFrom('shipping_methods').where('deleted_at', 'is', null)
  if (code !== undefined) query = query.where('code', '=', code)
  if (active !== undefined) query = query.where('active', '=', active ? 1 : 0)
  if (country !== undefined) {
    query = query.where((eb) =>
      eb.or([eb('countries', '=', ''), eb('countries', 'like', `%${country}%`)]),
    )
  }
  const columns = {
    id: 'id',
    code: 'code',
    name: 'name',
    price: 'price_minor',
    created_at: 'created_at',
    updated_at: 'updated_at',
  } as const
  const found = await paginate(query, columns, page, (rows) => rows.selectAll('shipping_methods'))
  return { ...found, rows: found.rows.map(fromRow) }
}

/** Inserts a method. Throws 409/4092 when the code is taken. */
export async function insertMethod(
  db: Db,
  state: ShippingMethodState,
  now: Instant,
): Promise<StoredMethod> {
  const row = await rejectDuplicate(
    db
      .insertInto('shipping_methods')
      .values({ ...toColumns(state), created_at: now, updated_at: now, deleted_at: null })
      .returningAll()
      .executeTakeFirstOrThrow(),
    'settings.duplicate_code',
  )
  return fromRow(row)
}

/**
 * Updates a method to its next revision, if anything has changed. Throws StaleWriteError if it has
 * changed meanwhile.
 */
export async function saveMethod(
  db: Db,
  current: StoredMethod,
  state: ShippingMethodState,
  now: Instant,
): Promise<StoredMethod> {
  if (isUnchanged(current, state)) return current
  return fromRow(await saveRevision(db, 'shipping_methods', current, toColumns(state), now))
}

/** Marks a method as removed and frees its code. */
export const removeMethod = (db: Db, { id }: StoredMethod, now: Instant): Promise<void> =>
  markRemoved(db, 'shipping_methods', id, now)
