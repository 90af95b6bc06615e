import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer as createHttp1Server, type ServerResponse } from 'node:http'
import { type ClientHttp2Session, connect, createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { CountedResponse, overheadBytes, UnreadResponses } from './unread-responses.ts'

const limits = { bytes: 1000, bytesOfNetwork: 400, graceMs: 30_000, bytesPerSecond: 100 }

/** A response that is never read; `destroy` closes it. */
class StalledResponse extends EventEmitter {
  isDestroyed = false

  destroy(): void {
    this.isDestroyed = true
    this.emit('close')
  }
}

describe('responses that are not read', () => {
  const start = () => {
    const time = { nowMs: 0 }
    const unread = new UnreadResponses(limits, () => time.nowMs)
    const add = (bytes: number, network: string): StalledResponse => {
      const response = new StalledResponse()
      unread.add(response as unknown as ServerResponse, bytes, network)
      return response
    }
    return { time, unread, add }
  }
  const destroyed = (responses: readonly StalledResponse[]) =>
    responses.map(({ isDestroyed }) => isDestroyed)

  test('give way to newer ones of their network', () => {
    const { add } = start()
    const own = [add(200, 'a'), add(200, 'a'), add(150, 'b'), add(200, 'a')]
    assert.deepEqual(destroyed(own), [true, false, false, false])
    assert.equal(add(5000, 'c').isDestroyed, true)
  })
  test('give way to those of other networks where their own has most', () => {
    const { add } = start()
    const own = [add(100, 'b'), add(200, 'a'), add(200, 'a'), add(300, 'c'), add(300, 'd')]
    assert.deepEqual(destroyed(own), [false, true, false, false, false])
  })
  test('take nothing once they are closed', () => {
    const { add } = start()
    const first = add(300, 'a')
    first.emit('close')
    const rest = [add(200, 'a'), add(200, 'a')]
    assert.deepEqual(destroyed([first, ...rest]), [false, false, false])
  })
  test('are cut off after a time that depends on their size', () => {
    const { add, unread, time } = start()
    const responses = [add(100, 'a'), add(200, 'a')]
    time.nowMs = 31_000
    unread.sweep()
    assert.deepEqual(destroyed(responses), [true, false])
    time.nowMs = 32_000
    unread.sweep()
    assert.deepEqual(destroyed(responses), [true, true])
  })
})

test('of HTTP/2, each stream that is not read counts, and the oldest end', async () => {
  const unread = new UnreadResponses({ ...limits, bytes: 1e6, bytesOfNetwork: 2.5 * overheadBytes })
  const server = createServer((_request, response) => {
    unread.watch(response as unknown as ServerResponse, 'a')
    response.end('x')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open = async (session: ClientHttp2Session) => {
    const stream = session.request()
    stream.on('error', () => undefined)
    await once(stream, 'response')
    return stream
  }
  const stalled = connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: 0 } })
  await once(stalled, 'remoteSettings')
  const first = await open(stalled)
  const second = await open(stalled)
  const ended = once(first, 'close')
  const third = await open(stalled)
  await ended
  assert.deepEqual([second.closed, third.closed], [false, false])
  stalled.destroy()
  server.close()
  await once(server, 'close')
})

test('of HTTP/1.1, large ones count and arrive whole', async () => {
  const unread = new UnreadResponses()
  const counts: number[] = []
  const add = unread.add.bind(unread)
  unread.add = (response, bytes, network) => {
    counts.push(bytes)
    add(response, bytes, network)
  }
  const large = 'ä'.repeat(overheadBytes)
  const server = createHttp1Server({ ServerResponse: CountedResponse }, (request, response) => {
    response.unread = unread
    response.network = 'a'
    const body = request.url === '/large' ? large : 'small'
    response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
  assert.deepEqual([await get('/large'), await get('/small')], [large, 'small'])
  assert.deepEqual(counts, [overheadBytes + 2 * Buffer.byteLength(large)])
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})
