import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { freePort } from './ports.ts'

test('a free port is given once, below those of outgoing connections, and stays free', async (t) => {
  const ports = await Promise.all(Array.from({ length: 300 }, freePort))
  assert.equal(new Set(ports).size, ports.length)
  assert.ok(ports.every((port) => port < 32_768))
  const [port = 0] = ports
  for (let start = 0; start < 2; start += 1) {
    const server = createServer()
    t.after(() => server.close())
    await once(server.listen(port, '127.0.0.1'), 'listening')
    await once(server.close(), 'close')
  }
})
