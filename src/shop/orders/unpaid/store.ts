import { sql } from 'kysely'
import { nullable } from '#schema/words.ts'
import { hasPaymentInProgress, hasPaymentWith } from '#shop/orders/orders/store.ts'
import { type OrderRow, orders } from '#shop/orders/orders/table.ts'
import { integer, text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { dialectOf, idIn, textIn } from '#store/query/dialect.ts'
import { prepareQuery, prepareSql } from '#store/query/prepared.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import type { Instant } from '#values/instant.ts'
import { type Holder, minPiecesHeld, type UnpaidLine, type YieldingOrder } from './rules.ts'

/** Who places an order: the user, and the network of the request. */
export interface Placer {
  readonly userId: number
  readonly network: string
}

const lockNetworkRow = prepareQuery((db: Db, { network }: { network: string }) =>
  db.selectNoFrom(
    sql`pg_advisory_xact_lock(hashtextextended(${`unpaid orders `} || ${network}, 0))`.as('held'),
  ),
)

/**
 * Makes orders of one network wait for each other until the transaction ends. The lock is sent with the
 * next statement. SQLite needs none, because it has a single writer.
 */
export async function lockNetwork(db: Db, network: string): Promise<void> {
  if (dialectOf(db) === 'postgres') await writeBatch(db, [lockNetworkRow.write({ network })])
}

const counts = prepareSql(
  (_: Db, { userId, network }: Placer) => sql`
    select coalesce((select sum(number) from order_counts
        where user_id = ${userId} and status = 'pending'), 0) as of_user,
      (select count(*) from orders where network = ${network}) as of_network`,
  { of_user: integer, of_network: integer },
)

/** Returns how many unpaid orders a user and a network have. */
export async function countUnpaidOrders(
  db: Db,
  placer: Placer,
): Promise<{ readonly ofUser: number; readonly ofNetwork: number }> {
  const row = await counts.first(db, placer)
  return { ofUser: Number(row?.of_user ?? 0), ofNetwork: Number(row?.of_network ?? 0) }
}

const pendingHistory = prepareSql(
  (_: Db, { userId }: { userId: number }) => sql`
    select count(*) as number from orders
    where user_id = ${userId} and status = 'pending' and source = 'import' and deleted_at is null`,
  { number: integer },
)

/** Returns how many imported orders of a user are pending, which wait for no payment. */
export const countPendingHistory = async (db: Db, userId: number): Promise<number> =>
  Number((await pendingHistory.first(db, { userId }))?.number ?? 0)

/** The number of the newest orders of a user among which the unpaid ones are looked for. */
const newestOrders = 200

const firstExpiry = prepareSql(
  (_: Db, { userId, network }: Placer) => sql`
    select min(expires_at) as expires_at from (
      select expires_at from (select expires_at from orders where user_id = ${userId}
        order by id desc limit ${sql.lit(newestOrders)}) as own
      union all select expires_at from orders where network = ${network}) as unpaid
    where expires_at is not null`,
  { expires_at: integer },
)

/** Returns when the first unpaid order of a user or network expires. */
export const findFirstExpiry = async (db: Db, placer: Placer): Promise<Instant | undefined> =>
  (await firstExpiry.first(db, placer))?.expires_at ?? undefined

/** The lines of these products in unpaid orders, found by the blocks of orders that have any. */
const unpaidLines = (db: Db, ids: readonly number[]) => sql`
  (with recursive blocks(block) as (
    select min(order_block) from order_items where unpaid is not null
    union all
    select (select min(later.order_block) from order_items as later
      where later.unpaid is not null and later.order_block > blocks.block)
    from blocks where blocks.block is not null)
  select order_items.order_id, order_items.product_id, order_items.unpaid as pieces
  from blocks cross join order_items
  where order_items.order_block = blocks.block and ${idIn(db, 'order_items.product_id', ids)}
    and order_items.unpaid is not null)`

interface HoldersWanted {
  readonly ids: readonly number[]
  readonly network: string
  readonly share: number
}

const holders = prepareSql(
  (db: Db, { ids, network, share }: HoldersWanted) => sql`
    select product_id, network, cast(held as bigint) as pieces,
      cast(pieces_together as bigint) as pieces_together
    from (
      select product_id, network, held, held_together + (select products.stock from products
        where products.id = holder.product_id) as pieces_together
      from (
        select product_id, network, sum(pieces) as held,
          sum(sum(pieces)) over (partition by product_id) as held_together
        from (
          select held.product_id, held.pieces,
            (select orders.network from orders where orders.id = held.order_id) as network
          from ${unpaidLines(db, ids)} as held
        ) as line
        group by product_id, network
      ) as holder
      where network is not null and network <> ${network} and held > ${sql.lit(minPiecesHeld)}
    ) as counted
    where held > cast(${share} as double precision) * pieces_together`,
  { product_id: integer, network: text, pieces: integer, pieces_together: integer },
)

/**
 * Returns the networks, but one, whose unpaid orders hold more than their share of these products, which
 * is `share` of what is in stock and held together.
 */
export const findHolders = (db: Db, wanted: HoldersWanted): Promise<readonly Holder[]> =>
  holders.all(db, wanted)

/** The payments that do not keep an order from yielding: those that wait for their buyers. */
export interface WaitingPayments {
  /** The provider at which they can be cancelled. */
  readonly provider: string
  /** The first attempt to pay for the order is as old as this. */
  readonly startedBefore: Instant
}

/** 0 for an order without a payment under way, 1 for one with a payment that can be ended, else null. */
const awaitsBuyer = ({ provider, startedBefore }: WaitingPayments) => sql`
  case when not ${hasPaymentInProgress} then 0
    when ${hasPaymentWith(sql`payments.due_at is not null and payments.status = 'action_required'
      and payments.cancel_requested_at is null and payments.provider = ${provider}`)}
      and ${hasPaymentWith(sql`payments.created_at <= ${startedBefore}`)} then 1
  end`

/** The lines that are read to choose from; those of older orders yield later. */
const maxLines = 2_000

interface LinesWanted extends WaitingPayments {
  readonly ids: readonly number[]
  readonly networks: readonly string[]
}

const yieldingLines = prepareSql(
  (db: Db, { ids, networks, provider, startedBefore }: LinesWanted) => sql`
    select * from (
      select held.order_id, orders.revision, orders.network, orders.discount_id,
        held.product_id, held.pieces, ${awaitsBuyer({ provider, startedBefore })} as awaits_buyer
      from ${unpaidLines(db, ids)} as held cross join orders
      where orders.id = held.order_id and ${textIn(db, 'orders.network', networks)}
    ) as line
    where awaits_buyer is not null
    order by order_id desc limit ${sql.lit(maxLines)}`,
  {
    ...{ order_id: integer, revision: integer, network: text, discount_id: nullable(integer) },
    ...{ product_id: integer, pieces: integer, awaits_buyer: integer },
  },
)

/**
 * Returns the lines of these products in unpaid orders of these networks, those of the newest order first,
 * without orders whose payment is under way and cannot be ended.
 */
export const findYieldingLines = (db: Db, wanted: LinesWanted): Promise<readonly UnpaidLine[]> =>
  yieldingLines.all(db, wanted)

interface UsesWanted extends WaitingPayments {
  readonly discountId: number
  readonly network: string
  /** The first use of a network yields if it is as old as this. */
  readonly firstBefore: Instant
  readonly count: number
}

const yieldingUses = prepareSql(
  (_: Db, { discountId, network, firstBefore, count, provider, startedBefore }: UsesWanted) => sql`
    select * from (
      select orders.id, orders.revision, orders.discount_id, ${awaitsBuyer({ provider, startedBefore })} as awaits_buyer
      from orders
      where orders.discount_id = ${discountId} and orders.network is not null
        and orders.network <> ${network}
        and (orders.created_at <= ${firstBefore} or exists (
          select 1 from orders as earlier where earlier.discount_id = ${discountId}
            and earlier.network = orders.network and earlier.id < orders.id))
    ) as found
    where awaits_buyer is not null
    order by awaits_buyer, id desc limit ${count}`,
  { id: integer, revision: integer, discount_id: nullable(integer), awaits_buyer: integer },
)

/**
 * Returns the newest unpaid orders of other networks whose uses of a discount yield: all but the first of
 * each network, and that one after a while. Those whose payment must be ended are the last; others whose
 * payment is under way are left out.
 */
export const findYieldingUses = (db: Db, wanted: UsesWanted): Promise<readonly YieldingOrder[]> =>
  yieldingUses.all(db, wanted)

const unlocked = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    select * from orders where ${idIn(db, 'orders.id', ids)}
    ${dialectOf(db) === 'sqlite' ? sql`` : sql`for no key update skip locked`}`,
  orders.schemas,
)

/**
 * Locks orders until the transaction ends and returns them. Waits for nobody: leaves those out that have changed
 * since they were read, as they do when their payments begin, or are changing now.
 */
export async function lockUnchanged(
  db: Db,
  read: readonly YieldingOrder[],
): Promise<readonly OrderRow[]> {
  if (read.length === 0) return []
  const rows = await unlocked.all(db, { ids: read.map(({ id }) => id) })
  const revisions = new Map(read.map(({ id, revision }) => [id, revision]))
  return rows.filter(({ id, revision }) => revisions.get(id) === revision)
}

const productsOf = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    select distinct product_id from order_items where ${idIn(db, 'order_items.order_id', ids)}`,
  { product_id: integer },
)

/** Returns the IDs of the products of these orders. */
export const findProductIds = async (db: Db, ids: readonly number[]): Promise<readonly number[]> =>
  (await productsOf.all(db, { ids })).map(({ product_id }) => product_id)
