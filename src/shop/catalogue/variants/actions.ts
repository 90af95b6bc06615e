import {
  productEvent,
  type StockChange,
  stockEvents,
  stockEventType,
  visibilityEvents,
} from '#shop/catalogue/products/events.ts'
import type { ProductState } from '#shop/catalogue/products/rules.ts'
import type { ProductRow } from '#shop/catalogue/products/table.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import type { Db } from '#store/database.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import { parseOptions } from './options.ts'
import { parentsToRefresh, requireVariant, summarizeVariants } from './rules.ts'
import * as store from './store.ts'

/** When and in which currency products change. */
export interface ChangeContext {
  readonly currency: string
  readonly now: Instant
}

/**
 * Brings availability, price and options of these products up to date with their variants, and stores
 * the events. Call it in the transaction of every change of a variant, after the change. The products
 * are locked before their variants are read, so that of two transactions the second one sees both
 * changes. `planned` has the options of a product whose options are set.
 */
export async function refreshParents(
  db: Db,
  ids: readonly number[],
  { currency, now }: ChangeContext,
  planned: Partial<Pick<ProductRow, 'option_list'>> = {},
): Promise<void> {
  if (ids.length === 0) return
  const parents = await store.lockParents(db, ids)
  const variants = Map.groupBy(await store.findVariants(db, ids), ({ variant_of }) => variant_of)
  const families = parents
    .filter(({ deleted_at }) => deleted_at === null)
    .map((parent) => ({ parent, variants: variants.get(parent.id) ?? [] }))
  const changes = families.flatMap(({ parent, variants: own }) => {
    const state = summarizeVariants({ ...parent, ...planned }, own)
    return isUnchanged(parent, state) ? [] : [{ parent, state }]
  })
  const changed = await store.updateParents(db, changes, now)
  const events = changed.map((after, at) => {
    const { parent: before } = changes[at] as (typeof changes)[number]
    return productEvent(
      stockEventType({ before, after }) ?? 'product.updated',
      after,
      currency,
      now,
    )
  })
  await recordEvents(db, events)
  await store.updateParentWords(db, families)
}

/** Hides or shows the variants of products with these, and stores the events of that. */
export async function changeParentStatuses(
  db: Db,
  parents: readonly Pick<ProductRow, 'id' | 'status'>[],
  { currency, now }: ChangeContext,
): Promise<void> {
  if (parents.length === 0) return
  const changes = await store.setParentStatuses(db, parents, now)
  await recordEvents(
    db,
    changes.flatMap((change) => visibilityEvents(change, currency, now)),
  )
}

/** Stores the events of stock changes, and brings the parents of variants up to date. */
export async function recordStockChanges(
  db: Db,
  changes: readonly StockChange[],
  context: ChangeContext,
): Promise<void> {
  await recordEvents(db, stockEvents(changes, context.currency, context.now))
  await refreshParents(db, parentsToRefresh(changes), context)
}

/**
 * Locks the parents of a product that is or becomes a variant, and returns them and its state, with its options named
 * as those of its siblings. Throws 422/4221 or 409/4091 when it cannot be a variant with these options.
 */
export async function prepareVariant(
  db: Db,
  before: ProductRow | null,
  state: ProductState,
): Promise<{ readonly parents: readonly ProductRow[]; readonly state: ProductState }> {
  const { variant_of, options } = state
  const ids = [...new Set([variant_of, before?.variant_of ?? null])].filter((id) => id !== null)
  if (ids.length === 0) return { parents: [], state }
  const parents = await store.lockParents(db, ids)
  const isSame = before !== null && isUnchanged(before, { variant_of, options })
  if (variant_of === null || isSame) return { parents, state }
  const variant = before ?? { id: null, name: '', variant_of: null, variant_count: 0 }
  const parent = parents.find(({ id }) => id === variant_of)
  const named = requireVariant(parent, variant, parseOptions(options) ?? {})
  return { parents, state: { ...state, options: JSON.stringify(named) } }
}
