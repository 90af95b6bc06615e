import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import {
  type AddressInfo,
  createServer as createPlainServer,
  type Server as NetServer,
} from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { createIdentity } from '#test/support/https-app.ts'
import { createSecureListener, type SecureListener } from './listener.ts'

describe('the HTTPS listener', () => {
  const httpServer = createServer((_request, response) => response.end('ok'))
  let identity: Awaited<ReturnType<typeof createIdentity>>
  let listener: SecureListener
  let port = 0
  before(async () => {
    identity = await createIdentity()
    listener = createSecureListener(httpServer, identity)
    listener.server.listen(0, '127.0.0.1')
    await once(listener.server, 'listening')
    port = (listener.server.address() as AddressInfo).port
  })
  after(() => {
    listener.server.close()
    listener.close()
  })

  /** Resolves to a connection, or to the error code of the handshake. */
  const handshake = async (options: ConnectionOptions): Promise<TLSSocket | string> => {
    const socket = connect({ port, host: '127.0.0.1', ca: identity.cert, ...options })
    const failed = once(socket, 'error').then(([error]) => String(error.code))
    return Promise.race([once(socket, 'secureConnect').then(() => socket), failed])
  }
  const negotiated = async (options: ConnectionOptions): Promise<string> => {
    const socket = await handshake(options)
    if (typeof socket === 'string') return socket
    const found = `${socket.getProtocol()} ${socket.getCipher().name}`
    socket.destroy()
    return found
  }
  // Lets this client offer everything that old clients offer.
  const weak = { minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' } as const

  const beforeAndAfterRenewal = async (check: () => Promise<void>): Promise<void> => {
    await check()
    listener.renew(identity)
    await check()
  }

  test('TLS 1.2 uses ephemeral keys and authenticated encryption for every offer', () =>
    beforeAndAfterRenewal(async () => {
      for (const ALPNProtocols of [['h2'], ['http/1.1'], undefined]) {
        const options = { ...weak, maxVersion: 'TLSv1.2', ...(ALPNProtocols && { ALPNProtocols }) }
        const rejected = 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE'
        for (const ciphers of [
          'ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA384:ECDHE-ECDSA-AES128-SHA',
          'ECDHE-ECDSA-AES256-SHA:ECDHE-ECDSA-AES128-CCM8:ECDHE-ECDSA-CAMELLIA128-SHA256',
          'AES128-GCM-SHA256:AES128-SHA:DHE-RSA-AES128-GCM-SHA256:PSK-AES128-GCM-SHA256',
        ]) {
          const answer = await negotiated({
            ...options,
            ciphers: `${ciphers}:@SECLEVEL=0`,
          } as object)
          assert.equal(answer, rejected, ciphers)
        }
        const best = await negotiated(options as object)
        assert.match(best, /^TLSv1\.2 ECDHE-ECDSA-(?:AES\d+-GCM|CHACHA20-POLY1305)/)
      }
    }))

  test('TLS 1.3 is supported, and nothing before 1.2', () =>
    beforeAndAfterRenewal(async () => {
      assert.match(await negotiated({}), /^TLSv1\.3 TLS_/)
      for (const maxVersion of ['TLSv1', 'TLSv1.1'] as const) {
        assert.match(
          await negotiated({ ...weak, maxVersion }),
          /^ERR_SSL_.*ALERT_PROTOCOL_VERSION$/,
        )
      }
    }))

  test('renegotiation is rejected', () =>
    beforeAndAfterRenewal(async () => {
      for (const ALPNProtocols of [['h2'], ['http/1.1']]) {
        const socket = await handshake({ maxVersion: 'TLSv1.2', ALPNProtocols })
        assert.ok(typeof socket !== 'string')
        const ended = Promise.withResolvers<string>()
        socket.on('error', ({ code }: NodeJS.ErrnoException) => ended.resolve(String(code)))
        socket.renegotiate({}, (error) => ended.resolve(error ? 'rejected' : 'renegotiated'))
        assert.notEqual(await ended.promise, 'renegotiated')
        socket.destroy()
      }
    }))

  test('a network begins ten handshakes in a turn, others wait, and nobody waits for them', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    // Passes connections on as if they came from a network.
    const passing = (address: string) =>
      createPlainServer({ pauseOnConnect: true }, (socket) => {
        Object.defineProperty(socket, 'remoteAddress', { value: address })
        listener.server.emit('connection', socket)
      }).listen(0, '127.0.0.1')
    const [busy, other] = [passing('203.0.113.1'), passing('203.0.113.2')] as const
    await Promise.all([busy, other].map((server) => server.listening || once(server, 'listening')))
    let secured = 0
    const open = (server: NetServer) => {
      const { port } = server.address() as AddressInfo
      const socket = connect({ port, host: '127.0.0.1', ca: identity.cert })
      return once(socket, 'secureConnect').then(() => {
        secured += 1
        return socket
      })
    }
    const opened = Array.from({ length: 25 }, () => open(busy))
    await Promise.any(opened)
    await open(other).then((socket) => socket.destroy())
    while (secured < 11) await turn()
    t.mock.timers.tick(49)
    // Each round trip of another client is one that those who wait could have used.
    for (let round = 0; round < 5; round += 1) await open(other).then((socket) => socket.destroy())
    assert.equal(secured, 16)
    t.mock.timers.tick(1)
    while (secured < 26) await turn()
    t.mock.timers.tick(50)
    for (const socket of await Promise.all(opened)) socket.destroy()
    assert.equal(secured, 31)
    busy.close()
    other.close()
  })

  test('a session is resumed until its key is replaced, an hour later at most', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { cert, key } = identity
    const one = createSecureListener(httpServer, { cert, key })
    one.server.listen(0, '127.0.0.1')
    await once(one.server, 'listening')
    const options = { port: (one.server.address() as AddressInfo).port, maxVersion: 'TLSv1.2' }
    const first = await handshake(options as object)
    assert.ok(typeof first !== 'string')
    const session = first.getSession() as Buffer
    const isResumed = async (): Promise<boolean> => {
      const next = await handshake({ ...options, session } as object)
      assert.ok(typeof next !== 'string')
      const isReused = next.isSessionReused()
      next.destroy()
      return isReused
    }
    assert.equal(await isResumed(), true)
    t.mock.timers.tick(3_600_000)
    assert.equal(await isResumed(), false)
    first.destroy()
    one.server.close()
    one.close()
  })
})
