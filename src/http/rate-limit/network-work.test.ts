import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startTestApp } from '#test/support/app.ts'
import { requestPlace } from '#test/support/request-place.ts'
import type { Limits } from './counters.ts'
import { tooManyRequestsProblem } from './limit-headers.ts'
import { createNetworkWork, type NetworkWork } from './network-work.ts'

/** Holds the event loop. */
function work(milliseconds: number): void {
  const endsAt = performance.now() + milliseconds
  while (performance.now() < endsAt);
}

async function run({ begin }: NetworkWork, network: string, milliseconds: number): Promise<void> {
  const place = await begin(network, 'anybody', 0)
  work(milliseconds)
  place.end()
}

test('a network whose requests cost much has two in progress, another any number', async () => {
  const networks = createNetworkWork(undefined)
  await nextTurn()
  for (let count = 0; count < 4; count += 1) await run(networks, 'heavy', 40)
  for (let count = 0; count < 20; count += 1) await run(networks, 'light', 0)
  const begin = (network: string) => {
    let hasBegun = false
    const begun = Promise.resolve(networks.begin(network, 'anybody', 0)).then((place) => {
      hasBegun = true
      return place
    })
    return { begun, hasBegun: () => hasBegun }
  }
  const heavy = Array.from({ length: 5 }, () => begin('heavy'))
  const light = Array.from({ length: 20 }, () => begin('light'))
  await nextTurn()
  const inProgress = (requests: typeof heavy) => requests.filter(({ hasBegun }) => hasBegun())
  assert.equal(inProgress(light).length, 20)
  assert.equal(inProgress(heavy).length, 2)
  for (const { begun } of heavy) {
    const place = await begun
    place.end()
  }
  assert.equal(inProgress(heavy).length, 5)
})

test('networks of one IPv6 site share their places, their allowance and their turns', async () => {
  const networks = createNetworkWork(undefined)
  await nextTurn()
  for (let at = 0; at < 4; at += 1) await run(networks, `2001:db8:1:${at}::`, 40)
  const begun = Array.from({ length: 3 }, (_, at) =>
    networks.begin(`2001:db8:1:${at}::`, 'anybody', 0),
  )
  const other = networks.begin('2001:db8:2:1::', 'anybody', 0)
  const waits = [...begun, other].map((place) => place instanceof Promise)
  assert.deepEqual(waits, [false, false, true, false])
  for (const place of [...begun, other]) (await place).end()
})

test('the heaviest network is known, and a network that has used its allowance is rejected', async () => {
  const spent: [string, number][] = []
  const limits: Limits = {
    defaultAllowance: { limit: 1, windowMs: 1 },
    counters: {
      spend: (key, _, cost) => {
        spent.push([key, cost])
        return { allowed: false, remaining: 0, resetMs: 0, retryAfterMs: 5000 }
      },
    },
  }
  const networks = createNetworkWork(limits)
  await nextTurn()
  await run(networks, 'light', 1)
  await run(networks, 'heavy', 60)
  assert.equal(networks.isHeaviest('heavy'), true)
  assert.equal(networks.isHeaviest('light'), false)
  assert.deepEqual(
    spent.map(([key]) => key),
    ['work heavy'],
  )
  await nextTurn()
  assert.throws(() => networks.begin('heavy', 'anybody', 4999), { code: '4291' })
  const heavy = await networks.begin('heavy', 'anybody', 5000)
  const light = await networks.begin('light', 'anybody', 0)
  for (const place of [heavy, light]) place.end()
})

test('500 requests of a network wait, however slow they are, and further ones are rejected', async () => {
  const networks = createNetworkWork(undefined)
  await nextTurn()
  await run(networks, 'heavy', 300)
  const begun = Array.from({ length: 502 }, () => networks.begin('heavy', 'anybody', 0))
  assert.throws(() => networks.begin('heavy', 'anybody', 0), { code: '5031' })
  assert.doesNotThrow(() => networks.begin('light', 'anybody', 0))
  for (const each of begun) {
    const place = await each
    place.end()
  }
})

test('bodies that are parsed, uploads and OAuth are work of a network too', async (t) => {
  const begun: string[] = []
  let inProgress = 0
  let isRejecting = false
  const work: NetworkWork = {
    begin: (network) => {
      if (isRejecting) {
        const quota = { name: 'work', limit: 1, windowMs: 1000 }
        const result = { allowed: false, remaining: 0, resetMs: 1000, retryAfterMs: 1000 }
        throw tooManyRequestsProblem(quota, result)
      }
      begun.push(network)
      inProgress += 1
      const end = () => {
        inProgress -= 1
      }
      return requestPlace({ end })
    },
    measure: () => () => undefined,
    isHeaviest: () => false,
  }
  const shop = await startTestApp('memory', { composition: { work } })
  t.after(() => shop.dispose())
  const admin = await shop.signInAs('admin')
  const authorization = `Bearer ${admin.token}`
  const send = async (url: string, type: string, payload: string) => {
    begun.length = 0
    const headers = { authorization, 'content-type': type }
    const { statusCode } = await shop.app.inject({
      ...{ method: 'POST', url, headers, payload, remoteAddress: '127.0.2.1' },
    })
    assert.equal(inProgress, 0)
    assert.ok(begun.every((network) => network === '127.0.2.1'))
    return { status: statusCode, count: begun.length }
  }
  const requests = [
    // The body, and the response.
    { url: '/users', type: 'application/json', payload: '{"name":"Ada"}', status: 201, count: 2 },
    { url: '/users', type: 'application/json', payload: '{"name":', status: 400, count: 1 },
    { url: '/users', type: 'application/xml', payload: '<user><name>&#65;', status: 400, count: 1 },
    // The part of the file.
    {
      url: '/imports?resource=products',
      type: 'text/csv',
      payload: 'sku\n1\n',
      status: 202,
      count: 1,
    },
    {
      url: '/oauth/token',
      type: 'application/x-www-form-urlencoded',
      payload: 'grant_type=x',
      status: 400,
      count: 1,
    },
  ]
  for (const { url, type, payload, ...expected } of requests) {
    assert.deepEqual(await send(url, type, payload), expected, url)
  }
  isRejecting = true
  for (const { url, type, payload } of requests) {
    assert.deepEqual(await send(url, type, payload), { status: 429, count: 0 }, url)
  }
})

test('refused requests are work of their network until their response is sent', async (t) => {
  let inProgress = 0
  const measured: string[] = []
  const work: NetworkWork = {
    begin: () => requestPlace(),
    measure: (network) => {
      measured.push(network)
      inProgress += 1
      let isEnded = false
      return () => {
        if (!isEnded) inProgress -= 1
        isEnded = true
      }
    },
    isHeaviest: () => false,
  }
  const shop = await startTestApp('memory', { composition: { work } })
  t.after(() => shop.dispose())
  const refused = [
    ['GET', '/nothing', 404],
    ['DELETE', '/products', 405],
    ['GET', '/users', 401],
    ['POST', '/oauth/token', 400],
  ] as const
  for (const [method, url, status] of refused) {
    measured.length = 0
    const { statusCode } = await shop.app.inject({ method, url, remoteAddress: '127.0.2.1' })
    assert.deepEqual(
      { statusCode, measured, inProgress },
      { statusCode: status, measured: ['127.0.2.1'], inProgress: 0 },
      url,
    )
  }
})

test('a network whose requests are all refused is the heaviest, not that of a request beside them', async () => {
  const networks = createNetworkWork(undefined)
  await nextTurn()
  for (let at = 0; at < 500; at += 1) networks.measure(`10.0.0.${at}`, 0)()
  const ends = Array.from({ length: 50 }, () => networks.measure('flooder', 0))
  const honest = await networks.begin('honest', 'anybody', 0)
  work(50)
  for (const end of ends) end()
  honest.end()
  assert.equal(networks.isHeaviest('flooder'), true)
  assert.equal(networks.isHeaviest('honest'), false)
})
