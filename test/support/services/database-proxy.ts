import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** The message that commits, in the protocol of PostgreSQL. */
const commitMessage = 'Q\0\0\0\x0bcommit\0'

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
  /** Resets the connection on which the next COMMIT is sent once there is a response, which is lost. */
  readonly loseCommit: () => void
  /** Drops the connection on which the next COMMIT is sent, which does not arrive. */
  readonly dropCommit: () => void
  /** True while such a COMMIT is still to come. */
  readonly awaitsCommit: () => boolean
  readonly connectionCount: () => number
  readonly close: () => Promise<void>
}

interface Connection {
  /** True once nothing passes, not even the end of the connection. */
  isDropped: boolean
  readonly upstream: Socket
}

/** Starts a proxy to the database of the tests, or to that of a URL. */
export async function openProxy(
  databaseUrl = process.env['TEST_DATABASE_URL'] ?? '',
): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const connections = new Map<Socket, Connection>()
  const upstreams = new Set<Socket>()
  let isRefusing = false
  let isSilent = false
  let onCommit: 'pass' | 'lose' | 'drop' = 'pass'
  let connectionCount = 0
  const server: Server = createServer((client) => {
    connectionCount += 1
    client.on('error', () => undefined)
    if (isRefusing) {
      client.resume().end()
      return
    }
    const upstream = connect(Number(target.port || 5432), target.hostname)
    upstreams.add(upstream)
    const connection: Connection = { isDropped: isSilent, upstream }
    connections.set(client, connection)
    let losesResponse = false
    client.on('data', (bytes) => {
      if (onCommit !== 'pass' && bytes.includes(commitMessage)) {
        if (onCommit === 'drop') connection.isDropped = true
        else losesResponse = true
        onCommit = 'pass'
      }
      if (!connection.isDropped) upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (losesResponse) client.resetAndDestroy()
      else if (!connection.isDropped) client.write(bytes)
    })
    upstream.on('error', () => client.destroy())
    upstream.on('close', () => {
      upstreams.delete(upstream)
      if (!connection.isDropped) client.destroy()
    })
    client.on('close', () => {
      connections.delete(client)
      if (!connection.isDropped) upstream.destroy()
    })
  })
  const drop = (): void => {
    for (const connection of connections.values()) connection.isDropped = true
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
    loseCommit: () => {
      onCommit = 'lose'
    },
    dropCommit: () => {
      onCommit = 'drop'
    },
    awaitsCommit: () => onCommit !== 'pass',
    connectionCount: () => connectionCount,
    close: async () => {
      for (const socket of [...connections.keys(), ...upstreams]) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
