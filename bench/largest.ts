import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Route } from '#http/declare/route.ts'
import { acceptsQuery } from '#http/server/body/query-method.ts'
import { tableDeclarations } from '#src/server/tables.ts'
import { openStore } from '#store/database.ts'
import { type ContractApp, startContractApp } from '#test/contract/setup/contract-app.ts'
import { resolvePath } from '#test/contract/setup/valid-requests.ts'
import { largestRawRequests } from '#test/support/largest/raw-requests.ts'
import {
  type LargestRequest,
  largestRequests,
  type RequestParts,
} from '#test/support/largest/requests.ts'
import { enlargeFixtures, insertLargestRows } from '#test/support/largest/shop.ts'
import { type Heartbeat, type Held, startHeartbeat } from './largest/heartbeat.ts'
import type { Received, Sent } from './largest/sender.ts'
import { defaultPostgresUrl, readOptions } from './options.ts'
import { createDatabase } from './postgres/database.ts'
import { integer } from './report.ts'
import { makeDirectory, root } from './server.ts'
import { fillUp } from './shop.ts'

/** A request, what came back and how it held the event loop. */
interface Measured extends Held, Received {
  readonly operation: string
  readonly name: string
  readonly bytesIn: number
}

/** A hold from which on a request is repeated, and the least of all times counts. */
const suspiciousMs = 25
const repetitions = 3
const shownRows = 20
const maxTurnMs = 50
const maxBytes = 5_000_000

/** Sends requests from a thread of its own to the server in this one. */
interface Sender extends AsyncDisposable {
  readonly send: (request: Omit<Sent, 'port'>) => Promise<Received>
}

function startSender(port: number): Sender {
  const worker = new Worker(new URL('./largest/sender.ts', import.meta.url))
  return {
    send: async (request) => {
      worker.postMessage({ ...request, port } satisfies Sent)
      const [received] = (await once(worker, 'message')) as [Received]
      return received
    },
    [Symbol.asyncDispose]: async () => {
      await worker.terminate()
    },
  }
}

interface Bench {
  readonly contract: ContractApp
  readonly sender: Sender
  readonly heartbeat: Heartbeat
  readonly productIds: readonly number[]
  readonly words: readonly string[]
}

async function measureOnce({ sender, heartbeat }: Bench, request: LargestRequest) {
  const { method, url, headers } = request
  const payload = request.payload?.()
  // What came before, and its garbage, is not measured.
  await sleep(3)
  heartbeat.reset()
  const received = await sender.send({
    method,
    url,
    headers,
    ...(payload !== undefined && { payload }),
  })
  await sleep(2)
  return {
    ...received,
    ...heartbeat.read(),
    bytesIn: Buffer.byteLength(payload ?? '') + url.length,
  }
}

/** Measures the requests to a route; a suspicious one is repeated with fixtures of its own. */
async function measureRoute(
  bench: Bench,
  route: Route,
  only: RegExp,
): Promise<readonly Measured[]> {
  const requests = largestRequests(route, await partsOf(bench, route))
  return measureAll(bench, route, requests, only, (request) => repeated(bench, route, request))
}

async function measureAll(
  bench: Bench,
  { method, path }: Pick<Route, 'method' | 'path'>,
  requests: Iterable<LargestRequest>,
  only: RegExp,
  repeat: (request: LargestRequest) => Promise<LargestRequest>,
): Promise<readonly Measured[]> {
  const operation = `${method} ${path}`
  const found: Measured[] = []
  for (const request of requests) {
    if (!only.test(`${operation} ${request.name}`)) continue
    let least = await measureOnce(bench, request)
    for (let count = 1; count < repetitions && least.holdMs >= suspiciousMs; count += 1) {
      const again = await measureOnce(bench, await repeat(request))
      if (again.holdMs < least.holdMs) least = again
    }
    found.push({ operation, name: request.name, ...least })
  }
  return found
}

/** Returns a request that has the same effect as one that was sent. */
async function repeated(bench: Bench, route: Route, request: LargestRequest) {
  if (route.method === 'GET') return request
  const parts = await partsOf(bench, route)
  for (const each of largestRequests(route, parts)) if (each.name === request.name) return each
  return request
}

async function partsOf(bench: Bench, route: Route): Promise<RequestParts> {
  const { contract, productIds, words } = bench
  const isRead = route.method === 'GET'
  const fixtures = isRead ? contract.fixtures : await contract.freshFixtures(route)
  const ids = isRead ? {} : await enlargeFixtures(contract.shop, fixtures, productIds)
  return { fixtures, ids, words, lastPage: await lastPageOf(contract, route) }
}

async function lastPageOf({ fixtures }: ContractApp, route: Route): Promise<number> {
  if (!acceptsQuery(route)) return 1
  const { json } = await fixtures.admin.request('GET', `${resolvePath(route, fixtures)}?limit=100`)
  return json?.pagination?.total_pages ?? 1
}

/** Returns the longest time for which the idle server was held within a second. */
async function measureIdle({ heartbeat }: Bench): Promise<number> {
  heartbeat.reset()
  await sleep(1000)
  return heartbeat.read().holdMs
}

async function measure(url: string, only: RegExp): Promise<readonly Measured[]> {
  const store = await openStore(url)
  await store.migrate(tableDeclarations)
  const temporary = { store, url, dispose: () => store.close() }
  const contract = await startContractApp(store.kind, { temporary })
  const rows = { reviewed: 100, orders: 100 }
  const inserted = await insertLargestRows(contract.shop, contract.fixtures, rows)
  const { port } = contract.shop.app.server.address() as AddressInfo
  await using sender = startSender(port)
  using heartbeat = startHeartbeat()
  const bench = { contract, sender, heartbeat, ...inserted }
  const found: Measured[] = []
  for (const route of contract.routes) found.push(...(await measureRoute(bench, route, only)))
  for (const route of contract.shop.oauth.routes) {
    const requests = largestRawRequests(route)
    found.push(...(await measureAll(bench, route, requests, only, async (request) => request)))
  }
  process.stdout.write(`the idle loop is held for ${(await measureIdle(bench)).toFixed(1)} ms\n`)
  await contract.shop.dispose()
  return found.toSorted((a, b) => b.busyMs - a.busyMs)
}

/** The worst requests as a table of Markdown. */
function formatWorst(measured: readonly Measured[]): string {
  const head = [
    ...['operation', 'what is large', 'bytes in', 'status', 'bytes out'],
    ...['longest turn', 'held', 'processor time'],
  ]
  const rows = measured
    .slice(0, shownRows)
    .map((row) => [
      ...[`\`${row.operation}\``, row.name, integer(row.bytesIn), row.status, integer(row.bytes)],
      ...[row.busyMs, row.holdMs, row.cpuMs].map((ms) => `${ms.toFixed(1)} ms`),
    ])
  const rule = head.map((_, at) => (at < 2 ? '---' : '---:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Writes a table between the comments that name the database in docs/performance.md. */
function publish(on: string, table: string): void {
  const file = resolve(root, 'docs/performance.md')
  const place = new RegExp(`(<!-- largest, ${on} -->\n)[^]*?(<!-- end -->)`)
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(place, (_, start, end) => `${start}${table}\n${end}`),
  )
}

/** True for a request that holds the loop or is answered with more than the goals say. */
const isMissed = ({ name, busyMs, bytes, status }: Measured): boolean =>
  busyMs > maxTurnMs || (bytes > maxBytes && !name.startsWith('export')) || status >= 500

if (import.meta.main) {
  const options = readOptions('bench:largest', {
    products: 100_000,
    orders: 100_000,
    on: 'sqlite',
    postgres: defaultPostgresUrl,
    only: '',
    publish: false,
  })
  const { products, orders, on } = options
  const directory = makeDirectory('largest')
  await using created =
    on === 'postgres'
      ? await createDatabase(options.postgres, `cartwright_largest_${process.pid}`)
      : undefined
  const url = created?.url ?? `sqlite:${resolve(directory, 'largest.db')}`
  const users = Math.ceil(products / 10)
  await fillUp({ url, directory, name: 'largest' }, products, { users, orders })
  const measured = await measure(url, new RegExp(options.only))
  const table = formatWorst(measured)
  process.stdout.write(`${integer(measured.length)} requests on ${on}\n${table}\n`)
  if (options.publish) publish(on, table)
  process.exitCode = measured.some(isMissed) ? 1 : 0
}
