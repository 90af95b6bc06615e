import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { openStore } from '#db/database.ts'
import { createRandom, entryAt, integerBetween, type Random } from '#src/demo/random.ts'
import type { TestRequest } from '#test/support/app.ts'
import { type Caller, callerOf, signIn } from '#test/support/services/server.ts'
import { root } from '../place.ts'
import { administrator } from '../shop.ts'

/** What was asked, how each was answered, and how long the latest took. */
export interface Soaked {
  readonly latenciesMs: number[]
  readonly statuses: Map<number, number>
  total: number
}

/** A load that goes on until it is stopped. */
export interface Load {
  readonly soaked: Soaked
  /** Rejects as soon as something is answered that must not be. */
  readonly failed: Promise<never>
  readonly stop: () => Promise<void>
}

/** Somebody who shops on connections of his own, over and over. */
interface Soaker {
  readonly id: number
  readonly random: Random
  readonly products: number
  readonly anonymous: TestRequest
  own: TestRequest
  admin: TestRequest
}

const password = 'a password of somebody who soaks'
// A token lives for fifteen minutes.
const renewEveryMs = 5 * 60_000

/** Adds as many generated products as are missing. */
export async function fillUp(database: string, products: number): Promise<void> {
  const store = await openStore(database)
  await store.migrate()
  const found = await store.db
    .selectFrom('products')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  await store.close()
  if (found.count >= products) return
  const words = [resolve(root, 'src/cli/seed.ts'), '--products', String(products - found.count)]
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: database }
  await promisify(execFile)(process.execPath, words, { env, maxBuffer: 2 ** 28 })
}

/** Shops at a server of so many products, on so many connections, until it is stopped. */
export async function keepShopping(url: string, count: number, products: number): Promise<Load> {
  const soaked: Soaked = { latenciesMs: [], statuses: new Map(), total: 0 }
  const callers: Caller[] = []
  const callAs = (token?: string): TestRequest => {
    const caller = callerOf(url, token)
    callers.push(caller)
    return timed(caller.request, soaked)
  }
  const anybody = callAs()
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => undefined)
  let isOver = false
  const shop = async (at: number): Promise<void> => {
    const credentials = { username: `soaker-${at}-${Date.now()}`, password }
    const { json } = await anybody('POST', '/users', { name: `Soaker ${at}`, ...credentials })
    const enter = async () => ({
      own: callAs(await signIn(anybody, credentials)),
      admin: callAs(await signIn(anybody, administrator)),
    })
    const random = createRandom(at + 1)
    const people = { id: Number(json.id), random, products, anonymous: callAs() }
    while (!isOver) {
      const soaker: Soaker = { ...people, ...(await enter()) }
      const renewAt = performance.now() + renewEveryMs
      while (!isOver && performance.now() < renewAt) await act(soaker)
    }
  }
  const shoppers = Promise.all(Array.from({ length: count }, (_, at) => shop(at)))
  shoppers.catch(failure.reject)
  return {
    soaked,
    failed: failure.promise,
    stop: async () => {
      isOver = true
      await shoppers
      for (const caller of callers) caller.close()
    },
  }
}

const timed =
  (request: TestRequest, soaked: Soaked): TestRequest =>
  async (method, path, ...rest) => {
    const sentAt = performance.now()
    const answer = await request(method, path, ...rest)
    soaked.latenciesMs.push(performance.now() - sentAt)
    soaked.total += 1
    soaked.statuses.set(answer.status, (soaked.statuses.get(answer.status) ?? 0) + 1)
    if (answer.status >= 400 && ![404, 409, 410, 503].includes(answer.status)) {
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    }
    return answer
  }

const lists = [
  '/products?limit=20',
  '/products?limit=20&sort=price',
  '/products?category=kitchen&limit=20',
  '/products?sort=rating&order=desc',
  '/products?sort=created_at&order=desc&limit=50',
]

/** Does one thing: seven of ten are reads, one is a purchase from the cart to the payment. */
async function act(soaker: Soaker): Promise<void> {
  const { random, products, anonymous, own, id } = soaker
  const product = integerBetween(1, products, random)
  const chance = random()
  if (chance < 0.45) await anonymous('GET', `/products/${product}`)
  else if (chance < 0.55) await anonymous('GET', `/products/${integerBetween(1, 200, random)}`)
  else if (chance < 0.6) await anonymous('GET', entryAt(lists, random()))
  else if (chance < 0.65) await anonymous('GET', `/products/${product}/reviews`)
  else if (chance < 0.7) await own('GET', `/users/${id}/orders?limit=5`)
  else if (chance < 0.8) await manage(soaker, product)
  else if (chance < 0.9) await order(soaker, product)
  else await buy(soaker, product)
}

async function manage({ admin, random }: Soaker, product: number): Promise<void> {
  const price = integerBetween(100, 10_000, random) / 100
  await admin('PATCH', `/products/${product}`, { price })
}

async function order({ own, id }: Soaker, product_id: number): Promise<number | undefined> {
  const body = { items: [{ product_id, quantity: 1 }] }
  const key = { 'idempotency-key': randomUUID() }
  const { status, json } = await own('POST', `/users/${id}/orders`, body, key)
  return status === 201 ? json.id : undefined
}

async function buy(soaker: Soaker, product_id: number): Promise<void> {
  const { own, id } = soaker
  const added = await own('POST', '/cart', { product_id, quantity: 1 })
  if (added.status > 201) return
  const placed = await own('POST', `/users/${id}/orders`, {})
  if (placed.status !== 201) return
  const address = { line1: '1 Main Street', city: 'Springfield', postal_code: '1', country: 'US' }
  const shipping = { method: 'express', recipient: 'Ada Lovelace', address }
  await own('PUT', `/orders/${placed.json.id}/shipping`, shipping)
  const body = { method: 'card', token: 'tok_visa' }
  await own('POST', `/users/${id}/orders/${placed.json.id}/payment`, body)
}
