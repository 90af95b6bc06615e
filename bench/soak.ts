import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, entryAt, integerBetween, type Random } from '#src/demo/random.ts'
import {
  createdId,
  encodeRequest,
  type HttpResponse,
  hasPassed,
  type LoadRequest,
  runLoad,
} from './load.ts'
import { readOptions } from './options.ts'
import { below, formatTable, integer, type Line, type Lines, type Target } from './report.ts'
import { medianStart, root, type ServerOptions, startServer } from './server.ts'
import { addBuyers, type Buyer, fillUp, logIn, payment, renewTokens, shipping } from './shop.ts'
import { growthInSecondHalf } from './statistics.ts'

/** Duration, shop size, concurrency and data directory of a soak. */
export interface SoakOptions {
  readonly minutes: number
  readonly products: number
  readonly connections: number
  readonly data: string
}

/** Number of concurrent shoppers. */
export const soakConnections = 16

/** Directory of the shop, kept for the next soak because filling it takes long. */
export const soakData = resolve(root, '.cache/soak')

const maxMegabytes = 250
const maxReadyMs = 1000
// Memory that the garbage collector keeps for a while is no leak; a leak keeps growing.
const maxGrowthMegabytes = 10
// A token lives for fifteen minutes.
const renewEveryMs = 5 * 60_000
const expected = [200, 201, 404, 409, 410, 503]

/** Runs shoppers and measures the memory of the server. */
export async function* measureSoak(options: SoakOptions): Lines {
  const { data: directory, products, minutes } = options
  mkdirSync(directory, { recursive: true })
  const url = `sqlite:${resolve(directory, 'shop.db')}`
  const settings = { SECRET_KEY: 'a secret key of a shop that only soaks' }
  const subject = { url, directory, name: 'server', settings }
  process.stdout.write(`filling ${url} up to ${integer(products)} products\n`)
  await fillUp(subject, products)
  const readyMs = await medianStart(subject)
  process.stdout.write(`measuring the soak: ready after ${integer(readyMs)} ms\n`)
  const { samples, total, seconds } = await sampleMemory(subject, options)
  const line = (name: string, server: string, target: Target): Line => ({ name, server, target })
  const most = Math.max(...samples)
  const growth = growthInSecondHalf(samples)
  const soak = `soak of ${minutes} min over ${integer(products)}`
  const ready = `ready with its database of ${integer(products)}`
  yield line(`${soak}: RSS at most`, `${integer(most)} MB`, below(most, maxMegabytes, 'MB'))
  const growthTarget = below(growth, maxGrowthMegabytes, 'MB')
  yield line(`${soak}: growth in its second half`, `${growth.toFixed(1)} MB`, growthTarget)
  // The first unexpected status ends the run.
  const noError = { text: 'no error', met: true }
  const requests = `${soak}: requests, ${integer(total)} in all`
  yield line(requests, `${integer(total / seconds)}/s`, noError)
  yield line(ready, `${integer(readyMs)} ms`, below(readyMs, maxReadyMs, 'ms'))
}

/** Samples the resident memory of the server while shoppers run. */
async function sampleMemory(subject: ServerOptions, options: SoakOptions) {
  const { minutes, connections, products } = options
  await using server = await startServer(subject)
  let buyers = await addBuyers(server, connections)
  let adminToken = await logIn(server)
  let renewAtMs = performance.now() + renewEveryMs
  const randoms = buyers.map((_, at) => createRandom(at + 1))
  const statuses: Record<number, number> = {}
  let total = 0
  const load = runLoad({
    port: server.port,
    connections,
    pace: hasPassed(minutes * 60),
    scenario: (at) => act(buyers[at] as Buyer, adminToken, randoms[at] as Random, products),
    onResponse: (status) => {
      statuses[status] = (statuses[status] ?? 0) + 1
      total += 1
    },
  })
  load.catch(() => undefined)
  const samples: number[] = []
  const startedAt = performance.now()
  const elapsed = () => (performance.now() - startedAt) / 1000
  process.stdout.write('  seconds   RSS MB   requests\n')
  while (elapsed() < minutes * 60) {
    // Sixty samples of ten minutes; of a shorter time as many, or there were no quarters.
    await Promise.race([sleep(Math.min(10, minutes) * 1000), load])
    const { now } = server.memoryMegabytes()
    samples.push(now)
    const cells = [elapsed().toFixed(0), now.toFixed(1), String(total)]
    process.stdout.write(`${cells.map((cell) => cell.padStart(9)).join('')}\n`)
    if (performance.now() < renewAtMs) continue
    renewAtMs = performance.now() + renewEveryMs
    buyers = await renewTokens(server, buyers)
    adminToken = await logIn(server)
  }
  const found = { samples, total, seconds: elapsed() }
  await load
  await sleep(5000)
  const { now, peak } = server.memoryMegabytes()
  process.stdout.write(
    `  at rest   ${now.toFixed(1)} MB; at most ${peak.toFixed(1)} MB between the samples\n` +
      `${total} requests, by status ${JSON.stringify(statuses)}\n`,
  )
  return found
}

type Steps = Generator<LoadRequest, void, HttpResponse>

const request = (
  method: string,
  path: string,
  parts?: Parameters<typeof encodeRequest>[2],
): LoadRequest => ({ bytes: encodeRequest(method, path, parts), expect: expected })

const lists = [
  '/products?limit=20',
  '/products?limit=20&sort=price',
  '/products?category=kitchen&limit=20',
  '/products?sort=rating&order=desc',
  '/products?sort=created_at&order=desc&limit=50',
]

/** One action of a buyer: seven of ten are reads, one is a purchase from cart to payment. */
function* act({ id, token }: Buyer, adminToken: string, random: Random, products: number): Steps {
  const product_id = integerBetween(1, products, random)
  const chance = random()
  if (chance < 0.45) yield request('GET', `/products/${product_id}`)
  else if (chance < 0.55) yield request('GET', `/products/${integerBetween(1, 200, random)}`)
  else if (chance < 0.6) yield request('GET', entryAt(lists, random()))
  else if (chance < 0.65) yield request('GET', `/products/${product_id}/reviews`)
  else if (chance < 0.7) yield request('GET', `/users/${id}/orders?limit=5`, { token })
  else if (chance < 0.8) {
    const body = { price: integerBetween(100, 10_000, random) / 100 }
    yield request('PATCH', `/products/${product_id}`, { token: adminToken, body })
  } else if (chance < 0.9) {
    const body = { items: [{ product_id, quantity: 1 }] }
    const fields = [`Idempotency-Key: ${randomUUID()}`]
    yield request('POST', `/users/${id}/orders`, { token, body, fields })
  } else yield* buy(id, token, product_id)
}

function* buy(id: number, token: string, product_id: number): Steps {
  const added = yield request('POST', '/cart', { token, body: { product_id, quantity: 1 } })
  if (added.status > 201) return
  const placed = yield request('POST', `/users/${id}/orders`, { token, body: {} })
  if (placed.status !== 201) return
  const order = createdId(placed)
  const body = { ...shipping, method: 'express' }
  yield request('PUT', `/orders/${order}/shipping`, { token, body })
  yield request('POST', `/users/${id}/orders/${order}/payment`, { token, body: payment })
}

if (import.meta.main) {
  const { data, ...given } = readOptions('soak', {
    minutes: 10,
    products: 1_000_000,
    connections: soakConnections,
    data: soakData,
  })
  const lines = await Array.fromAsync(measureSoak({ ...given, data: resolve(data) }))
  process.stdout.write(`\n${formatTable(lines)}\n`)
  process.exitCode = lines.every(({ target }) => target?.met !== false) ? 0 : 1
}
