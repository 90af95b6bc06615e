import type { Child } from '../child.ts'
import { encodeRequest, type Request, type Scenario } from '../load.ts'
import { askInTurn, placeOrders } from '../scenarios.ts'
import { addProducts } from '../shop.ts'

/**
 * What is aimed at: that it takes as long in the large database, that it takes little there, or
 * nothing, where more has to be counted or there is more to find.
 */
export type Aim = 'even' | 'quick' | 'none'

/** One request, asked of each size. */
export interface Asked {
  readonly name: string
  readonly aim: Aim
  readonly scenario: Scenario
}

/** What is asked of each size; as an administrator, since strangers are answered from memory. */
export async function requestsOf(
  child: Child,
  token: string,
  size: number,
): Promise<readonly Asked[]> {
  const buyers = await buyersOf(child, token, size)
  const deep = Math.floor(size / 25)
  const { pagination } = await read(child, token, `/products?page=${deep}&sort=price`)
  const productIds = await addProducts(child)
  const { id } = await read<{ readonly id: number }>(child, token, '/profile')
  const asked = ({ name, aim, paths }: Paths): Asked => ({
    name,
    aim,
    scenario: askInTurn(paths.map((path) => encoded(path, token))),
  })
  const placing = placeOrders({ buyers: [{ id, token }], productIds })
  const others = [...deepPaths(deep, pagination.next_cursor), ...searches, ...relatedPaths(size)]
  return [
    ...evenPaths(size, buyers).map(asked),
    { name: 'placing an order', aim: 'even', scenario: placing },
    ...others.map(asked),
  ]
}

const ordersAPage = 100
const pagesOfOrders = 40

/**
 * The customers of up to four thousand orders from everywhere among them, each once: so many that what is kept in
 * memory of one is gone when his turn comes again.
 */
async function buyersOf(child: Child, token: string, size: number): Promise<readonly number[]> {
  const pages = Math.ceil(size / ordersAPage)
  const count = Math.min(pages, pagesOfOrders)
  const buyers = new Set<number>()
  for (let at = 0; at < count; at += 1) {
    const page = 1 + Math.floor((pages * at) / count)
    const { data } = await read(child, token, `/orders?limit=${ordersAPage}&page=${page}`)
    for (const { user_id } of data) buyers.add(user_id)
  }
  return [...buyers]
}

interface Paths {
  readonly name: string
  readonly aim: Aim
  readonly paths: readonly string[]
}

function evenPaths(size: number, buyers: readonly number[]): readonly Paths[] {
  const even = (name: string, ...paths: readonly string[]): Paths => ({ name, aim: 'even', paths })
  return [
    even('one product', ...productsOf(size)),
    even('first page', '/products'),
    even('first page by price', '/products?sort=price&order=desc'),
    even('of a category', '/products?category=kitchen', '/products?category=books'),
    even('of a category, by name', '/products?category=kitchen&sort=name'),
    even('of an availability', '/products?availability=preorder'),
    even('of both', '/products?category=toys&availability=in_stock&sort=price'),
    even('bought by somebody', ...buyers.map((id) => `/products?buyer=${id}`)),
    even('own orders', ...buyers.map((id) => `/users/${id}/orders`)),
    even('orders of a status, newest first', '/orders?status=shipped&sort=created_at&order=desc'),
  ]
}

const deepPaths = (page: number, cursor: string | null): readonly Paths[] => [
  { name: 'deep, by cursor', aim: 'even', paths: [`/products?sort=price&cursor=${cursor}`] },
  { name: 'deep, by number', aim: 'none', paths: [`/products?page=${page}`] },
]

const searches: readonly Paths[] = [
  { name: 'one word', aim: 'quick', paths: ['/products?q=copper', '/products?q=harbour'] },
  { name: 'two words, by price', aim: 'quick', paths: ['/products?q=copper%20pitcher&sort=price'] },
  { name: 'many words, by price', aim: 'quick', paths: ['/products?q=c%20s&sort=price'] },
]

const relatedPaths = (size: number): readonly Paths[] => [
  { name: 'related', aim: 'none', paths: productsOf(size).map((path) => `${path}/related`) },
]

/** Two hundred products, as far apart as they can be. */
const productsOf = (size: number): readonly string[] =>
  Array.from({ length: 200 }, (_, at) => `/products/${1 + Math.floor((size * at) / 200)}`)

interface Page {
  readonly data: readonly { readonly user_id: number }[]
  readonly pagination: { readonly total_items: number; readonly next_cursor: string | null }
}

/** Reads a page, or what else is at this path, as whom the token says. */
export async function read<Body = Page>(child: Child, token: string, path: string): Promise<Body> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`http://127.0.0.1:${child.port}${path}`, { headers })
  if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Body
}

const encoded = (path: string, token: string): Request => ({
  bytes: encodeRequest('GET', path, token),
  expect: 200,
})
