import { once } from 'node:events'
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  createSecureListener,
  type SecureListener,
  type ServerIdentity,
} from '#src/server/https/listener.ts'
import { createSelfSignedCertificate } from '#src/server/https/self-signed.ts'
import { startTestApp, type TestApp, type TestOptions, type TestResponse } from './app.ts'

/** Creates a self-signed certificate for localhost that is valid for one day. */
export async function createIdentity(): Promise<ServerIdentity> {
  const now = Date.now()
  const validity = { from: now - 60_000, until: now + 86_400_000 }
  const { certificate, key } = await createSelfSignedCertificate(
    ['localhost', '127.0.0.1'],
    validity,
  )
  return { cert: certificate, key }
}

/** A response over HTTPS. */
export interface HttpsResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: TestResponse['json']
}

const toResponse = (status: number, headers: IncomingHttpHeaders, text: string): HttpsResponse => {
  const isJson = text !== '' && /json/.test(String(headers['content-type']))
  return { status, headers, text, json: isJson ? JSON.parse(text) : undefined }
}

/** Sends a request on an HTTP/2 session; `headers` may hold pseudo-header fields. */
export async function requestHttp2(
  session: ClientHttp2Session,
  headers: Record<string, string | string[]>,
  body?: string | Buffer,
): Promise<HttpsResponse> {
  const stream = session.request(headers, { endStream: body === undefined })
  // The server may reject a body before it has arrived completely.
  stream.on('error', () => undefined)
  if (body !== undefined) stream.end(body)
  const [responseHeaders] = (await once(stream, 'response')) as [IncomingHttpHeaders]
  return toResponse(Number(responseHeaders[':status']), responseHeaders, await text(stream))
}

/** The real application on a port for plain HTTP and a port for HTTPS. */
export interface SecureApp {
  readonly app: TestApp
  readonly listener: SecureListener
  readonly identity: ServerIdentity
  readonly port: number
  readonly tlsPort: number
  /** Opens an HTTP/2 session that trusts the certificate. */
  readonly session: () => Promise<ClientHttp2Session>
  /** Sends a request over HTTP/1.1 and TLS on a new connection. */
  readonly requestHttp1: (path: string, headers?: Record<string, string>) => Promise<HttpsResponse>
  readonly dispose: () => Promise<void>
}

/** Starts the application for plain HTTP and HTTPS. */
export async function startSecureApp({ composition = {} }: TestOptions = {}): Promise<SecureApp> {
  const identity = await createIdentity()
  const https = { port: 3443, coversHost: () => false, name: 'localhost' }
  const app = await startTestApp('sqlite', {
    composition: { httpsPolicy: { plain: 'loopback', https }, ...composition },
  })
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const listener = createSecureListener(app.app.server, identity, {
    timeouts: composition.timeouts,
  })
  listener.server.listen(0, '127.0.0.1')
  await once(listener.server, 'listening')
  const { port } = app.app.server.address() as AddressInfo
  const { port: tlsPort } = listener.server.address() as AddressInfo
  const origin = `https://localhost:${tlsPort}`
  const sessions: ClientHttp2Session[] = []
  return {
    app,
    listener,
    identity,
    port,
    tlsPort,
    session: async () => {
      const session = connect(origin, { ca: identity.cert })
      sessions.push(session)
      await once(session, 'remoteSettings')
      return session
    },
    requestHttp1: async (path, headers = {}) => {
      const agent = new Agent({ ca: identity.cert })
      const sent = request(`${origin}${path}`, { agent, headers }).end()
      const [answer] = await once(sent, 'response')
      return toResponse(answer.statusCode, answer.headers, await text(answer))
    },
    dispose: async () => {
      for (const session of sessions) session.destroy()
      await app.drain([listener])
      await app.dispose()
    },
  }
}
