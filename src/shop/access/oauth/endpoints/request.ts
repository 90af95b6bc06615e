import type { IncomingMessage } from 'node:http'
import type { RawRequest } from '#http/server/raw-routes.ts'
import { removeHostPrefix } from '#shop/access/oauth/browser/cookies.ts'

/** The parts of a request that are replaced before oidc-provider sees it. */
interface RequestOverrides {
  readonly url?: string
  readonly authorization?: string
  readonly form?: URLSearchParams
}

/** The form in the body; empty for any other content type. */
export const readForm = ({ request, body }: RawRequest): URLSearchParams =>
  /^application\/x-www-form-urlencoded *(;|$)/i.test(request.headers['content-type'] ?? '')
    ? new URLSearchParams(body.toString())
    : new URLSearchParams()

/**
 * The request as oidc-provider gets it: its body, which was already read, can be read again, and its
 * host is that of the issuer.
 */
export function toProviderRequest(
  call: RawRequest,
  issuer: string,
  overrides: RequestOverrides,
): IncomingMessage {
  const { request } = call
  const body = overrides.form ? Buffer.from(overrides.form.toString()) : call.body
  const fields = {
    headers: providerHeaders(call, issuer, overrides, body.length),
    url: overrides.url ?? call.url,
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

function providerHeaders(
  { request, url, ip, requestId }: RawRequest,
  issuer: string,
  overrides: RequestOverrides,
  contentLength: number,
) {
  const { host, protocol } = new URL(issuer)
  const {
    origin: _origin,
    'transfer-encoding': _transfer,
    'content-encoding': _coding,
    'content-length': _length,
    ...forwarded
  } = request.headers
  const { authorization = forwarded.authorization } = overrides
  const { cookie } = forwarded
  return {
    ...forwarded,
    host,
    // oidc-provider prefers these to `host` and `:authority`.
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': ip,
    'x-request-id': requestId,
    ...(authorization === undefined ? {} : { authorization }),
    ...(cookie === undefined ? {} : { cookie: removeHostPrefix(cookie, url) }),
    ...(request.method === 'POST' ? { 'content-length': String(contentLength) } : {}),
  }
}

/** The client ID that a request claims (RFC 6749 2.3.1), whether or not it is authenticated. */
export function claimedClientId({ request }: RawRequest, form: URLSearchParams): string {
  const [, credentials = ''] = /^basic +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const [clientId = ''] = Buffer.from(credentials, 'base64').toString().split(':', 1)
  try {
    return decodeURIComponent(clientId) || (form.get('client_id') ?? '')
  } catch {
    return clientId
  }
}
