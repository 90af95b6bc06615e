import type { Server, Socket } from 'node:net'
import { type AddressMatcher, compileAddressMatcher } from '#http/message/addresses.ts'
import { networkOf } from '#http/message/client-network.ts'

/** The connections that one network may have open: more than those of an office. */
const maxConnectionsOfNetwork = 1000

const isThisMachine = compileAddressMatcher(['loopback'])

/** Returns a function that is called with each new connection of a network and returns false beyond a limit. */
export function createConnectionCount(limit: number) {
  const counts = new Map<string, number>()
  const release = (network: string): void => {
    const left = (counts.get(network) ?? 1) - 1
    if (left === 0) counts.delete(network)
    else counts.set(network, left)
  }
  return (network: string, socket: Pick<Socket, 'once'>): boolean => {
    const count = counts.get(network) ?? 0
    if (count >= limit) return false
    counts.set(network, count + 1)
    socket.once('close', () => release(network))
    return true
  }
}

/**
 * Ends connections beyond 1,000 of one network to a server, so that one client does not use up the files that
 * the process may have open. Those of trusted proxies, and of programs on this machine, are not counted.
 */
export function limitConnections(server: Server, isTrustedProxy: AddressMatcher | undefined): void {
  const count = createConnectionCount(maxConnectionsOfNetwork)
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket
    // The server for HTTP gets the connections of that for HTTPS, which are counted there.
    if (address === undefined || 'encrypted' in socket) return
    if (isThisMachine(address) || isTrustedProxy?.(address)) return
    if (!count(networkOf(address), socket)) socket.destroy()
  })
}
