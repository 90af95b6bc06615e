import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBackgroundPace } from './background-pace.ts'

const maxPauseMs = 500

/** Returns the pause after a round, by what the event loop did before and during the round. */
function pauseAfter(
  before: { active: number; idle: number },
  round: { active: number; idle: number },
): number {
  let time = { active: 1000, idle: 1000 }
  const advance = ({ active, idle }: typeof time) => {
    time = { active: time.active + active, idle: time.idle + idle }
  }
  const pace = createBackgroundPace(maxPauseMs, () => time)
  pace.startRound()
  pace.endRound()
  advance(before)
  pace.startRound()
  advance(round)
  return pace.endRound()
}

test('background work takes half of the time that requests leave', () => {
  const round = { active: 10, idle: 0 }
  assert.equal(pauseAfter({ active: 0, idle: 100 }, round), 10)
  assert.equal(pauseAfter({ active: 50, idle: 50 }, round), 30)
  assert.equal(Math.round(pauseAfter({ active: 90, idle: 10 }, round)), 190)
})

test('background work goes on when requests leave no time', () => {
  const round = { active: 10, idle: 0 }
  assert.equal(pauseAfter({ active: 999, idle: 1 }, round), maxPauseMs)
  assert.equal(pauseAfter({ active: 100, idle: 0 }, round), maxPauseMs)
  assert.equal(pauseAfter({ active: 0, idle: 0 }, round), maxPauseMs)
})

test('time in which a round only waits asks for no pause', () => {
  assert.equal(pauseAfter({ active: 0, idle: 100 }, { active: 10, idle: 3000 }), 10)
})
