import { withCategoryNames } from '#shop/catalogue/categories/names.ts'
import { retryMade } from '#shop/catalogue/handles/retry-made.ts'
import { keepFormerHandles, withHandles } from '#shop/catalogue/handles/store.ts'
import { recordPrices } from '#shop/catalogue/prices/store.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import { updateWordIndex } from '#store/search/word-index.ts'
import type { Instant } from '#values/instant.ts'
import { storeAttributes } from './attribute-store.ts'
import { insertProducts, updateProducts } from './bulk-store.ts'
import { changeEvents, productEvent, stockEventType } from './events.ts'
import type { ProductState } from './rules.ts'
import { indexedChange } from './searched-texts.ts'
import type { ProductRow } from './table.ts'

/** A new product, with `before` null, or a change of one. */
export interface ProductChange {
  readonly before: ProductRow | null
  readonly state: ProductState
}

type Update = ProductChange & { readonly before: ProductRow }

/** True unless the change concerns a parent or a variant, which need each other's rows. */
export const isSingle = ({ before, state }: ProductChange): boolean =>
  state.variant_of === null &&
  (before === null || (before.variant_of === null && before.variant_count === 0))

/**
 * Creates and changes many products in a constant number of statements: `single` ones. Each change must be
 * one. Throws as `createProduct` and `saveProduct`.
 */
export async function saveProducts(
  db: Db,
  single: readonly ProductChange[],
  shop: Shop,
  now: Instant,
): Promise<void> {
  const { currency } = shop
  const given = await withCategoryNames(
    db,
    single.map(({ state }) => state),
    now,
  )
  const states = await withHandles(db, given)
  const handles = single.map(({ before }, at) => ({ before, handle: given[at]?.handle ?? null }))
  await keepFormerHandles(db, handles)
  const named = single.map(({ before }, at) => ({ before, state: states[at] as ProductState }))
  const added = named.filter(({ before }) => before === null).map(({ state }) => state)
  const changed = named.filter((change): change is Update => change.before !== null)
  const inserted = await retryMade(given, insertProducts(db, added, now))
  const updated = await retryMade(given, updateProducts(db, changed, now))
  const saved = [
    ...inserted.map((after) => ({ id: after.id, before: null, after })),
    ...updated.map(({ before, after }) => ({ id: after.id, before, after })),
  ]
  await updateWordIndex(db, saved.map(indexedChange))
  await storeAttributes(db, saved)
  await recordPrices(db, saved, now)
  await recordEvents(db, [
    ...inserted.map((product) => productEvent('product.created', product, currency, now)),
    ...updated.flatMap((change) =>
      changeEvents(stockEventType(change) ?? 'product.updated', change, currency, now),
    ),
  ])
}
