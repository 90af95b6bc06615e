import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#http/declare/actor.ts'
import { fixedWindow } from '#http/rate-limit/algorithms/fixed-window.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import { problem } from '#values/problem.ts'
import { encryptProblem, encryptResponse, type KeyedExchange } from './stored-response.ts'

const megabyte = 1024 * 1024
const openStore = () => ({
  encrypt: (text: string) => text,
  storedBytes: memoryCounters(fixedWindow),
})
type Store = ReturnType<typeof openStore>

/** The parts of an exchange that are read when a response is stored. */
const exchangeOf = (actor: Partial<Actor>, ip = '192.0.2.1') =>
  ({
    actor: { credential: null, userId: null, role: null, ...actor },
    request: { ip },
    route: { resource: { kind: 'item' } },
    ctx: { requestId: 'a' },
    idempotencyKey: { name: 'a', fingerprint: 'b' },
    now: 0,
  }) as unknown as KeyedExchange

const credential = {} as NonNullable<Actor['credential']>
const customer = (userId: number, ip?: string): KeyedExchange =>
  exchangeOf({ userId, role: 'customer', isConfirmed: true, credential }, ip)
const guest = (userId: number, ip?: string): KeyedExchange =>
  exchangeOf({ userId, role: 'guest', isConfirmed: false, credential }, ip)

/** Stores a response of so many MiB; true if it is stored with its body. */
async function storesBody(
  store: Store,
  exchange: KeyedExchange,
  megabytes: number,
): Promise<boolean> {
  const body = () => 'x'.repeat(megabytes * megabyte)
  const { answer } = await encryptResponse(store, exchange, { status: 200, headers: {}, body })
  return answer.length > megabyte
}

test('a problem counts like a response: nothing is stored beyond the daily bytes', async () => {
  const store = openStore()
  const large = problem('4091', 'detail.no_path', { path: 'x'.repeat(5 * megabyte) })
  const stored = () => encryptProblem(store, customer(1), large)
  assert.deepEqual(
    [await stored(), await stored(), await stored(), await stored()].map((text) => !!text),
    [true, true, true, false],
  )
  assert.equal(await storesBody(store, customer(1), 2), false)
  assert.ok(await storesBody(store, customer(2), 2))
})

test('anonymous networks cannot use up the bytes of users', async () => {
  const store = openStore()
  for (let network = 0; network < 20; network += 1) {
    const anonymous = exchangeOf({}, `192.0.2.${network}`)
    assert.equal(await storesBody(store, anonymous, 15.9), network < 16)
  }
  assert.ok(await storesBody(store, customer(1), 15.9))
})

test('what is not stored because of all callers does not count against the caller', async () => {
  const store = openStore()
  for (let user = 1; user <= 16; user += 1)
    await storesBody(store, customer(user, `192.0.2.${user}`), 15.9)
  assert.equal(await storesBody(store, customer(17, '192.0.2.17'), 15.9), false)
  assert.ok(await storesBody(store, customer(17, '192.0.2.17'), 1.2))
})

test('the guests of one network share its bytes, and leave those of other guests', async () => {
  const store = openStore()
  for (let id = 1; id <= 6; id += 1) {
    assert.equal(await storesBody(store, guest(id), 15.9), id === 1)
  }
  assert.ok(await storesBody(store, guest(21, '192.0.2.2'), 15.9))
})

test('neither the users of one network nor the networks of an IPv6 site use up what all may store', async () => {
  const store = openStore()
  for (let id = 1; id <= 6; id += 1) {
    assert.equal(await storesBody(store, customer(id), 15.9), id <= 4)
    assert.equal(await storesBody(store, guest(id, `2001:db8:1:${id}::1`), 15.9), id <= 4)
  }
  assert.ok(await storesBody(store, customer(21, '192.0.2.2'), 15.9))
  assert.ok(await storesBody(store, guest(21, '2001:db8:2::1'), 15.9))
})
