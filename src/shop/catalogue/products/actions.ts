import { withCategoryNames } from '#shop/catalogue/categories/names.ts'
import { retryMade } from '#shop/catalogue/handles/retry-made.ts'
import { keepFormerHandles, withHandles } from '#shop/catalogue/handles/store.ts'
import { removeImagesOf } from '#shop/catalogue/images/actions.ts'
import { findRating } from '#shop/catalogue/reviews/store.ts'
import {
  changeParentStatuses,
  prepareVariant,
  refreshParents,
} from '#shop/catalogue/variants/actions.ts'
import { requireNoVariants } from '#shop/catalogue/variants/rules.ts'
import { lockParents } from '#shop/catalogue/variants/store.ts'
import { VariantPlaces } from '#shop/catalogue/variants/variant-places.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import { inEntry } from '#values/problem.ts'
import { changesAttributesOfFamily, storeAttributesOfVariants } from './attribute-store.ts'
import { findOptionKeys } from './bulk-store.ts'
import { changeEvents, productEvent, stockEventType } from './events.ts'
import type { ProductState } from './rules.ts'
import * as store from './store.ts'
import type { ProductRow } from './table.ts'

/**
 * Adds a product to the catalogue. Throws 409/4092 when the SKU, or the options of a variant, are taken,
 * and 409/4091 or 422/4221 when it cannot be a variant.
 */
export async function createProduct(
  db: Db,
  state: ProductState,
  { currency }: Shop,
  now: Instant,
): Promise<ProductRow> {
  const [given = state] = await withCategoryNames(db, [state], now)
  const [named = given] = await withHandles(db, [given])
  await keepFormerHandles(db, [{ before: null, handle: given.handle }])
  const { parents, state: prepared } = await prepareVariant(db, null, named)
  const shared = fromParent(prepared, parents)
  const product = await retryMade([given], store.insertProduct(db, { ...prepared, ...shared }, now))
  await recordEvents(db, [productEvent('product.created', product, currency, now)])
  await refreshParents(db, idsOf(parents), { currency, now })
  await refreshAttributes(db, parents, { before: null, after: product })
  return product
}

/**
 * Adds variants of one product, all or none, and returns them in their order. Throws as `createProduct`, naming the
 * place of the state.
 */
export async function createVariants(
  db: Db,
  parentId: number,
  states: readonly ProductState[],
  { currency }: Shop,
  now: Instant,
): Promise<readonly ProductRow[]> {
  const given = await withCategoryNames(db, states, now)
  const named = await withHandles(db, given)
  const handles = given.map(({ handle }) => ({ before: null, handle }))
  await keepFormerHandles(db, handles)
  const parents = await lockParents(db, [parentId])
  const places = new VariantPlaces(parents, await findOptionKeys(db, [parentId]))
  const made: ProductRow[] = []
  for (const [index, state] of named.entries()) {
    const insert = async () => {
      const taken = { ...places.take(null, state), ...fromParent(state, parents) }
      return retryMade(given, store.insertProduct(db, taken, now))
    }
    made.push(await inEntry(index, insert))
  }
  await recordEvents(
    db,
    made.map((after) => productEvent('product.created', after, currency, now)),
  )
  await refreshParents(db, idsOf(parents), { currency, now })
  if (made.some((after) => changesAttributesOfFamily({ before: null, after }))) {
    await storeAttributesOfVariants(db, idsOf(parents))
  }
  return made
}

/** Changes a product. Throws as `createProduct`. */
export async function saveProduct(
  db: Db,
  product: ProductRow,
  state: ProductState,
  { currency }: Shop,
  now: Instant,
): Promise<ProductRow> {
  const [given = state] =
    state.category === product.category ? [state] : await withCategoryNames(db, [state], now)
  if (isUnchanged(product, given)) return product
  const [named = given] = await withHandles(db, [given])
  await keepFormerHandles(db, [{ before: product, handle: named.handle }])
  const { parents, state: prepared } = await prepareVariant(db, product, named)
  if (isUnchanged(product, prepared)) return product
  const shared = await fromParentAfter(db, product, prepared, parents)
  const saved = await retryMade(
    [given],
    store.saveProduct(db, product, { ...prepared, ...shared }, now),
  )
  if (saved.status !== product.status && saved.variant_count > 0) {
    await changeParentStatuses(db, [saved], { currency, now })
  }
  const type = stockEventType({ before: product, after: saved }) ?? 'product.updated'
  await recordEvents(db, changeEvents(type, { before: product, after: saved }, currency, now))
  // Its words are also those of its variants.
  const own = saved.variant_count > 0 ? [saved.id] : []
  await refreshParents(db, [...idsOf(parents), ...own], { currency, now })
  await refreshAttributes(db, own.length > 0 ? [saved] : parents, { before: product, after: saved })
  return saved
}

/** Brings the attributes that facets have of these products up to date with those of their variants. */
async function refreshAttributes(
  db: Db,
  products: readonly Pick<ProductRow, 'id'>[],
  change: Parameters<typeof changesAttributesOfFamily>[0],
): Promise<void> {
  const ids = products.map(({ id }) => id)
  if (changesAttributesOfFamily(change)) await storeAttributesOfVariants(db, ids)
}

/** What a variant has from its parent, or a product that ceases to be one has instead. */
async function fromParentAfter(
  db: Db,
  { id, variant_of }: ProductRow,
  next: ProductState,
  parents: readonly ProductRow[],
): Promise<store.FromParent | undefined> {
  const hasLeft = variant_of !== null && next.variant_of === null
  if (!hasLeft) return fromParent(next, parents)
  return { ...(await findRating(db, id)), parent_status: null }
}

/** What a variant has from its parent: rating and status; undefined for any other product. */
function fromParent(
  { variant_of }: ProductState,
  parents: readonly ProductRow[],
): store.FromParent | undefined {
  const parent = parents.find(({ id }) => id === variant_of)
  return parent && store.fromParent(parent)
}

const idsOf = (products: readonly ProductRow[]): readonly number[] => products.map(({ id }) => id)

/**
 * Removes a product from the catalogue; the event has its last representation. Throws 409/4091 for a
 * product with variants.
 */
export async function removeProduct(
  db: Db,
  product: ProductRow,
  { currency }: Shop,
  now: Instant,
): Promise<void> {
  requireNoVariants(product)
  const { variant_of } = product
  const parents = variant_of === null ? [] : [variant_of]
  if (variant_of !== null) await lockParents(db, parents)
  await store.removeProduct(db, product, now)
  await removeImagesOf(db, product.id, now)
  await recordEvents(db, [productEvent('product.deleted', product, currency, now)])
  await refreshParents(db, parents, { currency, now })
  const parent = parents.map((id) => ({ id }))
  await refreshAttributes(db, parent, { before: product, after: null })
}
