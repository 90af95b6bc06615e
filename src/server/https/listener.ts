import { constants, randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { createServer as createNetServer } from 'node:net'
import { createServer, type TlsOptions, type Server as TlsServer } from 'node:tls'
import type { AddressMatcher } from '#http/message/addresses.ts'
import { defaultTimeouts, type Timeouts } from '#http/server/connection/client-errors.ts'
import { limitConnections } from '#http/server/connection/connection-limit.ts'
import { createHandshakeTurns } from '#http/server/connection/handshake-turns.ts'
import { createHttp2Listener } from '#http/server/connection/http2.ts'
import type { Listener } from '#src/server/shutdown.ts'
import { hourMs } from '#values/instant.ts'

/** A certificate with its intermediate certificates, and its private key, in PEM. */
export interface ServerIdentity {
  readonly cert: string
  readonly key: string
}

/** An HTTPS listener that passes its requests to a plain HTTP server. */
export interface SecureListener extends Listener {
  /** Uses another certificate for new connections. */
  readonly renew: (identity: ServerIdentity) => void
}

/**
 * TLS 1.3, and TLS 1.2 with ephemeral keys and authenticated encryption only, as HTTP/2 requires
 * (RFC 9113 9.2.2). Renegotiation is disabled (RFC 9113 9.2.1).
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
  // In seconds.
  sessionTimeout: 300,
}
const ticketKeyBytes = 48

interface SecureOptions {
  readonly timeouts?: Timeouts | undefined
  readonly isTrustedProxy?: AddressMatcher | undefined
}

/**
 * Creates a listener for HTTPS with HTTP/2 and HTTP/1.1 by ALPN (RFC 7301). Networks take turns for the
 * handshake, after which a connection belongs to `httpServer`, with the same limits of size and time.
 */
export function createSecureListener(
  httpServer: Server,
  identity: ServerIdentity,
  { timeouts = defaultTimeouts, isTrustedProxy }: SecureOptions = {},
): SecureListener {
  const http2 = createHttp2Listener(httpServer, timeouts)
  const tls = createServer({
    ...identity,
    ...security,
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: timeouts.headersMs,
  })
  tls.on('secureConnection', (socket) => {
    if (socket.alpnProtocol === 'h2') http2.acceptConnection(socket)
    else httpServer.emit('connection', socket)
  })
  // Aborted handshakes and clients without TLS are not errors of the server.
  tls.on('tlsClientError', (_error, socket) => socket.destroy())
  // Nothing is read of a connection before its turn.
  const server = createNetServer({ noDelay: true, pauseOnConnect: true })
  limitConnections(server, isTrustedProxy)
  server.on(
    'connection',
    createHandshakeTurns((socket) => tls.emit('connection', socket), isTrustedProxy),
  )
  const stopReplacing = replaceTicketKeys(tls)
  server.once('close', stopReplacing)
  return {
    server,
    renew: (next) => tls.setSecureContext({ ...next, ...security }),
    announceClose: http2.announceClose,
    close: http2.close,
  }
}

/**
 * Replaces the ticket keys every hour, so that a stolen key decrypts at most an hour of recorded
 * traffic, until the returned function is called.
 */
function replaceTicketKeys(server: TlsServer): () => void {
  const timer = setInterval(() => server.setTicketKeys(randomBytes(ticketKeyBytes)), hourMs)
  timer.unref()
  return () => clearInterval(timer)
}
