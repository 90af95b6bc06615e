import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReadingPace } from './reading-pace.ts'

const part = 'x'.repeat(16_384)

function startClient() {
  let nowMs = 0
  const limits = { bytesPerSecond: 16_384, maxBehindMs: 10_000 }
  const pace = createReadingPace(limits, () => nowMs)
  const pass = (seconds: number) => {
    nowMs += seconds * 1_000
  }
  const take = (seconds: number) => {
    pace.begin(part)
    pass(seconds)
    pace.end()
  }
  return { ...pace, pass, take }
}

test('a client that reads 16 KiB/s is never too slow', () => {
  const { take, isTooSlow } = startClient()
  for (let at = 0; at < 1_000; at++) take(1)
  assert.equal(isTooSlow(), false)
})

test('a slower client is too slow once it is 10 s behind', () => {
  const { take, isTooSlow } = startClient()
  for (let at = 0; at < 10; at++) take(2)
  assert.equal(isTooSlow(), false)
  take(2)
  assert.equal(isTooSlow(), true)
})

test('what a client has read quickly is not saved up, and it is not blamed for waiting', () => {
  const { begin, pass, take, isTooSlow } = startClient()
  for (let at = 0; at < 1_000; at++) take(0)
  pass(1_000)
  assert.equal(isTooSlow(), false)
  begin(part)
  pass(11)
  assert.equal(isTooSlow(), false)
  pass(1)
  assert.equal(isTooSlow(), true)
})

test('the time in which a client was waited for adds up, however fast it reads', () => {
  const { take, begin, pass, waitedMs } = startClient()
  for (let at = 0; at < 100; at++) take(0.1)
  pass(1_000)
  begin(part)
  pass(1)
  assert.equal(waitedMs(), 11_000)
})
