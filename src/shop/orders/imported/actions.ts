import { createGuestState, defaultGuestName } from '#shop/accounts/users/rules.ts'
import { users } from '#shop/accounts/users/table.ts'
import { usersByWords } from '#shop/accounts/users/words-store.ts'
import { orderItems } from '#shop/orders/order-items/table.ts'
import { orders } from '#shop/orders/orders/table.ts'
import { replaceWords } from '#shop/orders/search/words-store.ts'
import type { Db } from '#store/database.ts'
import { reserveIds } from '#store/query/reserve-ids.ts'
import { accountKey } from '#values/account-key.ts'
import type { Instant } from '#values/instant.ts'
import { textKey } from '#values/text-key.ts'
import type { ImportedColumns, ImportedItem } from './rules.ts'
import * as store from './store.ts'

/** An order of another shop whose rows were judged: each item has a name, or the SKU of a product here. */
export interface OrderToImport {
  readonly columns: ImportedColumns
  readonly lines: readonly ImportedItem[]
}

/** The products here that items name by their SKUs, by the keys of these. */
export type SoldProducts = Awaited<ReturnType<typeof store.findSoldProducts>>

/** Returns the product of an item; undefined without one. */
export const productOf = (
  products: SoldProducts,
  { sku }: Pick<ImportedItem, 'sku'>,
): ReturnType<SoldProducts['get']> => (sku === null ? undefined : products.get(textKey(sku)))

/**
 * Inserts orders of another shop with their items, purchases and words, in a number of statements that does not depend on
 * theirs. They take no stock and give no events. Each is that of the account with its address, else of a guest.
 */
export async function insertImportedOrders(
  db: Db,
  imported: readonly OrderToImport[],
  products: SoldProducts,
  now: Instant,
): Promise<void> {
  if (imported.length === 0) return
  const buyers = await findBuyers(db, imported, now)
  const ids = await reserveIds(db, 'orders', imported.length)
  const idAt = (at: number): number => ids[at] ?? 0
  const rows = imported.map(({ columns }, at) => ({
    ...{ id: idAt(at), ...columns, ...buyers[at] },
    ...{ updated_at: now },
  }))
  await store.insertingOrders(orders.insertAll(db, rows))
  const items = imported.flatMap(({ lines, columns: { created_at } }, at) =>
    lines.map((line) => ({ order_id: idAt(at), ...itemColumns(line, products), created_at })),
  )
  await orderItems.insertAll(db, items)
  await store.recordImportedPurchases(db, ids)
  await replaceWords(db, ids)
}

function itemColumns({ options, name, ...line }: ImportedItem, products: SoldProducts) {
  const product = productOf(products, line)
  const { id = null, tax_class = null, category = null, requires_shipping = 1 } = product ?? {}
  return {
    ...line,
    ...{ product_id: id, tax_class, category, requires_shipping },
    name: name ?? product?.name ?? '',
    options: options === null ? (product?.options ?? null) : JSON.stringify(options),
  }
}

/** The buyer of an order, as its columns: the key of the address is that of a guest. */
interface Buyer {
  readonly user_id: number
  readonly contact_key: string | null
}

/** Returns the buyer of each order: the account with its address, a guest with it, or a new one. */
async function findBuyers(
  db: Db,
  imported: readonly OrderToImport[],
  now: Instant,
): Promise<readonly Buyer[]> {
  const keys = imported.map(({ columns: { contact_email: email } }) =>
    email === null ? null : accountKey(email),
  )
  const given = [...new Set(keys.flatMap((key) => key ?? []))]
  const accounts = await store.lockAccounts(db, given)
  const guests = new Map(await store.lockGuests(db, given))
  const isNew = (key: string | null) => key === null || !(accounts.has(key) || guests.has(key))
  const strangers: OrderToImport[] = []
  const places = keys.map((key, at) => {
    if (!isNew(key)) return undefined
    // Of further orders with the address, the buyer is known by then.
    if (key !== null) guests.set(key, 0)
    return strangers.push(imported[at] as OrderToImport) - 1
  })
  const ids = await insertGuests(db, strangers, now)
  for (const [at, place] of places.entries()) {
    const key = keys[at] ?? null
    if (place !== undefined && key !== null) guests.set(key, ids[place] ?? 0)
  }
  return keys.map((key, at): Buyer => {
    const account = key === null ? undefined : accounts.get(key)
    if (account !== undefined) return { user_id: account, contact_key: null }
    const place = places[at]
    const guest = key === null ? ids[place ?? 0] : guests.get(key)
    return { user_id: guest ?? 0, contact_key: key }
  })
}

/** Inserts the buyers of orders as guests, who are kept for them, and returns their IDs. */
async function insertGuests(
  db: Db,
  ofOrders: readonly OrderToImport[],
  now: Instant,
): Promise<readonly number[]> {
  const ids = await reserveIds(db, 'users', ofOrders.length)
  const guests = ofOrders.map(({ columns: { contact_name, contact_email } }, at) => ({
    id: ids[at] ?? 0,
    ...createGuestState({
      name: contact_name ?? defaultGuestName,
      email: contact_email,
      language: 'en',
    }),
    ...{ created_at: now, updated_at: now },
  }))
  await users.insertAll(db, guests)
  await usersByWords.insertAll(db, guests)
  return ids
}
