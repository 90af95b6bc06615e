import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventId, parseEventId } from './event-id.ts'

test('the ID of an event is a UUID of version 7 from which time and sequence number are read', () => {
  const time = Date.UTC(2026, 5, 1, 12)
  for (const sequence of [1, 42, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
    const id = eventId({ time, sequence })
    assert.match(id, /^evt_[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    assert.deepEqual(parseEventId(id), { time, sequence })
  }
})

test('IDs of events sort by time, then by sequence number', () => {
  const keys = [
    { time: 5, sequence: 9 },
    { time: 5, sequence: 10 },
    { time: 16, sequence: 2 },
    { time: 2 ** 41, sequence: 1 },
  ]
  assert.deepEqual(keys.map(eventId).toSorted(), keys.map(eventId))
})

test('a text that is no ID of an event is undefined', () => {
  const id = eventId({ time: 1, sequence: 1 })
  const others = [
    '',
    'evt_',
    id.slice(4),
    `${id}0`,
    id.toUpperCase(),
    id.replace('-7000-', '-4000-'),
  ]
  for (const text of [...others, 'evt_00000000-0001-7000-8fff-ffffffffffff']) {
    assert.equal(parseEventId(text), undefined)
  }
})
