import { type Child, stopping } from '../child.ts'
import { type Comparison, compare, type Effort, type Side } from '../compare.ts'
import { measureCredentials } from '../credentials.ts'
import type { Scenario } from '../load.ts'
import type { Measurement } from '../options.ts'
import { atLeast, below, describeComparison, type Line, whole } from '../report.ts'
import { checkOut, placeOrders, readPaths, revalidate } from '../scenarios.ts'
import { addBuyers, addProducts, floorShop, noting, renewTokens } from '../shop.ts'
import {
  medianStart,
  type ProductFloor,
  startOrderFloor,
  startPlainServer,
  startProductFloor,
  startServer,
} from '../subjects.ts'
import { readsInTwoForms } from '../xml.ts'

const reads = ['product', 'list', 'unchanged'] as const

/** What to measure, of which program, and where its database is to lie. */
export interface SqliteOptions {
  readonly effort: Effort
  readonly wanted: ReadonlySet<Measurement>
  readonly directory: string
  readonly entry: string
}

/** What every measurement needs. */
interface Bench extends SqliteOptions {
  readonly server: Child
}

/** Measures the server on SQLite beside its floors, and then how soon it starts on what that left. */
export async function measureOnSqlite(options: SqliteOptions): Promise<Line[]> {
  const { entry, directory, wanted } = options
  const server = await startServer(entry, directory)
  const lines = await stopping(server, () => measure({ ...options, server }))
  if (wanted.has('start')) lines.push(await measureStart(entry, directory))
  return lines
}

async function measure(bench: Bench): Promise<Line[]> {
  const { server, wanted } = bench
  const lines: Line[] = []
  const productIds = await addProducts(server)
  if (reads.some((name) => wanted.has(name))) lines.push(...(await measureReads(bench)))
  if (wanted.has('xml')) lines.push(...(await measureXml(bench)))
  if (wanted.has('credentials')) lines.push(...(await measureKnown(bench)))
  if (wanted.has('order') || wanted.has('checkout')) {
    lines.push(...(await measureOrders(bench, productIds)))
  }
  const megabytes = server.rssMegabytes()
  const target = below(megabytes, 250, 'MB')
  return [...lines, { name: 'resident memory after it', server: `${whole(megabytes)} MB`, target }]
}

async function measureReads(bench: Bench): Promise<Line[]> {
  const { server, wanted, directory } = bench
  const { child: floor, products, listPath } = await startProductFloor(server, directory)
  const compareReads = async (name: string, scenario: Scenario, ratio: number) => {
    const sides = [server, floor].map((child) => ({ child, scenario })) as [Side, Side]
    const comparison = await announced(name, bench, ...sides)
    return describeComparison(comparison, atLeast(comparison.ratio, ratio, 'its floor'))
  }
  return stopping(floor, async () => {
    const lines: Line[] = []
    if (wanted.has('product')) {
      const paths = products.map(({ path }) => path)
      lines.push(await compareReads('GET product', readPaths(paths), 0.6))
    }
    if (wanted.has('list')) {
      lines.push(await compareReads('GET list of 20', readPaths([listPath]), 0.4))
    }
    if (wanted.has('unchanged')) {
      lines.push(await compareReads('GET product, 304', revalidate(products), 0.7))
      lines.push(await measureRevalidation(bench, products))
    }
    return lines
  })
}

/** What has not changed beside what is told again, from the same server. */
async function measureRevalidation(
  bench: Bench,
  products: ProductFloor['products'],
): Promise<Line> {
  const { server: child } = bench
  const unchanged = { child, scenario: revalidate(products) }
  const whole = { child, scenario: readPaths(products.map(({ path }) => path)) }
  const comparison = await announced('GET product, 304 beside 200', bench, unchanged, whole)
  return describeComparison(comparison, { text: '> 1 of 200', met: comparison.ratio > 1 })
}

/** XML beside JSON, where answers are kept ready and where each is made and written anew. */
async function measureXml(bench: Bench): Promise<Line[]> {
  const plain = await startPlainServer(bench.entry, bench.directory)
  return stopping(plain, async () => {
    const lines: Line[] = []
    for (const [child, how] of [
      [bench.server, 'ready answer'],
      [plain, 'handler runs'],
    ] as const) {
      for (const { name, inXml, inJson } of await readsInTwoForms(child)) {
        const told = `${name}, XML beside JSON, ${how}`
        const comparison = await announced(told, bench, inXml, inJson)
        lines.push(describeComparison(comparison, atLeast(comparison.ratio, 0.5, 'JSON')))
      }
    }
    return lines
  })
}

async function measureKnown({ server, directory, entry, effort }: Bench): Promise<Line[]> {
  process.stdout.write('measuring credentials\n')
  const plain = await startPlainServer(entry, directory)
  return stopping(plain, () => measureCredentials({ ready: server, plain }, effort))
}

async function measureOrders(bench: Bench, productIds: readonly number[]): Promise<Line[]> {
  const { server, wanted, directory, effort } = bench
  const buyers = await addBuyers(server, effort.connections)
  const floor = await startOrderFloor(directory, effort.connections)
  const shopOfFloor = floorShop(effort.connections)
  return stopping(floor, async () => {
    const lines: Line[] = []
    if (wanted.has('order')) {
      const onServer = { child: server, scenario: placeOrders({ buyers, productIds }) }
      const onFloor = { child: floor, scenario: placeOrders(shopOfFloor) }
      const order = await announced('POST order', bench, onServer, onFloor)
      lines.push(describeComparison(order, atLeast(order.ratio, 0.5, 'its floor')))
    }
    if (wanted.has('checkout')) {
      const shop = { buyers: await renewTokens(server, buyers), productIds }
      const onServer = noting(server, shop, checkOut)
      const onFloor = noting(floor, shopOfFloor, checkOut)
      const checkout = await announced('whole checkout', bench, onServer.side, onFloor.side)
      await onServer.assertPaid()
      await onFloor.assertPaid()
      const target = { text: '≥ 2,000/s', met: checkout.server.perSecond >= 2000 }
      lines.push(describeComparison(checkout, target))
    }
    return lines
  })
}

async function measureStart(entry: string, directory: string): Promise<Line> {
  const readyMs = await medianStart(() => startServer(entry, directory))
  const target = below(readyMs, 1_000, 'ms')
  return { name: 'ready with this database', server: `${whole(readyMs)} ms`, target }
}

function announced(name: string, bench: Bench, server: Side, floor: Side): Promise<Comparison> {
  process.stdout.write(`measuring ${name}\n`)
  return compare(name, bench.effort, { server, floor })
}
