import { once } from 'node:events'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Attack, Statuses } from './hostile/attacker.ts'
import { hostileCases } from './hostile/cases.ts'
import { createClient } from './hostile/client.ts'
import { type Credentials, type HonestFigures, measureHonest } from './hostile/honest.ts'
import { defaultPostgresUrl, readNames, readOptions } from './options.ts'
import { createDatabase } from './postgres/database.ts'
import { makeDirectory, type Server, startServer } from './server.ts'
import { call, fillUp } from './shop.ts'

/** What honest clients must get beside any attack. */
const maxP99Ms = 100

const warmUpRequests = 500

/** The settings of a server behind a proxy, with the limits that it has by default. */
const settings = {
  RATE_LIMIT: '100/60s',
  LOGIN_LIMIT: '10/60s',
  TRUST_PROXY: 'loopback',
  BASE_URL: 'http://localhost:8080',
  PAYMENT_PROVIDER: 'sandbox',
}

interface Row extends HonestFigures {
  readonly name: string
  readonly title: string
  readonly hostile: Statuses
  readonly walMegabytes?: number
}

/** Attacks a server by a case, while honest clients use it. */
async function measure(
  { port }: Server,
  name: string,
  { seconds, honest, walFile }: { seconds: number; honest: Credentials; walFile?: string },
): Promise<Row> {
  const at = Object.keys(hostileCases).indexOf(name)
  const { title, tellsWal = false } = hostileCases[name] ?? { title: name }
  await warmUp(port)
  const attack: Attack = { name, port, address: `203.0.113.${at + 1}`, seconds }
  const worker = new Worker(new URL('./hostile/attacker.ts', import.meta.url), {
    workerData: attack,
  })
  await once(worker, 'message')
  let walBytes = 0
  const watch = setInterval(() => {
    if (walFile !== undefined) walBytes = Math.max(walBytes, sizeOf(walFile))
  }, 200)
  const attacked = once(worker, 'message') as Promise<[Statuses]>
  const [figures, [hostile]] = await Promise.all([measureHonest(port, seconds, honest), attacked])
  clearInterval(watch)
  const wal = tellsWal && walFile !== undefined ? { walMegabytes: walBytes / 1024 ** 2 } : {}
  return { name, title, hostile, ...figures, ...wal }
}

/** Has the server run what it runs for most customers, so that what is measured is not its first requests. */
async function warmUp(port: number): Promise<void> {
  const client = createClient(port, 1)
  for (let turn = 0; turn < warmUpRequests; turn += 1) {
    const path =
      turn % 10 === 0 ? '/products?q=a&facets=category,availability,price' : '/products/1'
    await client.send({ method: 'GET', path, from: `198.18.2.${turn % 250}` })
  }
  client.close()
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const isGood = ({ p99Ms, failures, signIns }: HonestFigures): boolean =>
  p99Ms < maxP99Ms && failures[503] === undefined && signIns.failed === 0

const byStatus = (statuses: Statuses): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${status === '0' ? 'none' : status}: ${count}`)
    .join(', ')

/** The rows as a table of Markdown. */
function tableOf(rows: readonly Row[]): string {
  const head = [
    'case',
    'hostile answers',
    'p50 ms',
    'p99 ms',
    'max ms',
    'not 200',
    'sign-ins',
    'WAL MB',
    '',
  ]
  const cells = rows.map((row) => [
    `${row.name}: ${row.title}`,
    byStatus(row.hostile),
    ...[row.p50Ms, row.p99Ms, row.maxMs].map((ms) => ms.toFixed(1)),
    byStatus(row.failures),
    `${row.signIns.ok} ok, ${row.signIns.failed} failed`,
    row.walMegabytes?.toFixed(1) ?? '',
    isGood(row) ? 'good' : 'MISSED',
  ])
  const lines = [head, head.map(() => '---'), ...cells]
  return lines.map((line) => `| ${line.join(' | ')} |\n`).join('')
}

const { on, products, seconds, only, postgres } = readOptions('bench:hostile', {
  on: 'sqlite',
  products: 20_000,
  seconds: 30,
  only: [] as string[],
  postgres: defaultPostgresUrl,
})
const wanted = readNames('only', only, Object.keys(hostileCases))
const [kind] = [...readNames('on', [on], ['sqlite', 'postgres'] as const)]
const directory = makeDirectory('hostile')
await using database =
  kind === 'postgres'
    ? await createDatabase(postgres, `cartwright_hostile_${process.pid}`)
    : undefined
const file = resolve(directory, 'shop.db')
const url = database?.url ?? `sqlite:${file}`
const subject = { url, directory, name: 'server', settings }
await fillUp(subject, products)
const honest = { username: 'honest', password: 'an honest orange kettle' }
const rows: Row[] = []
for (const name of wanted) {
  // A new process for each, which counts from zero.
  await using server = await startServer(subject)
  if (rows.length === 0) await call(server, 'POST', '/users', { body: { name: 'Ada', ...honest } })
  const walFile = database ? undefined : `${file}-wal`
  const row = await measure(server, name, { seconds, honest, ...(walFile && { walFile }) })
  rows.push(row)
  process.stdout.write(`${name} is measured\n`)
}
process.stdout.write(`\n${tableOf(rows)}`)
if (!rows.every(isGood)) process.exitCode = 1
