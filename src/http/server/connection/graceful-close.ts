import type { IncomingMessage } from 'node:http'

const lingerMs = 1_000

/**
 * Has the connection of a request closed so that the answer arrives: whoever is still sending must
 * be listened to for a while, or what is cut off takes the answer along (RFC 9112 9.6).
 */
export function closeGracefully(request: IncomingMessage): void {
  const { socket } = request
  // Called by Node once the last answer of a connection is written.
  socket.destroySoon = () => {
    socket.end()
    request.resume()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
  }
}
