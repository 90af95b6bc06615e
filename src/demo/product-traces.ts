import { hourMs, type Instant } from '#values/instant.ts'
import type { DemoHistory } from './history.ts'
import { cancelledAt, placedAt } from './order-rows.ts'
import type { NewRow } from './store.ts'

/** What has happened to one product since it was created. */
interface Traces {
  revision: number
  updated_at: Instant
  rating_sum: number
  rating_count: number
}

/** Products with the traces that orders, where stock is counted, and reviews have left on them. */
export function withTraces(
  products: readonly NewRow<'products'>[],
  { orders, reviews }: DemoHistory,
  now: Instant,
): readonly NewRow<'products'>[] {
  const traced = products.map((product) => ({ product, traces: untouched(product) }))
  const touch = (index: number, at: Instant, rating?: number): void => {
    const traces = traced[index]?.traces
    if (traces) leaveTrace(traces, at, rating)
  }
  for (const order of orders) {
    for (const { product_index } of order.items) {
      if (products[product_index]?.stock == null) continue
      touch(product_index, placedAt(order, now))
      if (order.status === 'cancelled') touch(product_index, cancelledAt(order, now))
    }
  }
  for (const { product_index, rating, age_hours } of reviews) {
    touch(product_index, now - age_hours * hourMs, rating)
  }
  return traced.map(({ product, traces }) => ({
    ...product,
    ...traces,
    rating_average: traces.rating_count === 0 ? null : traces.rating_sum / traces.rating_count,
  }))
}

const untouched = ({ created_at }: NewRow<'products'>): Traces => ({
  revision: 1,
  updated_at: created_at,
  rating_sum: 0,
  rating_count: 0,
})

function leaveTrace(traces: Traces, at: Instant, rating: number | undefined): void {
  traces.revision += 1
  traces.updated_at = Math.max(traces.updated_at, at)
  if (rating === undefined) return
  traces.rating_sum += rating
  traces.rating_count += 1
}
