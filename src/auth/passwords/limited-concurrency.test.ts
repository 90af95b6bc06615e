import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { inTurns } from './limited-concurrency.ts'

test('no more are under way at once than may be, and all get their turn in order', async () => {
  const run = inTurns(2)
  const begun: number[] = []
  let underWay = 0
  let most = 0
  const work = (at: number) => async () => {
    begun.push(at)
    underWay += 1
    most = Math.max(most, underWay)
    await turn()
    underWay -= 1
    return at
  }
  const all = [0, 1, 2, 3, 4, 5, 6]
  assert.deepEqual(await Promise.all(all.map((at) => run(work(at)))), all)
  assert.deepEqual(begun, all)
  assert.equal(most, 2)
})

test('work that fails gives its turn on', async () => {
  const run = inTurns(1)
  const failing = Array.from({ length: 3 }, () =>
    assert.rejects(run(() => Promise.reject(new Error('no')))),
  )
  await Promise.all(failing)
  assert.equal(await run(async () => 'done'), 'done')
  assert.equal(await run(async () => 'again'), 'again')
})

test('work that finds too many waiting is refused at once with 503', async () => {
  const run = inTurns(1, 2)
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
