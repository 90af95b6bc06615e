import { parseArgs } from 'node:util'
import postgres from 'postgres'
import type { Child } from './child.ts'
import { median } from './compare.ts'
import { endOnSignals } from './ending.ts'
import { runLoad, type Scenario } from './load.ts'
import { makeDirectory } from './place.ts'
import { type Act, actsOf, captureActs, writeScript } from './postgres/acts.ts'
import { runPgbench } from './postgres/pgbench.ts'
import { type Line, layOut, type Target, whole } from './report.ts'
import { addToCarts, checkOut, payOrders, placeOrders, type Shop } from './scenarios.ts'
import { addBuyers, addProducts, assertPaid, renewTokens } from './shop.ts'
import { startServerOver } from './subjects.ts'

const warmUpSeconds = 2

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    pgbench: { type: 'string', default: 'pgbench' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string', multiple: true, default: [] },
    // Of Node, for the server that is measured: --cpu-prof, say.
    flags: { type: 'string' },
  },
})
const connections = Number(values.connections)
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)

/** What every measurement needs. */
interface Bench {
  readonly directory: string
  readonly url: string
  readonly server: Child
  readonly shop: Shop
  readonly acts: ReadonlyMap<string, Act>
}

/** Does something for so many seconds; tells how often a second it was done. */
type Press = (seconds: number) => Promise<{
  readonly perSecond: number
  readonly latency?: string
  /** Of a processor, that the process of the server used each time. */
  readonly cpuMs?: number
}>

const wanted = values.only.flatMap((names) => names.split(','))
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)

async function run(): Promise<void> {
  const directory = makeDirectory('postgres')
  const name = `cartwright_bench_${process.pid}`
  await administer(`create database ${name}`)
  const url = new URL(values.url)
  url.pathname = `/${name}`
  try {
    await measureOver(url.href, directory)
  } finally {
    await administer(`drop database if exists ${name} with (force)`)
  }
}

async function measureOver(url: string, directory: string): Promise<void> {
  const flags = values.flags?.split(' ') ?? []
  const server = await startServerOver({ url, directory, log: 'server.log', flags })
  try {
    await administer(actsOf.numbering, url)
    const productIds = await addProducts(server)
    const buyers = await addBuyers(server, connections)
    const shop = { buyers, productIds }
    const acts = await captureActs({ url, directory }, shop)
    const bench = { directory, url, server, shop, acts }
    const lines: Line[] = []
    if (isWanted('order')) lines.push(await besidePgbench(bench, 'order of two', placeOrders(shop)))
    if (isWanted('cart')) lines.push(await besidePgbench(bench, 'add to cart', addToCarts(shop)))
    await administer('delete from cart_items', url)
    if (isWanted('payment')) lines.push(await alone(bench, 'order and payment', payOrders))
    if (isWanted('checkout')) lines.push(await alone(bench, 'whole checkout', checkOut))
    if (isWanted('workers')) lines.push(await besideTwoWorkers(bench))
    process.stdout.write(`\n${tableOf(acts)}\n\n${layOut(lines)}\n`)
  } finally {
    await server.stop()
  }
}

/** The statements of each act, and how often it waits for the database. */
function tableOf(acts: ReadonlyMap<string, Act>): string {
  const rows = [...acts].map(
    ([name, { statements, waits }]) => `| ${name} | ${statements.length} | ${waits} |`,
  )
  return ['| act | statements | round trips |', '| --- | ---: | ---: |', ...rows].join('\n')
}

const pressing =
  (child: Child, scenario: Scenario): Press =>
  async (length) => {
    const usedBefore = child.processorSeconds()
    const report = await runLoad({ port: child.port, scenario, connections, seconds: length })
    const latency = `${report.p50Ms.toFixed(2)} / ${report.p99Ms.toFixed(2)}`
    const cpuMs = ((child.processorSeconds() - usedBefore) * 1000) / report.iterations
    return { perSecond: report.perSecond, latency, cpuMs }
  }

async function besidePgbench(bench: Bench, name: string, scenario: Scenario): Promise<Line> {
  const act = bench.acts.get(name)
  if (!act) throw new Error(`nothing is known of ${name}`)
  const script = writeScript(act, bench.directory, bench.shop)
  const { url } = bench
  const floor: Press = async (length) => ({
    perSecond: await runPgbench({
      ...{ program: values.pgbench, url, script },
      ...{ clients: connections, seconds: length },
    }),
  })
  return inTurn(name, pressing(bench.server, scenario), floor, (ratio) => ({
    text: '≥ 0.5 of pgbench',
    met: ratio >= 0.5,
  }))
}

async function besideTwoWorkers(bench: Bench): Promise<Line> {
  const { url, directory, server, shop } = bench
  const settings = { WORKERS: '2' }
  const two = await startServerOver({ url, directory, log: 'workers.log', settings })
  try {
    const scenario = placeOrders(shop)
    return await inTurn(
      'order, two workers beside one',
      pressing(two, scenario),
      pressing(server, scenario),
      (ratio) => ({ text: '≥ 1.5 of one', met: ratio >= 1.5 }),
    )
  } finally {
    await two.stop()
  }
}

/** Both sides in alternation; each figure is the median of its rounds. */
async function inTurn(
  name: string,
  server: Press,
  floor: Press,
  judge: (ratio: number) => Target,
): Promise<Line> {
  process.stdout.write(`measuring ${name}\n`)
  const figures = { server: [] as number[], floor: [] as number[] }
  let latency = ''
  let cpuMs = 0
  for (const side of [server, floor]) await side(warmUpSeconds)
  for (let round = 0; round < rounds; round += 1) {
    const ofServer = await server(seconds)
    latency = ofServer.latency ?? ''
    cpuMs = ofServer.cpuMs ?? 0
    figures.server.push(ofServer.perSecond)
    figures.floor.push((await floor(seconds)).perSecond)
  }
  const [mine, floors] = [median(figures.server), median(figures.floor)]
  const ratio = mine / floors
  return {
    ...{
      name: `${name} (${cpuMs.toFixed(2)} ms of CPU)`,
      server: `${whole(mine)}/s`,
      floor: `${whole(floors)}/s`,
    },
    ...{ ratio: ratio.toFixed(2), latency, target: judge(ratio) },
  }
}

/** A scenario with nothing to stand beside it; every order that it paid for is paid. */
async function alone(
  { server, shop }: Bench,
  name: string,
  scenarioOf: typeof checkOut,
): Promise<Line> {
  process.stdout.write(`measuring ${name}\n`)
  const last = new Map<Shop['buyers'][number], number>()
  const fresh = { ...shop, buyers: await renewTokens(server, shop.buyers) }
  const press = pressing(
    server,
    scenarioOf(fresh, (buyer, orderId) => last.set(buyer, orderId)),
  )
  const found: number[] = []
  let latency = ''
  let cpuMs = 0
  await press(warmUpSeconds)
  for (let round = 0; round < rounds; round += 1) {
    const report = await press(seconds)
    latency = report.latency ?? ''
    cpuMs = report.cpuMs ?? 0
    found.push(report.perSecond)
  }
  for (const [buyer, orderId] of last) await assertPaid(server, buyer, orderId)
  const cpu = `${name} (${cpuMs.toFixed(2)} ms of CPU)`
  return { name: cpu, server: `${whole(median(found))}/s`, latency }
}

async function administer(command: string, url = values.url): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await sql.unsafe(command)
  } finally {
    await sql.end()
  }
}

endOnSignals()
await run()
