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

test('an IPv6 site has as many connections as 16 networks', () => {
  const count = createConnectionCount(2)
  const sockets = Array.from({ length: 64 }, () => new EventEmitter())
  const accepted = sockets.filter((socket, at) => count(`2001:db8:1:${at}::`, socket as never))
  assert.equal(accepted.length, 32)
  assert.equal(count('2001:db8:2:0::', new EventEmitter() as never), true)
  accepted[0]?.emit('close')
  assert.equal(count('2001:db8:1:99::', new EventEmitter() as never), true)
  assert.equal(count('2001:db8:1:98::', new EventEmitter() as never), false)
})
