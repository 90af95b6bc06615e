import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { CompiledQuery } from 'kysely'
import { PostgresReplica } from './replica.ts'

const query = CompiledQuery.raw('select 1')
const onPrimary = { rows: [{ from: 'the primary' }] }
// Answers as the primary whatever it is asked.
const primary = async () => onPrimary as never

const sockets = new Set<Socket>()
const silent = createServer((socket) => sockets.add(socket))
let url: string
before(async () => {
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  url = `postgres://nobody@127.0.0.1:${(silent.address() as AddressInfo).port}/none`
})
after(async () => {
  for (const socket of sockets) socket.destroy()
  silent.close()
  await once(silent, 'close')
})

for (const [kind, addressOf] of [
  ['accepts connections and answers nothing', () => url],
  ['refuses connections', () => 'postgres://nobody@127.0.0.1:9/none'],
] as const) {
  test(`a replica that ${kind} is not used, and its queries run on the primary`, async () => {
    const replica = new PostgresReplica(primary, addressOf(), 2)
    const found = await Promise.all([replica.run(query), replica.run(query), replica.isCurrent()])
    assert.deepEqual(found, [onPrimary, onPrimary, false])
    assert.equal(await replica.isCurrent(), false)
    await replica.close()
  })
}
