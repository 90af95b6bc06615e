import { once } from 'node:events'
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  openSecureListener,
  type SecureListener,
  type ServerIdentity,
} from '#src/server/https/listener.ts'
import { makeSelfSigned } from '#src/server/https/self-signed.ts'
import { startTestApp, type TestApp, type TestOptions, type TestResponse } from './app.ts'

/** A new certificate for this machine, good for a day. */
export async function newIdentity(): Promise<ServerIdentity> {
  const now = Date.now()
  const validity = { from: now - 60_000, until: now + 86_400_000 }
  const { certificate, key } = await makeSelfSigned(['localhost', '127.0.0.1'], validity)
  return { cert: certificate, key }
}

/** What came back of one request. */
export interface Heard {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: TestResponse['json']
}

const heard = (status: number, headers: IncomingHttpHeaders, text: string): Heard => {
  const isJson = text !== '' && /json/.test(String(headers['content-type']))
  return { status, headers, text, json: isJson ? JSON.parse(text) : undefined }
}

/** Asks on a session of HTTP/2; pseudo header fields are those of `headers`, or the usual ones. */
export async function ask2(
  session: ClientHttp2Session,
  headers: Record<string, string | string[]>,
  body?: string | Buffer,
): Promise<Heard> {
  const stream = session.request(headers, { endStream: body === undefined })
  // What is refused before it has come is not taken to its end.
  stream.on('error', () => undefined)
  if (body !== undefined) stream.end(body)
  const [answered] = (await once(stream, 'response')) as [IncomingHttpHeaders]
  return heard(Number(answered[':status']), answered, await text(stream))
}

/** The real application behind plain HTTP and HTTPS, each on a port of its own. */
export interface SecureApp {
  readonly app: TestApp
  readonly listener: SecureListener
  readonly identity: ServerIdentity
  readonly port: number
  readonly tlsPort: number
  /** Opens a session of HTTP/2 that trusts the certificate. */
  readonly session: () => Promise<ClientHttp2Session>
  /** Asks over HTTP/1.1 and TLS, on a connection of its own. */
  readonly ask1: (path: string, headers?: Record<string, string>) => Promise<Heard>
  readonly dispose: () => Promise<void>
}

/** Starts the application behind plain HTTP and HTTPS. */
export async function startSecureApp({ composition = {} }: TestOptions = {}): Promise<SecureApp> {
  const identity = await newIdentity()
  const https = { port: 3443, isOwn: () => false, name: 'localhost' }
  const app = await startTestApp('sqlite', {
    composition: { httpsPolicy: { plain: 'loopback', https }, ...composition },
  })
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const listener = openSecureListener(app.app.server, identity, composition.timeouts)
  listener.server.listen(0, '127.0.0.1')
  await once(listener.server, 'listening')
  const { port } = app.app.server.address() as AddressInfo
  const { port: tlsPort } = listener.server.address() as AddressInfo
  const place = `https://localhost:${tlsPort}`
  const sessions: ClientHttp2Session[] = []
  return {
    app,
    listener,
    identity,
    port,
    tlsPort,
    session: async () => {
      const session = connect(place, { ca: identity.cert })
      sessions.push(session)
      await once(session, 'remoteSettings')
      return session
    },
    ask1: async (path, headers = {}) => {
      const agent = new Agent({ ca: identity.cert })
      const sent = request(`${place}${path}`, { agent, headers }).end()
      const [answer] = await once(sent, 'response')
      return heard(answer.statusCode, answer.headers, await text(answer))
    },
    dispose: async () => {
      for (const session of sessions) session.destroy()
      await app.drain([listener])
      await app.dispose()
    },
  }
}
