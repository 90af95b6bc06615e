import { withCategoryNames } from '#shop/catalogue/categories/names.ts'
import { retryMade } from '#shop/catalogue/handles/retry-made.ts'
import { keepFormerHandles, withHandles } from '#shop/catalogue/handles/store.ts'
import { recordPrices } from '#shop/catalogue/prices/store.ts'
import { changeParentStatuses, refreshParents } from '#shop/catalogue/variants/actions.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import { updateWordIndex } from '#store/search/word-index.ts'
import type { Instant } from '#values/instant.ts'
import {
  changesAttributesOfFamily,
  storeAttributes,
  storeAttributesOfVariants,
} from './attribute-store.ts'
import { insertProducts, type StoredProduct, updateProducts } from './bulk-store.ts'
import { changeEvents, productEvent, stockEventType } from './events.ts'
import type { ProductState } from './rules.ts'
import { indexedChange } from './searched-texts.ts'
import { fromParent, ofNoParent } from './store.ts'
import type { ProductRow } from './table.ts'

/** A new product, with `before` null, or a change of one. */
export interface ProductChange {
  readonly before: ProductRow | null
  readonly state: ProductState
}

type Update = ProductChange & { readonly before: ProductRow }

/** True for a product that becomes a variant or ceases to be one, or has another parent. */
export const isMoved = ({ before, state }: ProductChange): boolean =>
  before !== null && before.variant_of !== state.variant_of

/** A product before and after a change; `before` is null for a new one. */
interface SavedProduct {
  readonly id: number
  readonly before: ProductRow | null
  readonly after: StoredProduct
}

/**
 * Creates and changes many products in a number of statements that does not depend on theirs: none of which is moved,
 * and with options that their locked `parents` take. Throws as `createProduct` and `saveProduct`.
 */
export async function saveProducts(
  db: Db,
  changes: readonly ProductChange[],
  parents: readonly ProductRow[],
  { currency }: Shop,
  now: Instant,
): Promise<void> {
  const saved = await storeProducts(db, changes, parents, now)
  await updateWordIndex(db, saved.map(indexedChange))
  await storeAttributes(db, saved)
  await recordPrices(db, saved, now)
  await recordEvents(
    db,
    saved.flatMap(({ before, after }) => {
      if (before === null) return [productEvent('product.created', after, currency, now)]
      const change = { before, after }
      return changeEvents(stockEventType(change) ?? 'product.updated', change, currency, now)
    }),
  )
  const ofParents = saved.filter(({ after }) => after.variant_count > 0)
  const hidden = ofParents.filter(({ before, after }) => before?.status !== after.status)
  await changeParentStatuses(
    db,
    hidden.map(({ after }) => after),
    { currency, now },
  )
  await refreshParents(db, familiesOf(saved.filter(changesParent)), { currency, now })
  await storeAttributesOfVariants(db, familiesOf(saved.filter(changesFacets)))
}

/** Stores products, without what else follows from them; new ones are first, each kind in order. */
async function storeProducts(
  db: Db,
  changes: readonly ProductChange[],
  parents: readonly ProductRow[],
  now: Instant,
): Promise<readonly SavedProduct[]> {
  const given = await withCategoryNames(
    db,
    changes.map(({ state }) => state),
    now,
  )
  const states = await withHandles(db, given)
  const handles = changes.map(({ before }, at) => ({ before, handle: given[at]?.handle ?? null }))
  await keepFormerHandles(db, handles)
  const named = changes.map(({ before }, at) => ({ before, state: states[at] as ProductState }))
  const changed = named.filter((change): change is Update => change.before !== null)
  const statuses = new Map(changed.map(({ before, state }) => [before.id, state.status]))
  const shared = new Map(
    parents.map((parent) => {
      const { id, status } = parent
      return [id, fromParent({ ...parent, status: statuses.get(id) ?? status })]
    }),
  )
  const added = named
    .filter(({ before }) => before === null)
    .map(({ state }) => ({ ...state, ...(shared.get(state.variant_of ?? 0) ?? ofNoParent) }))
  const inserted = await retryMade(given, insertProducts(db, added, now))
  const updated = await retryMade(given, updateProducts(db, changed, now))
  return [
    ...inserted.map((after) => ({ id: after.id, before: null, after })),
    ...updated.map(({ before, after }) => ({ id: after.id, before, after })),
  ]
}

/** What a parent reflects of a variant. */
const reflected = ['availability', 'price', 'options', 'status', 'search_text'] as const

/** True for a change of a parent, which has lost the words of its variants, or one that its parent reflects. */
const changesParent = ({ before, after }: SavedProduct): boolean =>
  after.variant_count > 0 ||
  (after.variant_of !== null && reflected.some((name) => before?.[name] !== after[name]))

/** True for a change after which the facets of a parent have other attributes. */
const changesFacets = ({ before, after }: SavedProduct): boolean =>
  (after.variant_of !== null || after.variant_count > 0) &&
  changesAttributesOfFamily({ before, after })

/** The products and the parents of variants, each once. */
const familiesOf = (saved: readonly SavedProduct[]): readonly number[] => [
  ...new Set(saved.map(({ id, after }) => after.variant_of ?? id)),
]
