import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

/** A further listener of a server, which tracks its own connections. */
export interface Listener {
  readonly server: NetServer
  /** Asks clients to send no further requests on their connections. */
  readonly announceClose: () => void
  /** Closes every connection once its requests in flight are answered. */
  readonly close: () => void
}

/** The graceful shutdown of a server. */
export interface Drain {
  readonly isStopping: () => boolean
  /**
   * Accepts no further connections on the server and these listeners, answers every request that
   * arrives on the open connections with `Connection: close`, and resolves once all are closed.
   * Repeated calls return the same promise.
   */
  readonly drain: (listeners?: readonly Listener[]) => Promise<void>
}

// How long a request on an idle connection is still answered: a client may be about to send one.
const lingerMs = 500
const sweepMs = 50
// In turns of the event loop.
const quietTurns = 2
const maxTurns = 1000

/** Tracks the connections of a server, which must not listen yet, for a graceful shutdown. */
export function createDrain(server: Server): Drain {
  const latestResponses = new Map<Socket, ServerResponse | undefined>()
  let stopping: Promise<void> | undefined
  server.prependListener('connection', (socket: Socket) => {
    latestResponses.set(socket, undefined)
    socket.once('close', () => latestResponses.delete(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (latestResponses.has(socket)) latestResponses.set(socket, response)
    if (stopping && !server.listening) setConnectionClose(response)
  })
  return {
    isStopping: () => stopping !== undefined,
    drain: (listeners = []) => {
      stopping ??= closeGracefully(server, latestResponses, listeners)
      return stopping
    },
  }
}

function setConnectionClose(response: ServerResponse | undefined): void {
  // HTTP/2 sends GOAWAY instead.
  if (!response || response.headersSent || response.req.httpVersionMajor === 2) return
  response.setHeader('connection', 'close')
}

async function closeGracefully(
  server: Server,
  latestResponses: ReadonlyMap<Socket, ServerResponse | undefined>,
  listeners: readonly Listener[],
): Promise<void> {
  const closed: Promise<void>[] = []
  for (const each of [server, ...listeners.map((listener) => listener.server)]) {
    await acceptPending(each)
    // http.Server's own close would also close idle connections, on which a request may be arriving.
    closed.push(new Promise((resolve) => NetServer.prototype.close.call(each, () => resolve())))
  }
  // Only now: a client whose connection closes reconnects at once, and the kernel resets connections
  // that it accepted while the listening socket was being closed.
  for (const response of latestResponses.values()) setConnectionClose(response)
  for (const listener of listeners) listener.announceClose()
  let sweep: NodeJS.Timeout | undefined
  const linger = setTimeout(() => {
    for (const listener of listeners) listener.close()
    server.closeIdleConnections()
    sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
  }, lingerMs)
  await Promise.all(closed)
  clearTimeout(linger)
  clearInterval(sweep)
}

/**
 * Waits until no connections arrive. The kernel resets connections in the accept queue when the
 * listening socket closes, although their clients are already connected.
 */
async function acceptPending(server: NetServer): Promise<void> {
  let arrivals = 0
  const count = () => {
    arrivals += 1
  }
  server.on('connection', count)
  for (let turn = 0, quiet = 0; turn < maxTurns && quiet < quietTurns; turn += 1) {
    const before = arrivals
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    quiet = arrivals === before ? quiet + 1 : 0
  }
  server.off('connection', count)
}
