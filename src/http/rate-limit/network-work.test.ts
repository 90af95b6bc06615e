import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Limits } from './counters.ts'
import { createNetworkWork, type NetworkWork } from './network-work.ts'

/** Holds the event loop. */
function work(milliseconds: number): void {
  const endsAt = performance.now() + milliseconds
  while (performance.now() < endsAt);
}

async function run({ begin }: NetworkWork, network: string, milliseconds: number): Promise<void> {
  const end = await begin(network, 0)
  work(milliseconds)
  end()
}

test('a network whose requests cost much has two in progress, another any number', async () => {
  const networks = createNetworkWork(undefined)
  await nextTurn()
  for (let count = 0; count < 4; count += 1) await run(networks, 'heavy', 40)
  for (let count = 0; count < 20; count += 1) await run(networks, 'light', 0)
  const begin = (network: string) => {
    let hasBegun = false
    const begun = Promise.resolve(networks.begin(network, 0)).then((end) => {
      hasBegun = true
      return end
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
    const end = await begun
    end()
  }
  assert.equal(inProgress(heavy).length, 5)
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
  assert.throws(() => networks.begin('heavy', 4999), { code: '4291' })
  const ends = [await networks.begin('heavy', 5000), await networks.begin('light', 0)]
  for (const end of ends) end()
})

test('500 requests of a network wait, however slow they are, and further ones are rejected', async () => {
  const networks = createNetworkWork(undefined)
  await nextTurn()
  await run(networks, 'heavy', 300)
  const begun = Array.from({ length: 502 }, () => networks.begin('heavy', 0))
  assert.throws(() => networks.begin('heavy', 0), { code: '5031' })
  assert.doesNotThrow(() => networks.begin('light', 0))
  for (const each of begun) {
    const end = await each
    end()
  }
})
