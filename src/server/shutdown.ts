import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

/** Another way into a server, by connections that it follows itself. */
export interface Listener {
  /** What listens there. */
  readonly server: NetServer
  /** Tells clients to come back elsewhere. */
  readonly dismiss: () => void
  /** Closes every connection as soon as what is under way there has been answered. */
  readonly close: () => void
}

/** How a server comes to rest. */
export interface Drain {
  readonly isStopping: () => boolean
  /**
   * Takes no further connections, here and at these doors, answers every request that arrives on
   * those there are, and resolves once all have ended; a client is told to leave with its next
   * answer.
   */
  readonly drain: (listeners?: readonly Listener[]) => Promise<void>
}

// A client may be about to use an idle connection; this long it gets its answer all the same.
const lingerMs = 500
const sweepMs = 50
// Turns of the event loop.
const quietTurns = 2
const maxTurns = 1000

/** Follows the connections of a server, from before it listens, so that it can be brought to rest. */
export function drainable(server: Server): Drain {
  const latest = new Map<Socket, ServerResponse | undefined>()
  let stopping: Promise<void> | undefined
  server.prependListener('connection', (socket: Socket) => {
    latest.set(socket, undefined)
    socket.once('close', () => latest.delete(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (latest.has(socket)) latest.set(socket, response)
    if (stopping && !server.listening) dismiss(response)
  })
  return {
    isStopping: () => stopping !== undefined,
    drain: (listeners = []) => {
      stopping ??= bringToRest(server, latest, listeners)
      return stopping
    },
  }
}

function dismiss(response: ServerResponse | undefined): void {
  // Connections of HTTP/2 are told by themselves.
  if (!response || response.headersSent || response.req.httpVersionMajor === 2) return
  response.setHeader('connection', 'close')
}

async function bringToRest(
  server: Server,
  latest: ReadonlyMap<Socket, ServerResponse | undefined>,
  listeners: readonly Listener[],
): Promise<void> {
  const closed: Promise<void>[] = []
  for (const each of [server, ...listeners.map((listener) => listener.server)]) {
    await acceptWhatHasArrived(each)
    // Not the server's own close, which would cut connections that a request may be under way on.
    closed.push(new Promise((resolve) => NetServer.prototype.close.call(each, () => resolve())))
  }
  // Only now: whom is told to leave comes back at once, and the system would cut off whoever it had
  // let in while the door was being shut.
  for (const response of latest.values()) dismiss(response)
  for (const listener of listeners) listener.dismiss()
  let sweeping: NodeJS.Timeout | undefined
  const linger = setTimeout(() => {
    for (const listener of listeners) listener.close()
    server.closeIdleConnections()
    sweeping = setInterval(() => server.closeIdleConnections(), sweepMs)
  }, lingerMs)
  await Promise.all(closed)
  clearTimeout(linger)
  clearInterval(sweeping)
}

/**
 * The system has told clients in its queue that they are connected, and cuts them off when the
 * door is shut: so it is shut in a moment when nobody is coming in.
 */
async function acceptWhatHasArrived(server: NetServer): Promise<void> {
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
