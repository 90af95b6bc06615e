import { BULK_WORDS, SERIES, words } from './bulk-words.ts'
import { drawAgeHours, drawDispatch } from './dispatch.ts'
import { DEMO_PEOPLE } from './people.ts'
import {
  createRandom,
  entryAround,
  entryAt,
  integerBetween,
  type Random,
  randomAt,
} from './random.ts'
import {
  DEMO_CATEGORIES,
  type DemoAddress,
  type DemoCategory,
  type DemoOrder,
  type DemoOrderItem,
  type DemoOrderStatus,
  type DemoProduct,
  type DemoUser,
} from './rows.ts'

/** How many products and users a generated order may point at; both at least 1. */
export interface BulkExtent {
  readonly products: number
  readonly users: number
}

/** Separate streams of randomness, so that one column does not follow another. */
const SALT = {
  category: 1,
  praise: 2,
  price: 3,
  cents: 4,
  standing: 5,
  stock: 6,
  image: 7,
} as const
const USER_SALT = { first: 11, last: 12, age: 13 } as const
const ORDER_SEED = 77_003

/** Coprime to every number of name combinations, so that a name returns only after all others. */
const NAME_STRIDE = 71_191

/** Keeps neighbours of different categories from sharing a series. */
const CATEGORY_STRIDE = 11_117

const CENTS = [0, 0, 50, 95, 99, 99]

const FIRST_NAMES = words(`
  Ada, Aiko, Alma, Anders, Anouk, Asha, Bao, Beatriz, Bram, Calla, Ciro, Dalia, Diego, Edda,
  Efua, Elif, Emeka, Esme, Faye, Felix, Gita, Goran, Hana, Hugo, Ilse, Imani, Ivo, Jada, Joel,
  Kaia, Kofi, Lena, Leo, Lior, Luz, Mateo, Mira, Musa, Nadia, Nils, Noor, Olga, Omar, Pia,
  Priya, Ravi, Rosa, Ruben, Saskia, Seb, Sunniva, Tariq, Tessa, Theo, Uma, Vera, Wanda, Xavi,
  Yara, Zeno
`)

const LAST_NAMES = words(`
  Abara, Almqvist, Arden, Baptiste, Beck, Borovik, Brandt, Cardoso, Castellan, Chaudhary,
  Corwin, Dahl, Delgado, Dimitrov, Duarte, Eberhardt, Ekwueme, Falk, Farrow, Fonseca, Garrick,
  Gupta, Haddad, Halvorsen, Hartwell, Hoang, Ibarra, Ishii, Jansen, Kamau, Kaplan, Keller,
  Kowal, Kruger, Laurent, Lindholm, Lozano, Madsen, Marchetti, Mbeki, Moreau, Mori, Nakata,
  Navarro, Novak, Nwosu, Okada, Okoro, Ortega, Osei, Paredes, Petrov, Quiroga, Rahimi,
  Rasmussen, Reyes, Rossi, Sandoval, Sato, Schreiber, Serrano, Sharma, Silva, Soto, Steen,
  Tanaka, Tavares, Thorne, Toivonen, Ueda, Valente, Varga, Vidal, Voss, Weiland, Winslow,
  Yamada, Yilmaz, Zeller, Zhou
`)

const STREETS = words(`
  Alder Street, Orchard Lane, Quarry Road, Foundry Row, Mill Terrace, Harbour View, Bramble
  Close, Station Road, Chapel Hill, Lantern Way, Willow Court, Saltmarsh Drive
`)

/** Returns the product numbered `n` ≥ 0: always the same one, with an SKU no other number has. */
export function bulkProduct(n: number): DemoProduct {
  const decade = Math.floor(n / DEMO_CATEGORIES.length)
  // Each ten neighbours hold every category once, starting anywhere.
  const shift = Math.floor(randomAt(decade, SALT.category) * DEMO_CATEGORIES.length)
  const category = entryAround(DEMO_CATEGORIES, n + shift)
  const { skuPrefix, praises, lowestPrice, highestPrice } = BULK_WORDS[category]
  const { name, subject } = nameOf(decade, category)
  const sku = `${skuPrefix}-${String(n).padStart(7, '0')}`
  const dollars =
    lowestPrice + Math.floor((highestPrice - lowestPrice) * randomAt(n, SALT.price) ** 2)
  const { availability, stock } = standingOf(n)
  const hasImage = availability !== 'preorder' && randomAt(n, SALT.image) < 0.85
  return {
    name,
    description: `${subject}. ${entryAt(praises, randomAt(n, SALT.praise))}`,
    sku,
    price_minor: dollars * 100 + entryAt(CENTS, randomAt(n, SALT.cents)),
    category,
    availability,
    stock,
    image_url: hasImage ? `https://images.example.com/products/${sku.toLowerCase()}.jpg` : null,
  }
}

/** Reads the scrambled number as one digit for each word, so that no two numbers spell one name. */
function nameOf(ordinal: number, category: DemoCategory): { name: string; subject: string } {
  const { adjectives, materials, things, line } = BULK_WORDS[category]
  const combinations = adjectives.length * materials.length * things.length * SERIES.length
  const start = DEMO_CATEGORIES.indexOf(category) * CATEGORY_STRIDE
  let digits = (ordinal * NAME_STRIDE + start) % combinations
  const definition = entryAround(things, digits)
  digits = Math.floor(digits / things.length)
  const material = entryAround(materials, digits)
  digits = Math.floor(digits / materials.length)
  const adjective = entryAround(adjectives, digits)
  digits = Math.floor(digits / adjectives.length)
  const round = Math.floor(ordinal / combinations)
  const productSnapshot = category === 'books' ? 'The ' : ''
  const again = round === 0 ? '' : ` No. ${round + 1}`
  const series = `${entryAround(SERIES, digits)} ${line}`
  return {
    name: `${productSnapshot}${adjective} ${material} ${definition}, ${series}${again}`,
    subject: `${adjective} ${material.toLowerCase()} ${definition.toLowerCase()}`,
  }
}

function standingOf(n: number): Pick<DemoProduct, 'availability' | 'stock'> {
  const fraction = randomAt(n, SALT.standing)
  if (fraction < 0.02) return { availability: 'preorder', stock: null }
  if (fraction < 0.04) return { availability: 'discontinued', stock: null }
  if (fraction < 0.08) return { availability: 'out_of_stock', stock: 0 }
  if (fraction < 0.12) return { availability: 'in_stock', stock: null }
  return { availability: 'in_stock', stock: 1 + Math.floor(randomAt(n, SALT.stock) ** 2 * 400) }
}

/** Returns the user numbered `n` ≥ 0: always the same one, with an email no other number has. */
export function bulkUser(n: number): DemoUser {
  const first = entryAt(FIRST_NAMES, randomAt(n, USER_SALT.first))
  const last = entryAt(LAST_NAMES, randomAt(n, USER_SALT.last))
  const ageFraction = randomAt(n, USER_SALT.age)
  return {
    name: `${first} ${last}`,
    email: `${first}.${last}.${n}@example.com`.toLowerCase(),
    // One in twelve does not say; the others are 18 to 84, more of them young than old.
    age: ageFraction < 1 / 12 ? null : 18 + Math.floor(ageFraction ** 1.5 * 67),
  }
}

/**
 * Returns the order numbered `n` ≥ 0, the same one for the same extent, placed by a `bulkUser` for
 * one to five different products of which the first numbers sell best.
 */
export function bulkOrder(n: number, { products, users }: BulkExtent): DemoOrder {
  const random = createRandom(ORDER_SEED + Math.imul(n, 0x9e3779b1))
  const user_index = integerBetween(0, users - 1, random)
  const status = drawStatus(random)
  const age_hours = drawAgeHours(status, random)
  const shipping_method = drawMethod(random)
  return {
    user_index,
    status,
    note: null,
    items: drawItems(products, random),
    age_hours,
    shipping_method,
    recipient: bulkUser(user_index).name,
    address: shipping_method === 'pickup' ? null : drawAddress(random),
    ...drawDispatch(status, shipping_method, age_hours, random),
  }
}

function drawStatus(random: Random): DemoOrderStatus {
  const fraction = random()
  if (fraction < 0.01) return 'pending'
  if (fraction < 0.05) return 'paid'
  if (fraction < 0.1) return 'shipped'
  return fraction < 0.18 ? 'cancelled' : 'delivered'
}

function drawMethod(random: Random): DemoOrder['shipping_method'] {
  const fraction = random()
  if (fraction < 0.1) return 'pickup'
  return fraction < 0.75 ? 'standard' : 'express'
}

function drawItems(products: number, random: Random): DemoOrderItem[] {
  const wanted = 1 + Math.floor(random() ** 2 * Math.min(5, products))
  const quantities = new Map<number, number>()
  for (let added = 0; added < wanted; added += 1) {
    const product_index = Math.floor(random() ** 2 * products)
    quantities.set(product_index, integerBetween(1, 3, random))
  }
  return [...quantities].map(([product_index, quantity]) => ({ product_index, quantity }))
}

function drawAddress(random: Random): DemoAddress {
  const { home } = entryAt(DEMO_PEOPLE, random())
  const line1 = `${integerBetween(1, 240, random)} ${entryAt(STREETS, random())}`
  return { ...home, line1, line2: null }
}
