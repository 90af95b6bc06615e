import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { drainable } from './shutdown.ts'

/** A server whose answers the test gives, and a client that speaks to it in plain bytes. */
async function openPair() {
  const waiting: ServerResponse[] = []
  const asked: (() => void)[] = []
  const server = createServer((_request, response) => {
    waiting.push(response)
    asked.shift()?.()
  })
  const drain = drainable(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const dial = async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  const ask = async (socket: Socket): Promise<ServerResponse> => {
    const arrived = new Promise<void>((resolve) => asked.push(resolve))
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
    await arrived
    const response = waiting.pop()
    assert.ok(response)
    return response
  }
  const shut = async () => {
    while (server.listening) await new Promise((resolve) => setImmediate(resolve))
  }
  return { ...drain, port, dial, ask, shut }
}

async function hear(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  return bytes.toString()
}

describe('a server that comes to rest', () => {
  test('answers what is under way, tells the client to leave, and then rests', async () => {
    const { dial, ask, drain, isStopping, shut } = await openPair()
    const socket = await dial()
    const response = await ask(socket)
    const rest = drain()
    assert.equal(isStopping(), true)
    await shut()
    const heard = hear(socket)
    response.end('late')
    assert.match(await heard, /^HTTP\/1\.1 200 OK\r\n(.+\r\n)*Connection: close\r\n[\s\S]*late$/i)
    await once(socket, 'close')
    await rest
  })

  test('answers a request on a connection that was idle', async () => {
    const { dial, ask, drain, shut } = await openPair()
    const socket = await dial()
    const first = hear(socket)
    ;(await ask(socket)).end('one')
    assert.match(await first, /keep-alive/i)
    const rest = drain()
    await shut()
    const second = hear(socket)
    ;(await ask(socket)).end('two')
    assert.match(await second, /Connection: close[\s\S]*two$/i)
    await rest
  })

  test('takes no further connections', async () => {
    const { dial, ask, drain, port, shut } = await openPair()
    const socket = await dial()
    const response = await ask(socket)
    const rest = drain()
    await shut()
    const late = connect(port, '127.0.0.1')
    const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException]
    assert.equal(error.code, 'ECONNREFUSED')
    response.end()
    await rest
  })

  test('does not wait for connections on which nothing comes', async () => {
    const { dial, drain } = await openPair()
    const sockets = await Promise.all([dial(), dial()])
    const closed = sockets.map((socket) => once(socket.resume(), 'close'))
    await drain()
    await Promise.all(closed)
  })

  test('waits once, however often it is asked', async () => {
    const { drain } = await openPair()
    assert.equal(drain(), drain())
    await drain()
  })
})
