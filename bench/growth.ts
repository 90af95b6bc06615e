import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Child } from './child.ts'
import { endOnSignals } from './ending.ts'
import { encodeRequest, type Request, runLoad, type Scenario } from './load.ts'
import { makeDirectory, root } from './place.ts'
import { placeOrders } from './scenarios.ts'
import { addProducts, administrator, logIn } from './shop.ts'
import { startServerOver } from './subjects.ts'

/** A server over a filled database. */
interface Grown {
  readonly size: number
  readonly child: Child
  readonly requests: ReadonlyMap<string, Scenario>
}

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '1000' },
    large: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    // Databases that are there already, filled or not; left as they are after.
    databases: { type: 'string', multiple: true, default: [] },
  },
})

async function run(): Promise<void> {
  const directory = makeDirectory('growth')
  const sizes = [Number(values.small), Number(values.large)]
  const grown: Grown[] = []
  for (const [at, size] of sizes.entries()) {
    const url = values.databases[at] ?? `sqlite:${resolve(directory, `${size}.db`)}`
    grown.push(await grow(url, size, directory))
  }
  const [small, large] = grown
  if (!small || !large) throw new Error('there are two sizes to compare')
  const ofServer = (name: string) => measure(name, small, large)
  const lines: string[] = []
  for (const name of small.requests.keys()) lines.push(await ofServer(name))
  await Promise.all(grown.map(({ child }) => child.stop()))
  const head = `| request | p50 of ${small.size} | p50 of ${large.size} | ratio |`
  process.stdout.write(`\n${head}\n| --- | ---: | ---: | ---: |\n${lines.join('\n')}\n`)
}

/** Fills a database that has no generated products yet, and starts a server over it. */
async function grow(url: string, size: number, directory: string): Promise<Grown> {
  const child = await startServerOver({ url, directory, log: `server-${size}.log` })
  const token = await logIn(child, administrator)
  const { pagination } = await read(child, token, '/products?limit=1')
  if (pagination.total_items < size) {
    await child.stop()
    const counts = ['--products', size, '--users', Math.ceil(size / 10), '--orders', size]
    const seed = [resolve(root, 'src/seed.ts'), ...counts.map(String)]
    const env = { ...process.env, DATABASE_URL: url }
    const { status } = spawnSync(process.execPath, seed, { cwd: directory, env, stdio: 'inherit' })
    if (status !== 0) throw new Error(`${url} could not be filled`)
    return await grow(url, size, directory)
  }
  return { size, child, requests: await requestsOf(child, token, size) }
}

/** What is asked of each size; as an administrator, since strangers are answered from memory. */
async function requestsOf(
  child: Child,
  token: string,
  size: number,
): Promise<ReadonlyMap<string, Scenario>> {
  const get = (...paths: readonly string[]) => inTurn(paths.map((path) => encoded(path, token)))
  const orders = await read(child, token, '/orders?limit=100')
  const buyers = Array.from(new Set(orders.data.map(({ user_id }) => user_id))).slice(0, 50)
  const products = Array.from({ length: 200 }, (_, at) => 1 + Math.floor((size * at) / 200))
  const deep = Math.floor(size / 25)
  const { pagination } = await read(child, token, `/products?page=${deep}&sort=price`)
  const productIds = await addProducts(child)
  const { id } = await read<{ readonly id: number }>(child, token, '/profile')
  return new Map([
    ['one product', get(...products.map((id) => `/products/${id}`))],
    ['first page', get('/products')],
    ['first page by price', get('/products?sort=price&order=desc')],
    ['of a category', get('/products?category=kitchen', '/products?category=books')],
    ['of a category, by name', get('/products?category=kitchen&sort=name')],
    ['of an availability', get('/products?availability=preorder')],
    ['of both', get('/products?category=toys&availability=in_stock&sort=price')],
    ['bought by somebody', get(...buyers.map((id) => `/products?buyer=${id}`))],
    ['own orders', get(...buyers.map((id) => `/users/${id}/orders`))],
    ['orders of a status, newest first', get('/orders?status=shipped&sort=created_at&order=desc')],
    ['placing an order', placeOrders({ buyers: [{ id, token }], productIds })],
    ['deep, by cursor', get(`/products?sort=price&cursor=${pagination.next_cursor}`)],
    ['deep, by number', get(`/products?page=${deep}`)],
    ['one word', get('/products?q=copper', '/products?q=harbour')],
    ['two words, by price', get('/products?q=copper%20pitcher&sort=price')],
    ['many words, by price', get('/products?q=c%20s&sort=price')],
    ['related', get(...products.map((id) => `/products/${id}/related`))],
  ])
}

interface Page {
  readonly data: readonly { readonly user_id: number }[]
  readonly pagination: { readonly total_items: number; readonly next_cursor: string | null }
}

async function read<Body = Page>(child: Child, token: string, path: string): Promise<Body> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`http://127.0.0.1:${child.port}${path}`, { headers })
  if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Body
}

const encoded = (path: string, token: string): Request => ({
  bytes: encodeRequest('GET', path, token),
  expect: 200,
})

function inTurn(requests: readonly Request[]): Scenario {
  let at = 0
  return function* ask() {
    const request = requests[at % requests.length]
    if (!request) throw new Error('nothing to ask')
    at += 1
    yield request
  }
}

/** Both sizes in alternation, one request at a time; the least of the rounds' medians. */
async function measure(name: string, ...both: readonly [Grown, Grown]): Promise<string> {
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    for (const [at, { child, requests }] of both.entries()) {
      const scenario = requests.get(name)
      if (!scenario) throw new Error(`nothing is known of ${name}`)
      const options = { port: child.port, connections: 1, seconds: Number(values.seconds) }
      const { p50Ms } = await runLoad({ ...options, scenario })
      // The first round warms up.
      if (round > 0) least[at] = Math.min(least[at] ?? p50Ms, p50Ms)
    }
  }
  const [small = 0, large = 0] = least
  const ratio = (large / small).toFixed(2)
  return `| ${name} | ${small.toFixed(2)} ms | ${large.toFixed(2)} ms | ${ratio} |`
}

endOnSignals()
await run()
