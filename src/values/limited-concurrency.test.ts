import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { withLimitedConcurrency } from './limited-concurrency.ts'

test('no more than the maximum run at once, and all run in order', async () => {
  const run = withLimitedConcurrency(2)
  const started: number[] = []
  let inFlight = 0
  let maxInFlight = 0
  const work = (at: number) => async () => {
    started.push(at)
    inFlight += 1
    maxInFlight = Math.max(maxInFlight, inFlight)
    await turn()
    inFlight -= 1
    return at
  }
  const all = [0, 1, 2, 3, 4, 5, 6]
  assert.deepEqual(await Promise.all(all.map((at) => run(work(at)))), all)
  assert.deepEqual(started, all)
  assert.equal(maxInFlight, 2)
})

test('work that fails frees its place', async () => {
  const run = withLimitedConcurrency(1)
  const failing = Array.from({ length: 3 }, () =>
    assert.rejects(run(() => Promise.reject(new Error('no')))),
  )
  await Promise.all(failing)
  assert.equal(await run(async () => 'done'), 'done')
  assert.equal(await run(async () => 'again'), 'again')
})

test('work that finds too many waiting fails at once with 503', async () => {
  const run = withLimitedConcurrency(1, 2)
  const gate = Promise.withResolvers<string>()
  const [first, ...waiting] = [1, 2, 3].map(() => run(() => gate.promise))
  await assert.rejects(
    run(async () => 'late'),
    { code: '5031', headers: { 'retry-after': '1' } },
  )
  gate.resolve('done')
  assert.deepEqual(await Promise.all([first, ...waiting]), ['done', 'done', 'done'])
  assert.equal(await run(async () => 'again'), 'again')
})

test('no owner fills the queue, and owners take turns', async () => {
  const run = withLimitedConcurrency(1, 8, 2)
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  const work = (name: string) => async () => {
    await gate.promise
    done.push(name)
  }
  const all = [run(work('a1'), 'a'), run(work('a2'), 'a'), run(work('a3'), 'a')]
  await assert.rejects(run(work('a4'), 'a'), { code: '5031' })
  all.push(run(work('b1'), 'b'))
  gate.resolve()
  await Promise.all(all)
  assert.deepEqual(done, ['a1', 'a2', 'b1', 'a3'])
})

test('a newcomer to a full queue takes the last place of whoever has most waiting', async () => {
  const run = withLimitedConcurrency(1, 4)
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  const work = (name: string) => async () => {
    await gate.promise
    done.push(name)
  }
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => run(work(name), 'a'))
  const last = run(work('a5'), 'a')
  const newcomer = run(work('b1'), 'b')
  await assert.rejects(last, { code: '5031' })
  await assert.rejects(run(work('a6'), 'a'), { code: '5031' })
  gate.resolve()
  await Promise.all([...all, newcomer])
  assert.deepEqual(done, ['a1', 'a2', 'b1', 'a3', 'a4'])
})

test('four owners who fill the queue keep a fifth neither out nor waiting for more than one work of each', async () => {
  const run = withLimitedConcurrency(1, 16, 4)
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  const work = (name: string) => async () => {
    await gate.promise
    done.push(name)
  }
  const running = run(work('a'), 'a')
  const waiting = ['a', 'b', 'c', 'd'].flatMap((owner) =>
    [1, 2, 3, 4].map((at) => run(work(`${owner}${at}`), owner)),
  )
  const [, , , refused] = waiting
  const fifth = run(work('e1'), 'e')
  await assert.rejects(refused as Promise<void>, { code: '5031' })
  gate.resolve()
  await Promise.allSettled([running, fifth, ...waiting])
  assert.deepEqual(done.slice(0, 6), ['a', 'a1', 'b1', 'c1', 'd1', 'e1'])
  assert.equal(done.length, 17)
})
