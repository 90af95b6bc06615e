import type { Server, Socket } from 'node:net'
import { type AddressMatcher, compileAddressMatcher } from '#http/message/addresses.ts'
import { networkOf, networksOfSite, siteIn } from '#http/message/client-network.ts'

/** The connections that one network may have open: more than those of an office. */
const maxConnectionsOfNetwork = 1000

const isThisMachine = compileAddressMatcher(['loopback'])

/**
 * Returns a function that is called with each new connection of a network and returns false beyond the
 * limit of that, or of 16 networks for the site of an IPv6 network.
 */
export function createConnectionCount(limit: number) {
  const counts = new Map<string, number>()
  const add = (name: string, change: 1 | -1): void => {
    const count = (counts.get(name) ?? 0) + change
    if (count === 0) counts.delete(name)
    else counts.set(name, count)
  }
  return (network: string, socket: Pick<Socket, 'once'>): boolean => {
    const site = siteIn(network)
    if ((counts.get(network) ?? 0) >= limit) return false
    if (site && (counts.get(site) ?? 0) >= limit * networksOfSite) return false
    const names = site ? [network, site] : [network]
    for (const name of names) add(name, 1)
    socket.once('close', () => {
      for (const name of names) add(name, -1)
    })
    return true
  }
}

/** The address by which a connection is bounded; undefined for a trusted proxy, and a program on this machine. */
export const boundAddress = (
  { remoteAddress: address }: Pick<Socket, 'remoteAddress'>,
  isTrustedProxy: AddressMatcher | undefined,
): string | undefined =>
  address === undefined || isThisMachine(address) || isTrustedProxy?.(address) ? undefined : address

/**
 * Ends connections beyond 1,000 of one network to a server, so that one client does not use up the files that
 * the process may have open. Those of trusted proxies, and of programs on this machine, are not counted.
 */
export function limitConnections(server: Server, isTrustedProxy: AddressMatcher | undefined): void {
  const count = createConnectionCount(maxConnectionsOfNetwork)
  server.on('connection', (socket: Socket) => {
    // The server for HTTP gets the connections of that for HTTPS, which are counted there.
    if ('encrypted' in socket) return
    const address = boundAddress(socket, isTrustedProxy)
    if (address !== undefined && !count(networkOf(address), socket)) socket.destroy()
  })
}
