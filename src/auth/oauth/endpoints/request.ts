import type { IncomingMessage } from 'node:http'
import { cookiesForLibrary } from '#auth/oauth/browser/cookies.ts'
import type { RawRequest } from '#http/server/raw-routes.ts'

/** What of a request is other than it came. */
interface RequestOverrides {
  readonly url?: string
  readonly authorization?: string
  readonly form?: URLSearchParams
}

/** The form that a request carries; empty where it carries none. */
export const formOf = ({ request, body }: RawRequest): URLSearchParams =>
  /^application\/x-www-form-urlencoded *(;|$)/i.test(request.headers['content-type'] ?? '')
    ? new URLSearchParams(body.toString())
    : new URLSearchParams()

/**
 * The request as the library is given it: it reads the body that has been read already, and takes
 * this server to be at the issuer's address, whatever the client calls it.
 */
export function asGiven(
  call: RawRequest,
  issuer: string,
  otherwise: RequestOverrides,
): IncomingMessage {
  const { request, url } = call
  const { host, protocol } = new URL(issuer)
  const body = otherwise.form ? Buffer.from(otherwise.form.toString()) : call.body
  const {
    origin: _origin,
    'transfer-encoding': _transfer,
    'content-encoding': _coding,
    'content-length': _length,
    ...kept
  } = request.headers
  const { authorization = kept.authorization } = otherwise
  const { cookie } = kept
  const headers = {
    ...kept,
    host,
    // By which the library goes before anything else, over HTTP/2 too.
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': call.ip,
    'x-request-id': call.requestId,
    ...(authorization === undefined ? {} : { authorization }),
    ...(cookie === undefined ? {} : { cookie: cookiesForLibrary(cookie, url) }),
    ...(request.method === 'POST' ? { 'content-length': String(body.length) } : {}),
  }
  const fields = {
    headers,
    // A version's prefix means nothing here.
    url: otherwise.url ?? url,
    method: request.method === 'HEAD' ? 'GET' : request.method,
    readable: true,
    readableEncoding: null,
    iterator: async function* () {
      yield body
    },
  }
  return Object.create(
    request,
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        { value, writable: true, enumerable: true },
      ]),
    ),
  )
}

/** By which name a client says that it is calling, whether or not it proves it. */
export function claimedClient({ request }: RawRequest, form: URLSearchParams): string {
  const [, credentials = ''] = /^basic +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const [name = ''] = Buffer.from(credentials, 'base64').toString().split(':', 1)
  try {
    return decodeURIComponent(name) || (form.get('client_id') ?? '')
  } catch {
    return name
  }
}
