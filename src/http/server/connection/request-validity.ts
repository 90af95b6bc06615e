import type { IncomingMessage } from 'node:http'
import { createMessage } from '#i18n/message.ts'
import { Problem, problem } from '#values/problem.ts'
import { maxAddressLength, maxHeaderBytes } from './client-errors.ts'

/** A name or an address, and a port (RFC 9112 3.2, RFC 3986 3.2); empty where there is none. */
const hostForm = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d{0,5})?$/i
const absoluteForm = /^https?:\/\/([^/?]*)(.*)$/is

/**
 * Brings the target of a request into the form it has without a proxy: the host of an absolute
 * target takes the place of Host (RFC 9112 3.2.2), and `OPTIONS *` asks about the root.
 */
export function originForm({ method, url = '/', headers }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  if (url === '*' && method === 'OPTIONS') return '/'
  const [, host, rest = ''] = absoluteForm.exec(url) ?? []
  if (host === undefined) return url
  headers.host = host
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** The refusal of a request that cannot be read on, whatever it asks for. */
export function requestProblem(request: IncomingMessage, address: string): Problem | undefined {
  if (address.length > maxAddressLength) return problem('4141', 'detail.too_long')
  // What is left of another scheme, a tunnel or a server as a whole.
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
  if (!hostForm.test(host) || countHosts(rawHeaders) > 1) return problem('4002', 'detail.bad_host')
  // Whoever is in between sees another end of the body, if it speaks HTTP/1.0 or knows another
  // transfer coding (RFC 9112 6.1), so nothing after it is to be believed.
  const coding = headers['transfer-encoding']
  const isForeign =
    coding !== undefined && (httpVersionMinor === 0 || coding.toLowerCase() !== 'chunked')
  const detail = createMessage('detail.bad_request')
  return isForeign ? new Problem('4002', detail, { headers: { connection: 'close' } }) : undefined
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** In HTTP/2 the host is `:authority`; a Host beside it must not say anything else (RFC 9113 8.3.1). */
function http2RequestProblem({ headers, rawHeaders }: IncomingMessage): Problem | undefined {
  const { host, ':authority': authority = host } = headers
  if (authority === undefined) return problem('4002', 'detail.no_host')
  const isSound = hostForm.test(String(authority)) && (host === undefined || host === authority)
  if (!isSound) return problem('4002', 'detail.bad_host')
  const bytes = rawHeaders.reduce((sum, text) => sum + text.length, 0)
  return bytes > maxHeaderBytes
    ? problem('4311', 'detail.header_limit', { limit: maxHeaderBytes })
    : undefined
}
