import { entityEvents } from '#shop/events/entity-events.ts'
import type { DomainEvent } from '#shop/events/outbox-store.ts'
import type { Instant } from '#values/instant.ts'
import { type ProductInEvent, presentProduct } from './rules.ts'
import { Product } from './schema.ts'
import { isAvailable, isSoldOut } from './sellable.ts'
import { isActive } from './visibility.ts'

type StockEventType = 'product.out_of_stock' | 'product.back_in_stock'

const event = entityEvents<
  ProductInEvent & { readonly currency: string },
  'product.created' | 'product.updated' | 'product.deleted' | StockEventType
>({
  schema: Product,
  present: (product) => presentProduct(product, product.currency, ''),
  subject: ({ id }) => `/products/${id}`,
  audience: (product) => (isActive(product) ? null : 'managers'),
})

/** Creates an event about a product with its price in this currency. */
export const productEvent = (
  type: Parameters<typeof event>[0],
  product: ProductInEvent,
  currency: string,
  now: Instant,
): DomainEvent => event(type, { ...product, currency }, now)

/**
 * Returns the events of a change: one for those who see hidden products, and for others that a product was created when
 * it is shown, and that it was deleted when it is hidden.
 */
export const changeEvents = (
  type: Parameters<typeof event>[0],
  change: StockChange,
  currency: string,
  now: Instant,
): readonly DomainEvent[] => {
  const whole = productEvent(type, change.after, currency, now)
  const forOthers = visibilityEvents(change, currency, now)
  return forOthers.length === 0 ? [whole] : [{ ...whole, audience: 'managers' }, ...forOthers]
}

/** Returns the event of a change by which a product is hidden or shown, for those who do not see hidden products. */
export function visibilityEvents(
  { before, after }: StockChange,
  currency: string,
  now: Instant,
): readonly DomainEvent[] {
  if (isActive(before) === isActive(after)) return []
  const shown = isActive(after)
    ? productEvent('product.created', after, currency, now)
    : productEvent('product.deleted', before, currency, now)
  return [{ ...shown, audience: 'public' }]
}

/** A product before and after a change of its stock. */
export interface StockChange {
  readonly before: ProductInEvent
  readonly after: ProductInEvent
}

/** Returns the type of a change after which a product is sold out, or no longer. */
export function stockEventType({ before, after }: StockChange): StockEventType | undefined {
  if (isAvailable(before) && isSoldOut(after)) return 'product.out_of_stock'
  if (isSoldOut(before) && isAvailable(after)) return 'product.back_in_stock'
  return undefined
}

/** Returns the events of stock changes of one transaction, in order: one at most for each product. */
export function stockEvents(
  changes: readonly StockChange[],
  currency: string,
  now: Instant,
): readonly DomainEvent[] {
  const byProduct = new Map<number, StockChange>()
  for (const { before, after } of changes) {
    byProduct.set(after.id, { before: byProduct.get(after.id)?.before ?? before, after })
  }
  return [...byProduct.values()].flatMap((change) => {
    const type = stockEventType(change)
    return type === undefined ? [] : [productEvent(type, change.after, currency, now)]
  })
}
