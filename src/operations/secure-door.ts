import type { Server } from 'node:http'
import { createServer, type Server as TlsServer } from 'node:tls'
import { type Patience, usualPatience } from '#kernel/client-errors.ts'
import { openHttp2 } from '#kernel/http2.ts'
import type { Door } from './shutdown.ts'

/** A certificate, with those that vouch for it, and its private key, in PEM. */
export interface ServerIdentity {
  readonly cert: string
  readonly key: string
}

/** HTTPS beside a server of plain HTTP, which gets its requests. */
export interface SecureDoor extends Door {
  readonly server: TlsServer
  /** Shows another certificate from the next connection on; those there are stay. */
  readonly renew: (identity: ServerIdentity) => void
}

/**
 * Opens HTTPS with HTTP/2 and HTTP/1.1, whichever the client prefers (RFC 7301). A connection, once
 * its handshake is over, is one of `inside` like any other: the same limits of size and time hold.
 */
export function openSecureDoor(
  inside: Server,
  identity: ServerIdentity,
  patience: Patience = usualPatience,
): SecureDoor {
  const http2 = openHttp2(inside, patience)
  const server = createServer({
    ...identity,
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: patience.headersMs,
    noDelay: true,
  })
  server.on('secureConnection', (socket) => {
    if (socket.alpnProtocol === 'h2') http2.take(socket)
    else inside.emit('connection', socket)
  })
  // Whoever breaks off, or speaks no TLS, is nobody's fault.
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  return {
    server,
    renew: (next) => server.setSecureContext(next),
    dismiss: http2.dismiss,
    close: http2.close,
  }
}
