import { drawAgeHours, drawDispatch } from './dispatch.ts'
import { createRandom, entryAt, integerBetween, type Random, shuffled } from './random.ts'
import type {
  DemoOrder,
  DemoOrderItem,
  DemoOrderStatus,
  DemoPerson,
  DemoProduct,
  DemoReview,
} from './rows.ts'
import type { WrittenReview } from './written-review.ts'
import { WRITTEN_REVIEWS } from './written-reviews.ts'

/** What happened in the demo shop so far: both lists run from the oldest to the newest. */
export interface DemoHistory {
  readonly orders: readonly DemoOrder[]
  readonly reviews: readonly DemoReview[]
}

/** An order still being filled. */
interface Basket {
  readonly user_index: number
  readonly status: DemoOrderStatus
  readonly product_indexes: Set<number>
  readonly reviews: { readonly product_index: number; readonly written: WrittenReview }[]
}

const SEED = 20_417
const MOST_REVIEWED_LINES = 6

const ORDER_COUNTS = { delivered: 42, shipped: 7, paid: 6, cancelled: 5, pending: 3 } as const

const NOTES = [
  'Please leave it with the neighbour across the landing.',
  'It is a present: no prices in the parcel, please.',
  'The doorbell is broken, knock loudly.',
  'Happy to wait so that everything comes in one parcel.',
  'Gate code is on the blue tile.',
  'Reused packaging is fine.',
]

/**
 * Returns the same orders and reviews every time for the same products and people, in which only
 * people whose order was delivered review a product, and nobody reviews one twice.
 */
export function demoHistory(
  products: readonly DemoProduct[],
  people: readonly DemoPerson[],
): DemoHistory {
  if (products.length === 0 || people.length === 0) return { orders: [], reviews: [] }
  const random = createRandom(SEED)
  const baskets = openBaskets(people.length, random)
  dealReviews(baskets, products, random)
  const reviews: DemoReview[] = []
  const orders = baskets.flatMap((basket) => {
    addLooseItems(basket, products, random)
    const order = closeBasket(basket, products, people, random)
    if (order === undefined) return []
    reviews.push(...publishReviews(basket, order, random))
    return [order]
  })
  return { orders: oldestFirst(orders), reviews: oldestFirst(reviews) }
}

function oldestFirst<Row extends { readonly age_hours: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => b.age_hours - a.age_hours)
}

/** Goes round all the people before anyone orders again, in another order each time. */
function openBaskets(peopleCount: number, random: Random): Basket[] {
  const everyone = Array.from({ length: peopleCount }, (_, user_index) => user_index)
  let queue: number[] = []
  return Object.entries(ORDER_COUNTS).flatMap(([status, count]) =>
    Array.from({ length: count }, () => {
      if (queue.length === 0) queue = shuffled(everyone, random)
      return {
        user_index: queue.pop() ?? 0,
        status: status as DemoOrderStatus,
        product_indexes: new Set<number>(),
        reviews: [],
      }
    }),
  )
}

/** Puts every reviewed product in the delivered basket of someone who has not bought it yet. */
function dealReviews(
  baskets: readonly Basket[],
  products: readonly DemoProduct[],
  random: Random,
): void {
  const indexBySku = new Map(products.map(({ sku }, product_index) => [sku, product_index]))
  const delivered = baskets.filter(({ status }) => status === 'delivered')
  const bought = new Set<string>()
  for (const written of shuffled(WRITTEN_REVIEWS, random)) {
    const product_index = indexBySku.get(written[0])
    if (product_index === undefined) continue
    const basket = shuffled(delivered, random).find(
      ({ user_index, reviews }) =>
        reviews.length < MOST_REVIEWED_LINES && !bought.has(`${user_index} ${product_index}`),
    )
    if (basket === undefined) continue
    bought.add(`${basket.user_index} ${product_index}`)
    basket.product_indexes.add(product_index)
    basket.reviews.push({ product_index, written })
  }
}

/** Adds things nobody wrote about, so that most but not all purchases are reviewed. */
function addLooseItems(basket: Basket, products: readonly DemoProduct[], random: Random): void {
  const wanted =
    basket.status === 'delivered'
      ? integerBetween(basket.product_indexes.size === 0 ? 1 : 0, 2, random)
      : integerBetween(1, 4, random)
  for (let added = 0; added < wanted; added += 1) {
    const product_index = integerBetween(0, products.length - 1, random)
    const product = products[product_index]
    if (product !== undefined && couldBeIn(basket.status, product)) {
      basket.product_indexes.add(product_index)
    }
  }
  if (basket.product_indexes.size === 0) {
    const sellable = products.findIndex((product) => couldBeIn(basket.status, product))
    if (sellable >= 0) basket.product_indexes.add(sellable)
  }
}

/** A preorder has not left yet, and only an old order holds what can no longer be bought. */
function couldBeIn(status: DemoOrderStatus, { availability }: DemoProduct): boolean {
  switch (availability) {
    case 'in_stock':
      return true
    case 'preorder':
      return status === 'paid' || status === 'pending'
    case 'out_of_stock':
      return status !== 'pending'
    case 'discontinued':
      return status === 'delivered'
    default:
      return availability satisfies never
  }
}

function closeBasket(
  { user_index, status, product_indexes }: Basket,
  products: readonly DemoProduct[],
  people: readonly DemoPerson[],
  random: Random,
): DemoOrder | undefined {
  const person = people[user_index]
  if (person === undefined || product_indexes.size === 0) return undefined
  const shipping_method = drawMethod(status, person, random)
  const age_hours = drawAgeHours(status, random)
  return {
    user_index,
    status,
    note: random() < 0.2 ? entryAt(NOTES, random()) : null,
    items: [...product_indexes].map((index) => drawItem(index, products, random)),
    age_hours,
    shipping_method,
    recipient: person.name,
    address: shipping_method === 'pickup' ? null : person.home,
    ...drawDispatch(status, shipping_method, age_hours, random),
  }
}

/** The shop's counter is in the United States, and what is collected there is never in transit. */
function drawMethod(
  status: DemoOrderStatus,
  { home }: DemoPerson,
  random: Random,
): DemoOrder['shipping_method'] {
  const fraction = random()
  if (fraction < 0.25 && home.country === 'US' && status !== 'shipped') return 'pickup'
  return fraction < 0.7 ? 'standard' : 'express'
}

/** People take several of what is cheap and one of what is dear. */
function drawItem(
  product_index: number,
  products: readonly DemoProduct[],
  random: Random,
): DemoOrderItem {
  const isCheap = (products[product_index]?.price_minor ?? 0) < 2000
  return { product_index, quantity: isCheap ? integerBetween(1, 3, random) : 1 }
}

function publishReviews({ reviews }: Basket, order: DemoOrder, random: Random): DemoReview[] {
  const deliveredAgeHours = order.delivered_age_hours ?? 0
  return reviews.map(({ product_index, written: [, rating, title, ...sentences] }) => ({
    user_index: order.user_index,
    product_index,
    rating,
    title,
    body: sentences.join(' '),
    age_hours: integerBetween(Math.max(0, deliveredAgeHours - 900), deliveredAgeHours - 1, random),
  }))
}
