import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { capture } from './capture.ts'
import { byLoad, compare, type Effort, measureSides } from './compare.ts'
import type { Scenario } from './load.ts'
import { atMost, below, integer, type Lines, requestLines } from './report.ts'
import {
  administrator,
  medianStart,
  type Server,
  type ServerOptions,
  startBaseline,
  startServer,
} from './server.ts'
import {
  addBuyers,
  addProducts,
  askInTurn,
  type Buyer,
  call,
  checkOut,
  get,
  logIn,
  placeOrders,
  readPaths,
  renewTokens,
  requirePaid,
  revalidate,
} from './shop.ts'

const reads = ['product', 'list', 'unchanged'] as const
const writes = ['order', 'checkout'] as const

/** The measurements on SQLite, in order. */
export const sqliteMeasurements = [...reads, 'xml', 'credentials', ...writes, 'start'] as const

/** Options of the measurements on SQLite. */
export interface SqliteOptions extends Effort {
  readonly wanted: ReadonlySet<string>
  readonly directory: string
}

interface Bench extends SqliteOptions {
  readonly server: Server
  readonly productPaths: readonly string[]
}

const xml = 'application/xml'
const listPath = '/products?limit=20'
const maxCredentialMicros = 60

/**
 * Measures the server on SQLite against its baselines, then its start on the resulting database.
 */
export async function* measureOnSqlite(options: SqliteOptions): Lines {
  const { directory, wanted } = options
  const subject = { directory, name: 'server', settings: { DEMO_DATA: 'on' } }
  yield* measureServer(options, subject)
  if (!wanted.has('start')) return
  const readyMs = await medianStart(subject)
  const target = below(readyMs, 1000, 'ms')
  yield { name: 'ready with this database', server: `${integer(readyMs)} ms`, target }
}

async function* measureServer(options: SqliteOptions, subject: ServerOptions): Lines {
  const isWanted = (names: readonly string[]) => names.some((name) => options.wanted.has(name))
  await using server = await startServer(subject)
  const productIds = await addProducts(server)
  const { data } = await call<{ data: readonly { id: number }[] }>(server, 'GET', listPath)
  if (data.length !== 20) throw new Error(`the list is to hold 20 products, not ${data.length}`)
  const bench = { ...options, server, productPaths: data.map(({ id }) => `/products/${id}`) }
  if (isWanted(reads)) yield* measureReads(bench)
  if (isWanted(['xml', 'credentials'])) {
    const settings = { DEMO_DATA: 'on', CATALOGUE_MEMORY_MB: '0' }
    await using uncached = await startServer({ ...subject, name: 'uncached', settings })
    if (isWanted(['xml'])) yield* measureXml(bench, uncached)
    if (isWanted(['credentials'])) yield* measureCredentials(bench, uncached)
  }
  if (isWanted(writes)) yield* measureOrders(bench, productIds)
  const megabytes = server.memoryMegabytes().now
  const target = below(megabytes, 250, 'MB')
  yield { name: 'resident memory after it', server: `${integer(megabytes)} MB`, target }
}

async function* measureReads(bench: Bench): Lines {
  const { server, wanted, directory, productPaths } = bench
  const paths = [listPath, ...productPaths]
  const captured = await Promise.all(paths.map((path) => capture(server, path)))
  const file = resolve(directory, 'responses.json')
  writeFileSync(file, JSON.stringify(captured))
  await using baseline = await startBaseline('product', directory, { RESPONSES: file })
  const compareReads = (name: string, scenario: Scenario, max: number) =>
    compare(name, bench, [server, scenario], {
      baseline: [baseline, scenario],
      targetOf: atMost(max, 'its baseline'),
    })
  const products = readPaths(productPaths)
  if (wanted.has('product')) yield* await compareReads('GET product', products, 3.2)
  if (wanted.has('list')) yield* await compareReads('GET list of 20', readPaths([listPath]), 3.5)
  if (!wanted.has('unchanged')) return
  const unchanged = revalidate(captured.slice(1))
  yield* await compareReads('GET product, 304', unchanged, 3.5)
  yield* await compare('GET product, 304 beside 200', bench, [server, unchanged], {
    baseline: [server, products],
    targetOf: atMost(1, 'a 200'),
    hasLatency: false,
  })
}

/** Compares XML with JSON on the same server, with and without cached responses. */
async function* measureXml(bench: Bench, uncached: Server): Lines {
  const { productPaths } = bench
  for (const [server, how] of [
    [bench.server, 'ready answer'],
    [uncached, 'handler runs'],
  ] as const) {
    for (const [what, paths] of [
      ['GET product', productPaths],
      ['GET list of 20', [listPath]],
    ] as const) {
      for (const path of paths) {
        const { body } = await capture(server, path, xml)
        if (!body.startsWith('<?xml ')) throw new Error(`GET ${path}: no XML, but ${body}`)
      }
      const name = `${what}, XML beside JSON, ${how}`
      yield* await compare(name, bench, [server, readPaths(paths, xml)], {
        baseline: [server, readPaths(paths)],
        targetOf: atMost(2, 'JSON'),
        hasLatency: false,
      })
    }
  }
}

/**
 * A product requested anonymously and with each credential, in alternation. The cost of a credential
 * is processor time of the server, which other programs on the machine do not lengthen.
 */
async function* measureCredentials(bench: Bench, uncached: Server): Lines {
  process.stdout.write('measuring credentials\n')
  const by = (name: string, server: Server, credentials: readonly string[] = []) => {
    const fields = credentials.map((value) => `Authorization: ${value}`)
    const scenario = askInTurn([get(bench.productPaths[0] ?? '', { fields })])
    return { name, scheme: name.split(',')[0], measure: byLoad([server, scenario], bench) }
  }
  const byEach = async (server: Server, how: string) => {
    const token = await logIn(server)
    const { key } = await call(server, 'POST', '/api-keys', { token, body: { name: 'Bench' } })
    const { username, password } = administrator
    const basic = Buffer.from(`${username}:${password}`).toString('base64')
    return [
      by(`Bearer, ${how}`, server, [`Bearer ${token}`]),
      by(`Api-Key, ${how}`, server, [`Api-Key ${key}`]),
      by(`Basic, ${how}`, server, [`Basic ${basic}`]),
    ]
  }
  const ways = [
    by('anonymous, ready answer', bench.server),
    by('anonymous, handler runs', uncached),
    ...(await byEach(uncached, 'handler runs')),
    ...(await byEach(bench.server, 'beside ready answers')),
  ]
  const measures = ways.map(({ measure }) => measure)
  const figures = await measureSides(measures, bench)
  const [, anonymous] = figures
  if (!anonymous) throw new Error('nothing was measured')
  for (const [at, server] of figures.entries()) {
    const { name, scheme = '' } = ways[at] ?? {}
    const added = server.microsPerRequest - anonymous.microsPerRequest
    const isBounded = ['Bearer', 'Api-Key'].includes(scheme)
    const target = { text: `< ${maxCredentialMicros} µs more`, met: added < maxCredentialMicros }
    const more = isBounded ? `: ${integer(added)} µs more` : ''
    for (const line of requestLines(`GET product, ${name}${more}`, { server })) {
      yield { ...line, ...(isBounded && { target }) }
    }
  }
}

async function* measureOrders(bench: Bench, productIds: readonly number[]): Lines {
  const { server, wanted, directory, connections } = bench
  const buyers = await addBuyers(server, connections)
  await using baseline = await startOrderBaseline(directory)
  // The baseline takes the ID of a user for the token.
  const baselineBuyers = buyers.map(({ id }) => ({ id, token: String(id) }))
  const baselineShop = { buyers: baselineBuyers, productIds }
  if (wanted.has('order')) {
    yield* await compare('POST order', bench, [server, placeOrders({ buyers, productIds })], {
      baseline: [baseline, placeOrders(baselineShop)],
      targetOf: atMost(3.6, 'its baseline'),
    })
  }
  if (!wanted.has('checkout')) return
  const shop = { buyers: await renewTokens(server, buyers), productIds }
  const paid = new Map<Buyer, number>()
  const lines = await compare('whole checkout', bench, [server, checkOut(shop, paid)], {
    baseline: [baseline, checkOut(baselineShop, new Map())],
    targetOf: atMost(3.6, 'its baseline'),
  })
  await requirePaid(server, paid)
  yield* lines
}

/** Starts the baseline over a copy of the database of the server: the same tables and indexes. */
function startOrderBaseline(directory: string): Promise<Server> {
  const copy = resolve(directory, 'baseline.db')
  using db = new DatabaseSync(resolve(directory, 'server.db'), { readOnly: true })
  db.prepare('VACUUM INTO ?').run(copy)
  return startBaseline('order', directory, { DATABASE: copy })
}
