import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { createDrain } from './shutdown.ts'

/** The sockets of clients: one that is not read stays open when the server has closed. */
const dialed: Socket[] = []

/** A server whose responses the test sends, and a raw TCP client. */
async function openPair() {
  const pending: ServerResponse[] = []
  const arrivals: (() => void)[] = []
  const server = createServer((_request, response) => {
    pending.push(response)
    arrivals.shift()?.()
  })
  const drain = createDrain(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const dial = async () => {
    const socket = connect(port, '127.0.0.1')
    dialed.push(socket)
    await once(socket, 'connect')
    return socket
  }
  const sendRequest = async (socket: Socket): Promise<ServerResponse> => {
    const arrived = new Promise<void>((resolve) => arrivals.push(resolve))
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
    await arrived
    const response = pending.pop()
    assert.ok(response)
    return response
  }
  const stoppedListening = async () => {
    while (server.listening) await new Promise((resolve) => setImmediate(resolve))
  }
  return { ...drain, port, dial, sendRequest, stoppedListening }
}

async function nextText(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  return bytes.toString()
}

describe('graceful shutdown', () => {
  after(() => {
    for (const socket of dialed) socket.destroy()
  })

  test('answers requests in flight with Connection: close, then ends', async () => {
    const { dial, sendRequest, drain, isStopping, stoppedListening } = await openPair()
    const socket = await dial()
    const response = await sendRequest(socket)
    const drained = drain()
    assert.equal(isStopping(), true)
    await stoppedListening()
    const answer = nextText(socket)
    response.end('late')
    assert.match(await answer, /^HTTP\/1\.1 200 OK\r\n(.+\r\n)*Connection: close\r\n[\s\S]*late$/i)
    await once(socket, 'close')
    await drained
  })

  test('answers a request on a connection that was idle', async () => {
    const { dial, sendRequest, drain, stoppedListening } = await openPair()
    const socket = await dial()
    const first = nextText(socket)
    ;(await sendRequest(socket)).end('one')
    assert.match(await first, /keep-alive/i)
    const drained = drain()
    await stoppedListening()
    const second = nextText(socket)
    ;(await sendRequest(socket)).end('two')
    assert.match(await second, /Connection: close[\s\S]*two$/i)
    await drained
  })

  test('accepts no further connections', async () => {
    const { dial, sendRequest, drain, port, stoppedListening } = await openPair()
    const socket = await dial()
    const response = await sendRequest(socket)
    const drained = drain()
    await stoppedListening()
    const late = connect(port, '127.0.0.1')
    const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException]
    assert.equal(error.code, 'ECONNREFUSED')
    response.end()
    await drained
  })

  test('closes idle connections', async () => {
    const { dial, drain } = await openPair()
    const sockets = await Promise.all([dial(), dial()])
    const closed = sockets.map((socket) => once(socket.resume(), 'close'))
    await drain()
    await Promise.all(closed)
  })

  test('runs once for repeated calls', async () => {
    const { drain } = await openPair()
    assert.equal(drain(), drain())
    await drain()
  })
})
