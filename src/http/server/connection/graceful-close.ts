import type { IncomingMessage } from 'node:http'

const lingerMs = 1_000

/**
 * Closes the connection of a request after its response, and reads what the client still sends for
 * up to a second: a connection reset could discard the response (RFC 9112 9.6).
 */
export function closeGracefully(request: IncomingMessage): void {
  const { socket } = request
  // Node calls this once the last response of a connection is written.
  socket.destroySoon = () => {
    socket.end()
    request.resume()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
  }
}
