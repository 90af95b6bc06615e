import { type Child, stopping } from '../child.ts'
import { type Effort, type Press, pressInTurn } from '../compare.ts'
import { runLoad, type Scenario } from '../load.ts'
import { atLeast, type Line, whole } from '../report.ts'
import { addToCarts, checkOut, payOrders, placeOrders, type Shop } from '../scenarios.ts'
import { addBuyers, addProducts, noting, renewTokens } from '../shop.ts'
import { startServerOver } from '../subjects.ts'
import { type Act, actsOf, captureActs, writeScript } from './acts.ts'
import { administer, withDatabase } from './databases.ts'
import { runPgbench } from './pgbench.ts'
import { roundTripsOf } from './round-trips.ts'

/** What can be measured on PostgreSQL, in the order in which it is. */
export const postgresMeasurements = ['order', 'cart', 'payment', 'checkout', 'workers'] as const

/** The name of one of them. */
export type PostgresMeasurement = (typeof postgresMeasurements)[number]

/** What to measure, where, and with what. */
export interface PostgresOptions {
  /** A database whose user may create others. */
  readonly url: string
  /** The program; nothing stands beside it where there is none. */
  readonly pgbench: string | undefined
  readonly directory: string
  readonly entry: string
  /** Of Node, for the server that is measured. */
  readonly flags: readonly string[]
  readonly effort: Effort
  readonly wanted: ReadonlySet<PostgresMeasurement>
}

/** What came of it, and what each act sends to the database. */
export interface PostgresFindings {
  readonly lines: readonly Line[]
  readonly acts: ReadonlyMap<string, Act>
}

interface Bench extends PostgresOptions {
  readonly server: Child
  readonly shop: Shop
  readonly acts: ReadonlyMap<string, Act>
}

/** What one press tells; NaN where it is not known. */
interface Pressed {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of a processor, that the process of the server used each time. */
  readonly cpuMs: number
}

/** Measures the server on a database of its own, beside pgbench where there is something to compare. */
export function measureOnPostgres(options: PostgresOptions): Promise<PostgresFindings> {
  const name = `cartwright_bench_${process.pid}`
  return withDatabase(options.url, name, async (url) => {
    const { directory, entry, flags, effort } = options
    const server = await startServerOver({ entry, url, directory, log: 'server.log', flags })
    return stopping(server, async () => {
      await administer(url, actsOf.numbering)
      const productIds = await addProducts(server)
      const shop = { buyers: await addBuyers(server, effort.connections), productIds }
      const acts = await captureActs({ entry, url, directory }, shop)
      return { lines: await measure({ ...options, url, server, shop, acts }), acts }
    })
  })
}

async function measure(bench: Bench): Promise<Line[]> {
  const { wanted, shop, acts, url } = bench
  const lines: Line[] = []
  if (wanted.has('order')) {
    lines.push(...(await besidePgbench(bench, 'order of two', placeOrders(shop))))
  }
  if (wanted.has('cart')) {
    lines.push(...(await besidePgbench(bench, 'add to cart', addToCarts(shop))))
    lines.push(roundTripsOf('add to cart', acts, 2))
  }
  await administer(url, 'delete from cart_items')
  if (wanted.has('payment')) {
    lines.push(await alone(bench, 'order and payment', payOrders))
    lines.push(roundTripsOf('payment', acts, 3))
  }
  if (wanted.has('checkout')) lines.push(await alone(bench, 'whole checkout', checkOut))
  if (wanted.has('workers')) lines.push(await besideTwoWorkers(bench))
  return lines
}

function pressing(child: Child, scenario: Scenario, connections: number): Press<Pressed> {
  return async (seconds) => {
    const usedBefore = child.processorSeconds()
    const report = await runLoad({ port: child.port, scenario, connections, seconds })
    const { perSecond, p50Ms, p99Ms, iterations } = report
    const cpuMs = ((child.processorSeconds() - usedBefore) * 1000) / iterations
    return { perSecond, p50Ms, p99Ms, cpuMs }
  }
}

/** One line, or none where there is no pgbench. */
async function besidePgbench(bench: Bench, name: string, scenario: Scenario): Promise<Line[]> {
  const { url, directory, shop, server, effort, pgbench: program } = bench
  const act = bench.acts.get(name)
  if (!act) throw new Error(`nothing is known of ${name}`)
  if (program === undefined) return []
  const script = writeScript(act, directory, shop)
  const floor: Press<Pressed> = async (seconds) => ({
    perSecond: await runPgbench({ program, url, script, clients: effort.connections, seconds }),
    ...{ p50Ms: Number.NaN, p99Ms: Number.NaN, cpuMs: Number.NaN },
  })
  const [mine, floors] = await announced(name, effort, [
    pressing(server, scenario, effort.connections),
    floor,
  ])
  if (!mine || !floors) throw new Error('there are two sides to compare')
  return [{ ...described(withCpu(name, mine), mine), ...beside(mine, floors, 0.5, 'pgbench') }]
}

async function besideTwoWorkers(bench: Bench): Promise<Line> {
  const { entry, url, directory, server, shop, effort } = bench
  const settings = { WORKERS: '2' }
  const two = await startServerOver({ entry, url, directory, log: 'workers.log', settings })
  return stopping(two, async () => {
    const scenario = placeOrders(shop)
    const presses = [two, server].map((child) => pressing(child, scenario, effort.connections))
    const [both, one] = await announced('two workers', effort, presses)
    if (!both || !one) throw new Error('there are two sides to compare')
    // What the process of the server used is only what the first of its processes did.
    const line = described('order of two, two workers beside one', both)
    return { ...line, ...beside(both, one, 1.5, 'one') }
  })
}

/** A scenario with nothing to stand beside it; every order that it paid for is paid. */
async function alone(bench: Bench, name: string, scenarioOf: typeof checkOut): Promise<Line> {
  const { server, shop, effort } = bench
  const fresh = { ...shop, buyers: await renewTokens(server, shop.buyers) }
  const { side, assertPaid } = noting(server, fresh, scenarioOf)
  const [mine] = await announced(name, effort, [
    pressing(server, side.scenario, effort.connections),
  ])
  await assertPaid()
  if (!mine) throw new Error('nothing was measured')
  return described(withCpu(name, mine), mine)
}

function announced(
  name: string,
  effort: Effort,
  presses: readonly Press<Pressed>[],
): Promise<readonly Pressed[]> {
  process.stdout.write(`measuring ${name} on PostgreSQL\n`)
  return pressInTurn(presses, effort)
}

const withCpu = (name: string, { cpuMs }: Pressed): string =>
  `${name} (${cpuMs.toFixed(2)} ms of CPU)`

const described = (name: string, { perSecond, p50Ms, p99Ms }: Pressed): Line => ({
  name: `PostgreSQL: ${name}`,
  server: `${whole(perSecond)}/s`,
  latency: `${p50Ms.toFixed(2)} / ${p99Ms.toFixed(2)}`,
})

function beside(mine: Pressed, other: Pressed, least: number, of: string): Partial<Line> {
  const ratio = mine.perSecond / other.perSecond
  return {
    floor: `${whole(other.perSecond)}/s`,
    ratio: ratio.toFixed(2),
    target: atLeast(ratio, least, of),
  }
}
