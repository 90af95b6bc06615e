import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { createConnectionCount } from './connection-limit.ts'

test('a network has as many connections as its limit, and a closed one makes room', () => {
  const count = createConnectionCount(2)
  const sockets = Array.from({ length: 3 }, () => new EventEmitter())
  const open = (network: string, at: number) => count(network, sockets[at] as never)
  assert.deepEqual(
    [open('a', 0), open('a', 1), open('a', 2), open('b', 2)],
    [true, true, false, true],
  )
  sockets[0]?.emit('close')
  assert.equal(open('a', 2), true)
  assert.equal(open('a', 0), false)
})
