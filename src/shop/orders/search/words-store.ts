import { orders } from '#shop/orders/orders/table.ts'
import type { Db } from '#store/database.ts'
import { settings } from '#store/own-tables.ts'
import { idIn } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { FoundByWords } from '#store/search/found-by-words.ts'
import { orderWords } from './table.ts'

/** What an order is found by. */
interface SearchedOrder {
  readonly id: number
  readonly texts: readonly (string | null)[]
}

/** Orders, which are found by number, contact, recipient, tracking numbers and SKUs, and by their IDs. */
export const ordersByWords = new FoundByWords<SearchedOrder>({
  found: orders,
  words: orderWords,
  textsOf: ({ texts }) => texts,
  hasNumbers: true,
})

const orderTexts = prepareQuery((db: Db, param: { ids: readonly number[] }) =>
  db
    .selectFrom('orders')
    .select(['id', 'deleted_at', 'number'])
    .select(['contact_name', 'contact_email', 'recipient', 'tracking_number'])
    .where(idIn(db, 'orders.id', param.ids)),
)

const skus = prepareQuery((db: Db, param: { ids: readonly number[] }) =>
  db
    .selectFrom('order_items')
    .select(['order_id', 'sku'])
    .where(idIn(db, 'order_items.order_id', param.ids))
    .where('sku', 'is not', null),
)

const trackingNumbers = prepareQuery((db: Db, param: { ids: readonly number[] }) =>
  db
    .selectFrom('parcels')
    .select(['order_id', 'tracking_number'])
    .where(idIn(db, 'parcels.order_id', param.ids)),
)

/** Makes a search find orders by what they are now. The transaction has locked the progress, unless they are new. */
export async function replaceWords(transactionDb: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const items = Map.groupBy(await skus.all(transactionDb, { ids }), ({ order_id }) => order_id)
  const parcels = await trackingNumbers.all(transactionDb, { ids })
  const sent = Map.groupBy(parcels, ({ order_id }) => order_id)
  const rows = await orderTexts.all(transactionDb, { ids })
  const searched = rows.map(({ id, deleted_at, ...texts }) => {
    const ordered = (items.get(id) ?? []).map(({ sku }) => sku)
    const tracked = (sent.get(id) ?? []).map(({ tracking_number }) => tracking_number)
    const found = [...Object.values(texts), ...ordered, ...tracked]
    return { id, texts: deleted_at === null ? found : [] }
  })
  await ordersByWords.replace(transactionDb, searched)
}

const newestBelow = prepareQuery((db: Db, param: { below: number; limit: number }) =>
  db
    .selectFrom('orders')
    .select('id')
    .where('id', '<', param.below)
    .orderBy('id', 'desc')
    .limit(param.limit),
)

/** Returns the IDs of the newest orders below an ID, the highest first. */
export const findIdsBelow = async (
  db: Db,
  range: { readonly below: number; readonly limit: number },
): Promise<readonly number[]> => (await newestBelow.all(db, range)).map(({ id }) => id)

/** How far orders have their words. */
export interface Progress {
  /** The sequence number of the last event whose order has its words. */
  readonly events: number
  /** The ID below which older orders have none yet; 0 once all have. */
  readonly below: number
}

/** Before the first event and the newest order. */
const nothing: Progress = { events: -1, below: Number.MAX_SAFE_INTEGER }

/** The row of `settings` with the progress. */
const name = 'order_words.progress'

/** Returns the progress; undefined before the first. */
export async function findProgress(db: Db, locks = false): Promise<Progress | undefined> {
  const row = await settings.find(db, { name }, { locks })
  return row && (JSON.parse(row.value) as Progress)
}

/** Returns the progress, and lets no other transaction write words until this one ends. */
export async function lockProgress(transactionDb: Db): Promise<Progress> {
  const locked = await findProgress(transactionDb, true)
  if (locked) return locked
  await settings.insertMissing(transactionDb, [{ name, value: JSON.stringify(nothing) }])
  return (await findProgress(transactionDb, true)) ?? nothing
}

/** Stores the progress, which the transaction has locked. */
export const saveProgress = async (transactionDb: Db, progress: Progress): Promise<void> => {
  await settings.update(transactionDb, { name }, { value: JSON.stringify(progress) })
}

/** Has the words of all orders made anew. */
export const forgetProgress = async (db: Db): Promise<void> => {
  await settings.delete(db, { name })
}
