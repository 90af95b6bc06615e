import type { IncomingMessage } from 'node:http'
import { createMessage } from '#i18n/message.ts'
import { Problem, problem } from '#values/problem.ts'

/** The maximum length of a request target, in characters. */
export const maxRequestTargetLength = 8_000
/** The maximum size of the request line and the header fields together, in bytes. */
export const maxHeaderBytes = 16_384

/** A host name or address with an optional port, or nothing (RFC 9112 3.2, RFC 3986 3.2). */
const hostForm = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d{0,5})?$/i
const absoluteForm = /^https?:\/\/([^/?]*)(.*)$/is

/**
 * Returns the request target in origin form. The host of an absolute target replaces Host (RFC 9112
 * 3.2.2), and `OPTIONS *` becomes `OPTIONS /`.
 */
export function originForm({ method, url = '/', headers }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  if (url === '*' && method === 'OPTIONS') return '/'
  const [, host, rest = ''] = absoluteForm.exec(url) ?? []
  if (host === undefined) return url
  headers.host = host
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** The problem of an invalid request, at any path; undefined for a valid one. */
export function requestProblem(request: IncomingMessage, address: string): Problem | undefined {
  if (address.length > maxRequestTargetLength) return problem('4141', 'detail.too_long')
  // A target in another form: another scheme, authority or asterisk.
  if (!address.startsWith('/')) return problem('4001', 'detail.bad_url')
  return request.httpVersionMajor === 2
    ? http2RequestProblem(request)
    : http1RequestProblem(request)
}

function http1RequestProblem({
  httpVersionMajor,
  httpVersionMinor,
  headers,
  rawHeaders,
}: IncomingMessage) {
  const { host } = headers
  if (httpVersionMajor !== 1) return problem('4002', 'detail.bad_request')
  if (host === undefined) {
    return httpVersionMinor === 1 ? problem('4002', 'detail.no_host') : undefined
  }
  if (!hostForm.test(host) || countHeader(rawHeaders, 'host') > 1)
    return problem('4002', 'detail.bad_host')
  // A proxy may find another end of such a body (RFC 9112 6.1), so the connection is closed: what
  // follows could be a smuggled request.
  const coding = headers['transfer-encoding']
  const isAmbiguous =
    coding !== undefined && (httpVersionMinor === 0 || coding.toLowerCase() !== 'chunked')
  const detail = createMessage('detail.bad_request')
  return isAmbiguous ? new Problem('4002', detail, { headers: { connection: 'close' } }) : undefined
}

/** Counts a header field, named in lower case: Node keeps only the first of some fields. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? ''
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1
  }
  return count
}

/** The size of header fields, in bytes. */
export const headerBytes = (rawHeaders: readonly string[]): number =>
  rawHeaders.reduce((sum, text) => sum + text.length, 0)

/** In HTTP/2 the host is `:authority`, and a Host beside it must be equal (RFC 9113 8.3.1). */
function http2RequestProblem({ headers, rawHeaders }: IncomingMessage): Problem | undefined {
  const { host, ':authority': authority = host } = headers
  if (authority === undefined) return problem('4002', 'detail.no_host')
  const isValid = hostForm.test(String(authority)) && (host === undefined || host === authority)
  if (!isValid) return problem('4002', 'detail.bad_host')
  return headerBytes(rawHeaders) > maxHeaderBytes
    ? problem('4311', 'detail.header_limit', { limit: maxHeaderBytes })
    : undefined
}
