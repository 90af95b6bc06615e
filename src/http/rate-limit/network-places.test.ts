import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { anonymous } from '#http/declare/actor.ts'
import type { AdmittedExchange } from '#http/exchange/exchange.ts'
import { startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { requestPlace } from '#test/support/request-place.ts'
import { runInPlace, waitElsewhere, workOwner } from '#values/request-place.ts'
import { NetworkPlaces, type Place } from './network-places.ts'
import { createNetworkWork, inPlace } from './network-work.ts'

/** The places of a network whose requests cost 100 ms, so that two are in progress. */
async function createPlaces(): Promise<NetworkPlaces> {
  const places = new NetworkPlaces(
    '192.0.2.1',
    () => () => 100,
    () => undefined,
  )
  for (let count = 0; count < 9; count += 1) {
    const place = await places.take('anybody', 0)
    place.end()
  }
  return places
}

/** Takes a place for each caller, and returns those who have one, in order. */
function takeFor(places: NetworkPlaces, callers: readonly string[]) {
  const taken: { readonly caller: string; readonly place: Place }[] = []
  for (const caller of callers) {
    void Promise.resolve(places.take(caller, 0)).then((place) => taken.push({ caller, place }))
  }
  return { taken, callers: () => taken.map(({ caller }) => caller).join('') }
}

test('callers of a network take turns, however many requests of one wait', async () => {
  const places = await createPlaces()
  const { taken, callers } = takeFor(places, ['a', 'a', 'a', 'a', 'a', 'b', 'c', 'c'])
  await nextTurn()
  assert.equal(callers(), 'aa')
  for (let ended = 0; ended < 8; ended += 1) {
    taken[ended]?.place.end()
    await nextTurn()
  }
  assert.equal(callers(), 'aaabcaca')
  assert.equal(places.isIdle, true)
})

test('a request that waits elsewhere gives its place to others, and takes it again', async () => {
  const places = await createPlaces()
  const { taken, callers } = takeFor(places, ['a', 'b', 'c', 'd', 'e'])
  await nextTurn()
  const [a, b] = taken
  assert.ok(a && b)
  const answer = Promise.withResolvers<string>()
  const waiting = runInPlace(a.place, () =>
    Promise.all([waitElsewhere(() => answer.promise), waitElsewhere(() => answer.promise)]),
  )
  await nextTurn()
  assert.equal(callers(), 'abc')
  answer.resolve('paid')
  assert.deepEqual(await waiting, ['paid', 'paid'])
  b.place.end()
  await nextTurn()
  assert.equal(callers(), 'abc', 'a and c are in progress')
  a.place.end()
  await nextTurn()
  assert.equal(callers(), 'abcd')
})

test('what a request has started holds no place of it after its end', async () => {
  const places = await createPlaces()
  const { taken } = takeFor(places, ['a', 'b', 'c'])
  await nextTurn()
  const place = taken[0]?.place
  assert.ok(place)
  const answer = Promise.withResolvers<void>()
  const rest = runInPlace(place, async () => {
    const networks = [workOwner()]
    await waitElsewhere(() => answer.promise)
    networks.push(workOwner())
    await waitElsewhere(nextTurn)
    return networks
  })
  place.end()
  answer.resolve()
  assert.deepEqual(await rest, ['192.0.2.1', undefined])
  for (const { place: other } of taken.slice(1)) other.end()
  assert.equal(places.isIdle, true)
})

test('strangers of a network have eight turns together, whoever makes many guests', async () => {
  const callers: string[] = []
  const work = {
    ...createNetworkWork(undefined),
    begin: (_: string, caller: string): Place => {
      callers.push(caller)
      return requestPlace()
    },
  }
  const begin = (userId: number | null, isConfirmed = false) => {
    const request = { ip: '192.0.2.1' } as AdmittedExchange['request']
    const actor = { ...anonymous, userId, isConfirmed }
    return inPlace(work, { request, actor, now: 0 }, () => undefined)
  }
  for (let guest = 1; guest <= 100; guest += 1) await begin(guest)
  assert.equal(new Set(callers).size, 8)
  for (const each of [null, 8, 16]) await begin(each, each !== null)
  assert.equal(new Set(callers).size, 11)
})

test('hashes, payment providers and awaited imports are waited for without a place', async (t) => {
  let left = 0
  let held = 0
  const work = {
    begin: (): Place => {
      held += 1
      const leave = () => {
        left += 1
        held -= 1
        return () => {
          held += 1
        }
      }
      const end = () => {
        held -= 1
      }
      return requestPlace({ leave, end })
    },
    measure: () => () => undefined,
    isHeaviest: () => false,
  }
  const shop = await startPayingApp('memory', 1000, { composition: { work } })
  t.after(() => shop.dispose())
  const [admin, buyer] = [await shop.signInAs('admin'), await shop.signInAs('customer')]
  const { id: product_id } = await shop.addProduct({ stock: 5 })
  const items = [{ product_id, quantity: 1 }]
  const orders = `/users/${buyer.id}/orders`
  const { json: order } = await buyer.request('POST', orders, { items, shipping: testShipping })
  const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'text/csv' }
  const url = '/imports?resource=products'
  const sent = await shop.app.inject({ method: 'POST', url, headers, payload: 'sku\n1\n' })
  const leftBy = async (request: () => Promise<unknown>) => {
    left = 0
    await request()
    assert.equal(held, 0)
    return left > 0
  }
  const pay = { method: 'card', token: 'tok_visa' }
  const path = `/operations/${sent.json().id}`
  assert.deepEqual(
    [
      await leftBy(() => buyer.request('GET', orders)),
      await leftBy(() =>
        shop.request('POST', '/login', { username: buyer.username, password: 'x' }),
      ),
      await leftBy(() => buyer.request('POST', `${orders}/${order.id}/payment`, pay)),
      await leftBy(() =>
        Promise.all([
          admin.request('GET', path, undefined, { prefer: 'wait=20' }),
          admin.request('DELETE', path),
        ]),
      ),
    ],
    [false, true, true, true],
  )
})
