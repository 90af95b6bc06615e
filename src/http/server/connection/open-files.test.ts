import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pollUntil } from '#test/support/poll-until.ts'
import { createCaller } from '#test/support/services/server.ts'
import { start } from '#test/support/services/server-process.ts'
import { keepFilesFree } from './open-files.ts'

test('the servers of a process leave it a quarter of its files, at least 128', () => {
  const [http, https] = [createServer(), createServer()]
  for (const [limit, expected] of [
    [100_000, 37_500],
    [1024, 384],
    [256, 64],
    [64, 1],
  ] as const) {
    keepFilesFree([http, https], () => undefined, limit)
    assert.deepEqual([http.maxConnections, https.maxConnections], [expected, expected])
  }
})

test('connections that use up the files of a process do not keep it from its database', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-files-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const env = { DATABASE_URL: `sqlite:${join(folder, 'shop.db')}`, DEMO_DATA: 'off' }
  const server = start(folder, env, { openFiles: 256 })
  t.after(() => server.stop())
  const url = await server.url
  const caller = createCaller(url)
  t.after(() => caller.close())
  assert.equal((await caller.request('GET', '/health/ready')).status, 200)
  let refused = 0
  const sockets = Array.from({ length: 300 }, () =>
    connect(Number(new URL(url).port), '127.0.0.1')
      .on('error', () => undefined)
      .once('close', () => {
        refused += 1
      }),
  )
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await pollUntil(
    async () => refused,
    (count) => count >= 300 - 128,
  )
  assert.equal(server.output().match(/"refused":1,"connections":128,"files":256/g)?.length, 1)
  // An export opens the database once more.
  const { status } = await caller.request('GET', '/products', undefined, { accept: 'text/csv' })
  assert.equal(status, 200)
})
