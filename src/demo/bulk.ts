import { createProductState, type ProductState } from '#shop/catalogue/products/rules.ts'
import { BULK_WORDS, DEMO_PEOPLE, type DemoOrder } from './data.ts'
import {
  createRandom,
  entryAt,
  integerBetween,
  type Random,
  randomAt,
  wrappedEntry,
} from './random.ts'
import type { DemoUser } from './rows.ts'

const { categories, series } = BULK_WORDS
type CategoryWords = (typeof categories)[number]
type Method = DemoOrder['shipping_method']
type Status = DemoOrder['status']

/** Numbers of products and users that generated orders refer to; both at least 1. */
export interface BulkExtent {
  readonly products: number
  readonly users: number
}

/** Salts of the random values, so that columns are independent. */
const SALT = {
  category: 1,
  praise: 2,
  price: 3,
  cents: 4,
  availability: 5,
  stock: 6,
  image: 7,
} as const
const USER_SALT = { first: 11, last: 12, age: 13 } as const
const ORDER_SEED = 77_003

/** Coprime to every number of name combinations, so that a name repeats only after all others. */
const NAME_STRIDE = 71_191

/** Keeps neighbours of different categories from sharing a series. */
const CATEGORY_STRIDE = 11_117

const CENTS = [0, 0, 50, 95, 99, 99]

/** Ten consecutive products have ten different categories, in a random rotation. */
function categoryOf(n: number): CategoryWords {
  const decade = Math.floor(n / categories.length)
  const shift = Math.floor(randomAt(decade, SALT.category) * categories.length)
  return wrappedEntry(categories, n + shift)
}

/** Returns the unique SKU of product `n` ≥ 0. */
export const bulkSku = (n: number): string =>
  `${categoryOf(n).skuPrefix}-${String(n).padStart(7, '0')}`

/** Returns product `n` ≥ 0; deterministic. */
export function bulkProduct(n: number): ProductState {
  const words = categoryOf(n)
  const { category, praises, lowestPrice, highestPrice } = words
  const { name, subject } = nameOf(Math.floor(n / categories.length), words)
  const sku = bulkSku(n)
  const dollars =
    lowestPrice + Math.floor((highestPrice - lowestPrice) * randomAt(n, SALT.price) ** 2)
  const { availability, stock } = availabilityOf(n)
  const hasImage = availability !== 'preorder' && randomAt(n, SALT.image) < 0.85
  return createProductState({
    name,
    description: `${subject}. ${entryAt(praises, randomAt(n, SALT.praise))}`,
    sku,
    price: dollars * 100 + entryAt(CENTS, randomAt(n, SALT.cents)),
    category,
    availability,
    stock,
    image_url: hasImage ? `https://images.example.com/products/${sku.toLowerCase()}.jpg` : null,
  })
}

/** Reads the scrambled number as one digit per word, so that names are unique. */
function nameOf(ordinal: number, words: CategoryWords): { name: string; subject: string } {
  const { category, adjectives, materials, things, line } = words
  const combinations = adjectives.length * materials.length * things.length * series.length
  const start = categories.indexOf(words) * CATEGORY_STRIDE
  let digits = (ordinal * NAME_STRIDE + start) % combinations
  const thing = wrappedEntry(things, digits)
  digits = Math.floor(digits / things.length)
  const material = wrappedEntry(materials, digits)
  digits = Math.floor(digits / materials.length)
  const adjective = wrappedEntry(adjectives, digits)
  digits = Math.floor(digits / adjectives.length)
  const round = Math.floor(ordinal / combinations)
  const article = category === 'books' ? 'The ' : ''
  const suffix = round === 0 ? '' : ` No. ${round + 1}`
  return {
    name: `${article}${adjective} ${material} ${thing}, ${wrappedEntry(series, digits)} ${line}${suffix}`,
    subject: `${adjective} ${material.toLowerCase()} ${thing.toLowerCase()}`,
  }
}

function availabilityOf(n: number): Pick<ProductState, 'availability' | 'stock'> {
  const fraction = randomAt(n, SALT.availability)
  if (fraction < 0.02) return { availability: 'preorder', stock: null }
  if (fraction < 0.04) return { availability: 'discontinued', stock: null }
  if (fraction < 0.08) return { availability: 'out_of_stock', stock: 0 }
  if (fraction < 0.12) return { availability: 'in_stock', stock: null }
  return { availability: 'in_stock', stock: 1 + Math.floor(randomAt(n, SALT.stock) ** 2 * 400) }
}

/** Returns user `n` ≥ 0, with a unique email; deterministic. */
export function bulkUser(n: number): DemoUser {
  const first = entryAt(BULK_WORDS.firstNames, randomAt(n, USER_SALT.first))
  const last = entryAt(BULK_WORDS.lastNames, randomAt(n, USER_SALT.last))
  const ageFraction = randomAt(n, USER_SALT.age)
  return {
    name: `${first} ${last}`,
    email: `${first}.${last}.${n}@example.com`.toLowerCase(),
    // One in twelve has none; the others are 18 to 84, mostly young.
    age: ageFraction < 1 / 12 ? null : 18 + Math.floor(ageFraction ** 1.5 * 67),
  }
}

/**
 * Returns order `n` ≥ 0 of a `bulkUser`, with one to five products, of which low numbers sell best;
 * deterministic for an extent.
 */
export function bulkOrder(n: number, { products, users }: BulkExtent): DemoOrder {
  const random = createRandom(ORDER_SEED + Math.imul(n, 0x9e3779b1))
  const { name, email } = bulkUser(integerBetween(0, users - 1, random))
  const status = drawStatus(random)
  const age_hours = drawAgeHours(status, random)
  const shipping_method = drawMethod(random)
  return {
    email,
    status,
    note: null,
    items: drawItems(products, random),
    age_hours,
    shipping_method,
    recipient: name,
    address: shipping_method === 'pickup' ? null : drawAddress(random),
    ...drawDispatch(status, shipping_method, age_hours, random),
  }
}

function drawStatus(random: Random): Status {
  const fraction = random()
  if (fraction < 0.01) return 'pending'
  if (fraction < 0.05) return 'paid'
  if (fraction < 0.1) return 'shipped'
  return fraction < 0.18 ? 'cancelled' : 'delivered'
}

function drawMethod(random: Random): Method {
  const fraction = random()
  if (fraction < 0.1) return 'pickup'
  return fraction < 0.75 ? 'standard' : 'express'
}

function drawItems(products: number, random: Random): DemoOrder['items'] {
  const wanted = 1 + Math.floor(random() ** 2 * Math.min(5, products))
  const quantities = new Map<number, number>()
  for (let added = 0; added < wanted; added += 1) {
    quantities.set(Math.floor(random() ** 2 * products), integerBetween(1, 3, random))
  }
  return [...quantities].map(([index, quantity]) => ({ sku: bulkSku(index), quantity }))
}

function drawAddress(random: Random): DemoOrder['address'] {
  const { home } = entryAt(DEMO_PEOPLE, random())
  const line1 = `${integerBetween(1, 240, random)} ${entryAt(BULK_WORDS.streets, random())}`
  return { ...home, line1, line2: null }
}

const ageRangeHours = {
  paid: [2, 30],
  shipped: [40, 110],
  // The minimum exceeds the longest preparation and transit below.
  delivered: [180, 8700],
  cancelled: [60, 8700],
} as const

const preparationHours = [6, 36] as const

const transitHours = { standard: [48, 132], express: [20, 44], pickup: [4, 30] } as const

/**
 * An age that fits the status; pending orders are less than half an hour old, in eighths of an
 * hour.
 */
function drawAgeHours(status: Status, random: Random): number {
  if (status === 'pending') return integerBetween(0, 3, random) / 8
  const [youngest, oldest] = ageRangeHours[status]
  return integerBetween(youngest, oldest, random)
}

type Dispatch = Pick<DemoOrder, 'tracking_number' | 'shipped_age_hours' | 'delivered_age_hours'>

function drawDispatch(status: Status, method: Method, ageHours: number, random: Random): Dispatch {
  if (status !== 'shipped' && status !== 'delivered') {
    return { tracking_number: null, shipped_age_hours: null, delivered_age_hours: null }
  }
  const shipped = ageHours - integerBetween(...preparationHours, random)
  const [shortest, longest] = transitHours[method]
  return {
    tracking_number: drawTrackingNumber(method, random),
    shipped_age_hours: shipped,
    delivered_age_hours:
      status === 'delivered' ? shipped - integerBetween(shortest, longest, random) : null,
  }
}

function drawTrackingNumber(method: Method, random: Random): string | null {
  if (method === 'pickup') return null
  const digits = integerBetween(1_000_000_000, 9_999_999_999, random)
  return `${method === 'express' ? 'SH' : 'LP'}${digits}`
}
