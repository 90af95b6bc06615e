import { constants, randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { createServer, type TlsOptions, type Server as TlsServer } from 'node:tls'
import { defaultTimeouts, type Timeouts } from '#http/server/connection/client-errors.ts'
import { openHttp2 } from '#http/server/connection/http2.ts'
import type { Listener } from '#src/server/shutdown.ts'
import { hourMs } from '#values/instant.ts'

/** A certificate, with those that vouch for it, and its private key, in PEM. */
export interface ServerIdentity {
  readonly cert: string
  readonly key: string
}

/** HTTPS beside a server of plain HTTP, which gets its requests. */
export interface SecureListener extends Listener {
  readonly server: TlsServer
  /** Shows another certificate from the next connection on; those there are stay. */
  readonly renew: (identity: ServerIdentity) => void
}

/**
 * TLS 1.3, and of TLS 1.2 only what HTTP/2 may use (RFC 9113 9.2.2): ephemeral keys and authenticated
 * encryption. No client may renegotiate (RFC 9113 9.2.1).
 */
const security: TlsOptions = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  // In seconds: how long a session can be resumed.
  sessionTimeout: 300,
}
const ticketKeyBytes = 48

/**
 * Opens HTTPS with HTTP/2 and HTTP/1.1, whichever the client prefers (RFC 7301). A connection, once
 * its handshake is over, is one of `inside` like any other: the same limits of size and time hold.
 */
export function openSecureListener(
  inside: Server,
  identity: ServerIdentity,
  timeouts: Timeouts = defaultTimeouts,
): SecureListener {
  const http2 = openHttp2(inside, timeouts)
  const server = createServer({
    ...identity,
    ...security,
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: timeouts.headersMs,
    noDelay: true,
  })
  server.on('secureConnection', (socket) => {
    if (socket.alpnProtocol === 'h2') http2.take(socket)
    else inside.emit('connection', socket)
  })
  replaceTicketKeys(server)
  // Whoever breaks off, or speaks no TLS, is nobody's fault.
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  return {
    server,
    renew: (next) => server.setSecureContext({ ...next, ...security }),
    dismiss: http2.dismiss,
    close: http2.close,
  }
}

/** Keys that live as long as the process would open what was recorded long before they are stolen. */
function replaceTicketKeys(server: TlsServer): void {
  const timer = setInterval(() => server.setTicketKeys(randomBytes(ticketKeyBytes)), hourMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
