import type { Db } from '#store/database.ts'
import { markRemoved } from '#store/mark-removed.ts'
import { dialectOf, idIn } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { type PreparedWrite, prepareQuery } from '#store/query/prepared.ts'
import { rejectDuplicate } from '#store/reject-duplicate.ts'
import { saveRevision } from '#store/save-revision.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import type { DiscountState, StoredDiscount } from './rules.ts'
import type { DiscountFilters } from './schema.ts'
import type { DiscountRow } from './table.ts'

const fromRow = (row: DiscountRow): StoredDiscount => ({
  ...row,
  products: JSON.parse(row.products),
  categories: JSON.parse(row.categories),
  active: row.active === 1,
})

const toColumns = ({ products, categories, active, ...state }: DiscountState) => ({
  ...state,
  code_key: state.code.toLowerCase(),
  products: JSON.stringify(products),
  categories: JSON.stringify(categories),
  active: active ? 1 : 0,
})

const byId = prepareQuery((db: Db, param: { id: number }) =>
  db.selectFrom('discounts').selectAll().where('id', '=', param.id),
)

/** Returns the discount with this ID, even if removed. */
export async function findDiscount(db: Db, id: number): Promise<StoredDiscount | undefined> {
  const row = await byId.first(db, { id })
  return row && fromRow(row)
}

const byIdForUpdate = prepareQuery((db: Db, param: { id: number }) =>
  db
    .selectFrom('discounts')
    .selectAll()
    .where('id', '=', param.id)
    // Concurrent uses would otherwise starve an optimistic update of a popular discount.
    .$if(dialectOf(db) === 'postgres', (rows) => rows.forNoKeyUpdate()),
)

/** Returns the discount with this ID, even if removed, locked until the transaction ends. */
export async function lockDiscount(db: Db, id: number): Promise<StoredDiscount | undefined> {
  const row = await byIdForUpdate.first(db, { id })
  return row && fromRow(row)
}

const withCode = (db: Db, codeKey: string) =>
  db
    .selectFrom('discounts')
    .selectAll()
    .where('code_key', '=', codeKey)
    .where('deleted_at', 'is', null)

const byCode = prepareQuery((db: Db, param: { codeKey: string }) => withCode(db, param.codeKey))

/** Returns the discount with this code, regardless of case. */
export async function findDiscountByCode(
  db: Db,
  code: string,
): Promise<StoredDiscount | undefined> {
  const row = await byCode.first(db, { codeKey: code.toLowerCase() })
  return row && fromRow(row)
}

const byCodeForUpdate = prepareQuery((db: Db, param: { codeKey: string }) =>
  withCode(db, param.codeKey).$if(dialectOf(db) === 'postgres', (rows) => rows.forNoKeyUpdate()),
)

/** As `findDiscountByCode`, locked until the transaction ends, so that its limits hold. */
export async function lockDiscountByCode(
  db: Db,
  code: string,
): Promise<StoredDiscount | undefined> {
  const row = await byCodeForUpdate.first(db, { codeKey: code.toLowerCase() })
  return row && fromRow(row)
}

/** Returns a page of the discounts that match every filter. */
export async function listDiscounts(
  db: Db,
  { code, kind }: DiscountFilters,
  page: PageRequest,
): Promise<PageResult<StoredDiscount>> {
  let query = db.selectFrom('discounts').where('deleted_at', 'is', null)
  if (code !== undefined) query = query.where('code_key', '=', code.toLowerCase())
  if (kind !== undefined) query = query.where('kind', '=', kind)
  const columns = {
    id: 'id',
    code: 'code_key',
    created_at: 'created_at',
    updated_at: 'updated_at',
  } as const
  const found = await paginate(query, columns, page, (rows) => rows.selectAll('discounts'))
  return { ...found, rows: found.rows.map(fromRow) }
}

/** Inserts a discount. Throws 409/4092 when the code is taken. */
export async function insertDiscount(
  db: Db,
  state: DiscountState,
  now: Instant,
): Promise<StoredDiscount> {
  const row = await rejectDuplicate(
    db
      .insertInto('discounts')
      .values({ ...toColumns(state), created_at: now, updated_at: now, deleted_at: null })
      .returningAll()
      .executeTakeFirstOrThrow(),
    'settings.duplicate_code',
  )
  return fromRow(row)
}

/**
 * Updates a discount to its next revision, if anything has changed. Throws StaleWriteError if it has
 * changed meanwhile.
 */
export async function saveDiscount(
  db: Db,
  current: StoredDiscount,
  state: DiscountState,
  now: Instant,
): Promise<StoredDiscount> {
  if (isUnchanged(current, state)) return current
  return fromRow(await saveRevision(db, 'discounts', current, toColumns(state), now))
}

/** Marks a discount as removed and frees its code; its uses stay. */
export const removeDiscount = (db: Db, { id }: StoredDiscount, now: Instant): Promise<void> =>
  markRemoved(db, 'discounts', id, now)

interface Use {
  readonly discountId: number
  readonly orderId: number
  readonly userId: number
  readonly now: Instant
}

const countUse = prepareQuery((db: Db, param: Use) =>
  db
    .updateTable('discounts')
    .set((eb) => ({
      used_count: eb('used_count', '+', eb.lit(1)),
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .where('id', '=', param.discountId),
)

const insertUse = prepareQuery((db: Db, param: Use) =>
  db.insertInto('discount_uses').values({
    order_id: param.orderId,
    discount_id: param.discountId,
    user_id: param.userId,
    created_at: param.now,
  }),
)

/** Returns the statements that record that an order uses a discount, which must be locked. */
export const useDiscountStatements = (use: Use): readonly PreparedWrite[] => [
  countUse.write(use),
  insertUse.write(use),
]

const usesOfUser = prepareQuery((db: Db, param: { discountId: number; userId: number }) =>
  db
    .selectFrom('discount_uses')
    .select((eb) => eb.fn.countAll<number>().as('number'))
    .where('discount_id', '=', param.discountId)
    .where('user_id', '=', param.userId),
)

async function countUsesOfUser(db: Db, discountId: number, userId: number): Promise<number> {
  const row = await usesOfUser.first(db, { discountId, userId })
  return Number(row?.number ?? 0)
}

/** True once a user has used a discount as often as each user may. */
export async function hasUsedUp(
  db: Db,
  discount: StoredDiscount | undefined,
  userId: number,
): Promise<boolean> {
  const limit = discount?.usage_limit_per_user ?? null
  return discount && limit !== null
    ? (await countUsesOfUser(db, discount.id, userId)) >= limit
    : false
}

const deleteUses = prepareQuery((db: Db, param: { orderIds: readonly number[] }) =>
  db
    .deleteFrom('discount_uses')
    .where(idIn(db, 'discount_uses.order_id', param.orderIds))
    .returning('discount_id'),
)

const uncountUses = prepareQuery(
  (db: Db, param: { discountId: number; uses: number; now: Instant }) =>
    db
      .updateTable('discounts')
      .set((eb) => ({
        used_count: eb('used_count', '-', param.uses),
        revision: eb('revision', '+', eb.lit(1)),
        updated_at: param.now,
      }))
      .where('id', '=', param.discountId),
)

/** Gives the uses of these orders back, each once: the row of a use exists until then. */
export async function returnDiscountUses(
  db: Db,
  orderIds: readonly number[],
  now: Instant,
): Promise<void> {
  const uses = await deleteUses.all(db, { orderIds })
  const byDiscount = Map.groupBy(uses, ({ discount_id }) => discount_id)
  // In the order of their IDs, which keeps concurrent transactions from a deadlock.
  for (const [discountId, rows] of [...byDiscount].sort(([one], [other]) => one - other)) {
    await uncountUses.run(db, { discountId, uses: rows.length, now })
  }
}

const anonymize = prepareQuery((db: Db, param: { userId: number }) =>
  db.updateTable('discount_uses').set({ user_id: null }).where('user_id', '=', param.userId),
)

/** Removes the user from the uses of discounts. */
export const anonymizeUses = (db: Db, userId: number): Promise<number> =>
  anonymize.run(db, { userId })

const reassign = prepareQuery((db: Db, param: { from: number; to: number }) =>
  db.updateTable('discount_uses').set({ user_id: param.to }).where('user_id', '=', param.from),
)

/** Gives the uses of discounts of a user to another one. */
export const mergeUses = (
  db: Db,
  users: { readonly from: number; readonly to: number },
): Promise<number> => reassign.run(db, users)
