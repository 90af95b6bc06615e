import { compare, type Effort, type Measure } from './compare.ts'
import type { Scenario } from './load.ts'
import { defaultPostgresUrl, readNames, readOptions } from './options.ts'
import { type Action, captureActions, numberedApart, writeScript } from './postgres/actions.ts'
import {
  createDatabase,
  execute,
  findPgbench,
  runPgbench,
  withoutPgbench,
} from './postgres/database.ts'
import { atMost, formatTable, type Line, type Lines } from './report.ts'
import { makeDirectory, type Server, startServer } from './server.ts'
import {
  addBuyers,
  addProducts,
  addToCarts,
  type Buyer,
  checkOut,
  payOrders,
  placeOrders,
  renewTokens,
  requirePaid,
  type Shop,
} from './shop.ts'

/** The measurements on PostgreSQL, in order. */
export const postgresMeasurements = ['order', 'cart', 'payment', 'checkout', 'workers'] as const

/** Options of the measurements on PostgreSQL. */
export interface PostgresOptions extends Effort {
  /** URL of a database whose user may create others. */
  readonly url: string
  /** Without the program, its comparisons are left out. */
  readonly pgbench: string | undefined
  readonly directory: string
  /** Node options of the measured server. */
  readonly flags: readonly string[]
  readonly wanted: ReadonlySet<(typeof postgresMeasurements)[number]>
}

interface Bench extends PostgresOptions {
  readonly server: Server
  readonly shop: Shop
  readonly actions: ReadonlyMap<string, Action>
}

const maxRoundTrips: Readonly<Record<string, number>> = { 'add to cart': 2, payment: 3 }

/**
 * Measures the server on a database of its own, beside pgbench where there is one; `onActions` is
 * called with what each action sends to the database.
 */
export async function* measureOnPostgres(
  options: PostgresOptions,
  onActions: (actions: ReadonlyMap<string, Action>) => void = () => undefined,
): Lines {
  const { directory, flags, connections, wanted } = options
  await using database = await createDatabase(options.url, `cartwright_bench_${process.pid}`)
  const { url } = database
  await using server = await startServer({ url, directory, name: 'server', flags })
  await execute(url, numberedApart)
  const productIds = await addProducts(server)
  const shop = { buyers: await addBuyers(server, connections), productIds }
  const actions = await captureActions({ url, directory, name: 'wire' }, shop)
  onActions(actions)
  const bench = { ...options, url, server, shop, actions }
  if (wanted.has('order')) yield* besidePgbench(bench, 'order of two', placeOrders(shop))
  if (wanted.has('cart')) {
    yield* besidePgbench(bench, 'add to cart', addToCarts(shop))
    yield roundTripsLine('add to cart', actions)
  }
  await execute(url, 'delete from cart_items')
  if (wanted.has('payment')) {
    yield* await alone(bench, 'order and payment', payOrders)
    yield roundTripsLine('payment', actions)
  }
  if (wanted.has('checkout')) yield* await alone(bench, 'whole checkout', checkOut)
  if (wanted.has('workers')) yield* await besideTwoWorkers(bench)
}

/** One line, or none without pgbench. */
async function* besidePgbench(bench: Bench, name: string, scenario: Scenario): Lines {
  const { url, directory, shop, server, connections, pgbench: program } = bench
  if (program === undefined) return
  const script = writeScript(actionOf(name, bench.actions), directory, shop)
  const baseline: Measure = () => runPgbench(program, url, script, connections)
  const options = { baseline, targetOf: atMost(3.6, 'pgbench') }
  yield* await compare(`PostgreSQL: ${name}`, bench, [server, scenario], options)
}

async function besideTwoWorkers(bench: Bench): Promise<readonly Line[]> {
  const { url, directory, server, shop } = bench
  const subject = { url, directory, name: 'workers', settings: { WORKERS: '2' } }
  await using both = await startServer(subject)
  const scenario = placeOrders({ ...shop, buyers: await renewTokens(server, shop.buyers) })
  const name = 'PostgreSQL: order of two, two workers beside one'
  const baseline = [server, scenario] as const
  return await compare(name, bench, [both, scenario], { baseline, targetOf: atMost(1.5, 'one') })
}

/** A scenario without a baseline, all of whose orders are paid. */
async function alone(
  bench: Bench,
  name: string,
  scenarioOf: typeof checkOut,
): Promise<readonly Line[]> {
  const { server, shop } = bench
  const paid = new Map<Buyer, number>()
  const scenario = scenarioOf({ ...shop, buyers: await renewTokens(server, shop.buyers) }, paid)
  const side = [server, scenario] as const
  const lines = await compare(`PostgreSQL: ${name}`, bench, side, {})
  await requirePaid(server, paid)
  return lines
}

function actionOf(name: string, actions: ReadonlyMap<string, Action>): Action {
  const action = actions.get(name)
  if (!action) throw new Error(`nothing is known of ${name}`)
  return action
}

/** The round trips of an action to the database, without the query that checks the credential. */
export function roundTripsLine(name: string, actions: ReadonlyMap<string, Action>): Line {
  const { statements, roundTrips } = actionOf(name, actions)
  const checks = statements.filter(({ sql }) => sql.includes('"sessions"."ended_at"')).length
  const own = roundTrips - checks
  const most = maxRoundTrips[name] ?? 1
  return {
    name: `PostgreSQL: ${name}, round trips beside that of the credential`,
    server: String(own),
    target: { text: `≤ ${most}`, met: own <= most },
  }
}

if (import.meta.main) {
  const { url, pgbench, only, flags, ...effort } = readOptions('bench:postgres', {
    url: defaultPostgresUrl,
    pgbench: '',
    only: [] as string[],
    flags: '',
    seconds: 5,
    connections: 32,
  })
  const program = findPgbench(pgbench)
  const wanted = readNames('only', only, postgresMeasurements)
  const nodeFlags = flags.split(' ').filter(Boolean)
  const options = { ...effort, url, wanted, pgbench: program, flags: nodeFlags }
  const rows = ['| action | statements | round trips |', '| --- | ---: | ---: |']
  const lines = await Array.fromAsync(
    measureOnPostgres({ ...options, directory: makeDirectory('postgres') }, (actions) => {
      for (const [name, { statements, roundTrips }] of actions)
        rows.push(`| ${name} | ${statements.length} | ${roundTrips} |`)
    }),
  )
  const isIncomplete = program === undefined && (wanted.has('order') || wanted.has('cart'))
  const notes = isIncomplete ? [withoutPgbench] : []
  process.stdout.write(`\n${[rows.join('\n'), formatTable(lines), ...notes].join('\n\n')}\n`)
}
