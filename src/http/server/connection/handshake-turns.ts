import type { Socket } from 'node:net'
import type { AddressMatcher } from '#http/message/addresses.ts'
import { networkOf, siteOf } from '#http/message/client-network.ts'
import { boundAddress } from './connection-limit.ts'
import { createTurns } from './request-turns.ts'

/**
 * The handshakes that begin in a turn. Each holds the event loop for half a millisecond to one, so one network (of
 * IPv6: site) may use a sixth of it, and all together two thirds.
 */
const handshakesPerTurn = 10
const handshakesOfAll = 40
const turnMs = 50

/**
 * Returns what begins the TLS handshake of a connection: of each network 200 a second, others wait. Those of trusted
 * proxies, and of programs on this machine, do not.
 */
export function createHandshakeTurns(
  begin: (socket: Socket) => void,
  isTrustedProxy: AddressMatcher | undefined,
): (socket: Socket) => void {
  const takeTurn = createTurns({
    ofNetwork: handshakesPerTurn,
    ofAll: handshakesOfAll,
    schedule: (next) => setTimeout(next, turnMs),
  })
  return (socket) => {
    if (socket.destroyed) return
    const address = boundAddress(socket, isTrustedProxy)
    if (address === undefined) return begin(socket)
    // One that ends while it waits has no listener yet.
    const ignore = () => undefined
    socket.on('error', ignore)
    takeTurn(siteOf(networkOf(address)), () => {
      socket.off('error', ignore)
      if (!socket.destroyed) begin(socket)
    })
  }
}
