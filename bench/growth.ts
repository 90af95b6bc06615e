import { resolve } from 'node:path'
import { exitWithStartError, UsageError } from '#src/server/start-error.ts'
import type { Side } from './compare.ts'
import { growthOfLists } from './growth/lists.ts'
import { hasPassed, runLoad, type Scenario } from './load.ts'
import { defaultPostgresUrl, readOptions } from './options.ts'
import { createDatabase } from './postgres/database.ts'
import { below, formatTable, integer, type Lines, type Target } from './report.ts'
import { makeDirectory, type Server, startServer } from './server.ts'
import { addProducts, askInTurn, call, fillUp, get, logIn, placeOrders } from './shop.ts'
import { median } from './statistics.ts'

/** The sizes of both databases, and how long and how often each request is repeated. */
export interface GrowthOptions {
  readonly seconds: number
  readonly rounds: number
  readonly small: number
  readonly large: number
  readonly directory: string
  /** How many filters of a list are combined, in every list of the API; without it, none is sent. */
  readonly filters?: number
  /** The paths of those lists, as a regular expression. */
  readonly lists?: string
}

/** The target of a request by the ratio of its times and by its time in the large database. */
type TargetOf = (ratio: number, largeMs: number) => Target

interface Request {
  readonly name: string
  readonly targetOf: TargetOf | undefined
  readonly scenario: Scenario
}

interface Page {
  readonly data: readonly { readonly user_id: number }[]
  readonly pagination: { readonly total_items: number; readonly next_cursor: string | null }
}

const even: TargetOf = (ratio) => ({ text: '≤ 1.3', met: ratio <= 1.3 })
const quick: TargetOf = (_, largeMs) => below(largeMs, 10, 'ms')
const ordersPerPage = 100
const pagesOfOrders = 40
/** No page has a number beyond it. */
const deepestRow = 100_000

/** Compares two SQLite files, made for the run. */
export function growthOnSqlite(options: GrowthOptions): Lines {
  const urlOf = (name: string) => `sqlite:${resolve(options.directory, `${name}.db`)}`
  return measureGrowth(options, urlOf('small'), urlOf('large'))
}

/** Compares two databases of PostgreSQL, created beside the one of `url` and dropped after. */
export async function* growthOnPostgres(options: GrowthOptions, url: string): Lines {
  await using small = await createDatabase(url, `cartwright_growth_small_${process.pid}`)
  await using large = await createDatabase(url, `cartwright_growth_large_${process.pid}`)
  yield* measureGrowth(options, small.url, large.url)
}

/** Fills both where they are not, and sends servers over them the same requests in alternation. */
async function* measureGrowth(options: GrowthOptions, smallUrl: string, largeUrl: string): Lines {
  await using small = await startFilled(smallUrl, options.small, options)
  await using large = await startFilled(largeUrl, options.large, options)
  const on = largeUrl.startsWith('sqlite:') ? 'SQLite' : 'PostgreSQL'
  const requests = await requestsOf(small, options.small)
  const largeRequests = await requestsOf(large, options.large)
  process.stdout.write(`measuring growth on ${on}\n`)
  for (const [at, { name, targetOf, scenario }] of requests.entries()) {
    const inLarge = largeRequests[at]?.scenario
    if (!inLarge) throw new Error('both sizes have the same requests')
    const medians = await leastMedians(options, [small, scenario], [large, inLarge])
    const [smallMs = Number.NaN, largeMs = Number.NaN] = medians
    const ratio = largeMs / smallMs
    yield {
      name: `${on}: ${name}, ${integer(options.large)} beside ${integer(options.small)}`,
      server: `${largeMs.toFixed(2)} ms`,
      baseline: `${smallMs.toFixed(2)} ms`,
      ratio: ratio.toFixed(2),
      ...(targetOf && { target: targetOf(ratio, largeMs) }),
    }
  }
  const { filters, lists = '', large: rows } = options
  if (filters === undefined) return
  yield* growthOfLists(small, large, { rows, filters, only: new RegExp(lists), on })
}

/** Starts a server over a database, filled where it has fewer products. */
async function startFilled(url: string, size: number, options: GrowthOptions): Promise<Server> {
  const subject = { url, directory: options.directory, name: `server-${size}` }
  await fillUp(subject, size, { users: Math.ceil(size / 10), orders: size })
  return startServer(subject)
}

/** The median of each side in alternation; of each the least of its rounds. */
async function leastMedians(
  { seconds, rounds }: GrowthOptions,
  ...sides: readonly Side[]
): Promise<readonly number[]> {
  const found = sides.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, side] of sides.entries()) {
      const [{ port }, scenario] = side
      const load = { port, connections: 1, pace: hasPassed(seconds), scenario }
      const p50Ms = median((await runLoad(load)).tookMs)
      // The first round warms up.
      if (round > 0) found[at] = Math.min(found[at] ?? p50Ms, p50Ms)
    }
  }
  return found
}

/** The requests of each size, as an administrator: those of others are answered from memory. */
async function requestsOf(server: Server, size: number): Promise<readonly Request[]> {
  const token = await logIn(server)
  const read = (path: string) => call<Page>(server, 'GET', path, { token })
  const buyers = await buyersOf(read, size)
  // The deepest page that has a number, in a large shop.
  const page = Math.floor(Math.min(size / 25, 5000))
  const { pagination } = await read(`/products?page=${page}&sort=price`)
  const productIds = await addProducts(server)
  const { id } = await call<{ id: number }>(server, 'GET', '/profile', { token })
  const reading = (name: string, targetOf?: TargetOf, ...paths: readonly string[]): Request => ({
    name,
    targetOf,
    scenario: askInTurn(paths.map((path) => get(path, { token }))),
  })
  // Two hundred products, as far apart as they can be.
  const products = Array.from({ length: 200 }, (_, at) => 1 + Math.floor((size * at) / 200))
  const paths = products.map((product) => `/products/${product}`)
  return [
    reading('one product', even, ...paths),
    reading('first page', even, '/products'),
    reading('first page by price', even, '/products?sort=price&order=desc'),
    reading('of a category', even, '/products?category=kitchen', '/products?category=books'),
    reading('of a category, by name', even, '/products?category=kitchen&sort=name'),
    reading('of an availability', even, '/products?availability=preorder'),
    reading('of both', even, '/products?category=toys&availability=in_stock&sort=price'),
    reading('bought by somebody', even, ...buyers.map((buyer) => `/products?buyer=${buyer}`)),
    reading('own orders', even, ...buyers.map((buyer) => `/users/${buyer}/orders`)),
    reading(
      'orders of a status, newest first',
      even,
      '/orders?status=shipped&sort=created_at&order=desc',
    ),
    {
      name: 'placing an order',
      targetOf: even,
      scenario: placeOrders({ buyers: [{ id, token }], productIds }),
    },
    reading('deep, by cursor', even, `/products?sort=price&cursor=${pagination.next_cursor}`),
    reading('deep, by number', undefined, `/products?page=${page}`),
    reading('one word', quick, '/products?q=copper', '/products?q=harbour'),
    reading('two words, by price', quick, '/products?q=copper%20pitcher&sort=price'),
    reading('many words, by price', quick, '/products?q=c%20s&sort=price'),
    reading('a typing error', quick, '/products?q=coper', '/products?q=harbuor'),
    reading('a typing error among two', quick, '/products?q=coper%20pitcher&sort=price'),
    reading('words of no product', quick, '/products?q=qzxvkj', '/products?q=copper%20qzxvkj'),
    reading('related', undefined, ...paths.map((path) => `${path}/related`)),
  ]
}

/**
 * The customers of up to four thousand orders from the first 100,000, each once: so many that what
 * is cached of one is gone when its turn comes again.
 */
async function buyersOf(
  read: (path: string) => Promise<Page>,
  size: number,
): Promise<readonly number[]> {
  const pages = Math.ceil(Math.min(size, deepestRow) / ordersPerPage)
  const count = Math.min(pages, pagesOfOrders)
  const buyers = new Set<number>()
  for (let at = 0; at < count; at += 1) {
    const page = 1 + Math.floor((pages * at) / count)
    const { data } = await read(`/orders?limit=${ordersPerPage}&page=${page}`)
    for (const { user_id } of data) buyers.add(user_id)
  }
  return [...buyers]
}

/** A planner chooses by the size, and few shops are as large as the largest. */
async function* growthOfSizes(options: GrowthOptions, url: string): Lines {
  const sizes = new Set([2000, 20_000, options.large].filter((size) => size <= options.large))
  for (const large of sizes) {
    yield* growthOnSqlite({ ...options, large })
    yield* growthOnPostgres({ ...options, large }, url)
  }
}

if (import.meta.main) {
  const { databases, postgres, ...given } = readOptions('bench:growth', {
    small: 1000,
    large: 1_000_000,
    seconds: 1,
    rounds: 5,
    filters: 2,
    lists: '',
    postgres: defaultPostgresUrl,
    databases: [] as string[],
  })
  const options = { ...given, directory: makeDirectory('growth') }
  const [small, large] = databases
  if (databases.length === 1) {
    exitWithStartError(
      new UsageError('--databases must be given twice: the small and the large one'),
    )
  }
  const lines =
    small !== undefined && large !== undefined
      ? measureGrowth(options, small, large)
      : growthOfSizes(options, postgres)
  process.stdout.write(`\n${formatTable(await Array.fromAsync(lines))}\n`)
}
