import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP proxy to the database whose connections can be reset, rejected and silenced. */
export interface DatabaseProxy {
  readonly url: string
  /** Resets every connection. */
  readonly reset: () => void
  /** While true, ends each new connection at once. */
  readonly reject: (isRefusing: boolean) => void
  /** From now on nothing passes on the connections there are, for good. */
  readonly drop: () => void
  /** While true, nothing passes on any connection; those of this time stay so. */
  readonly silence: (isSilent: boolean) => void
  readonly connectionCount: () => number
  readonly close: () => Promise<void>
}

/** Starts a proxy to a database: that of the tests by default. */
export async function openProxy(
  targetUrl = process.env['TEST_DATABASE_URL'] ?? '',
): Promise<DatabaseProxy> {
  const target = new URL(targetUrl)
  /** The clients, and what drops the packets of each. */
  const connections = new Map<Socket, () => void>()
  let isRefusing = false
  let isSilent = false
  let connectionCount = 0
  const server: Server = createServer((client) => {
    connectionCount += 1
    client.on('error', () => undefined)
    if (isRefusing) {
      client.resume().end()
      return
    }
    const upstream = connect(Number(target.port || 5432), target.hostname)
    upstream.on('error', () => client.destroy())
    if (!isSilent) client.pipe(upstream).pipe(client)
    connections.set(client, () => {
      client.unpipe(upstream).resume()
      upstream.unpipe(client).resume()
    })
    client.on('close', () => {
      connections.delete(client)
      upstream.destroy()
    })
  })
  const drop = (): void => {
    for (const dropOne of connections.values()) dropOne()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    reset: () => {
      for (const socket of connections.keys()) socket.resetAndDestroy()
    },
    reject: (value) => {
      isRefusing = value
    },
    drop,
    silence: (value) => {
      isSilent = value
      if (value) drop()
    },
    connectionCount: () => connectionCount,
    close: async () => {
      for (const socket of connections.keys()) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
