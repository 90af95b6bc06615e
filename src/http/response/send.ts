import type { FastifyReply } from 'fastify'
import { compress, compressOnce, minBytes } from '#http/codec/content-coding/compress.ts'
import { acceptedCodingOf, codedTag } from '#http/codec/content-coding/negotiate.ts'
import { versionNotices } from '#http/codec/versions.ts'
import { codecFor, type Exchange, type Response } from '#http/pipeline/exchange.ts'
import { isValidated } from '#http/pipeline/middleware/conditional.ts'
import { textPolicy } from './security-headers.ts'

/** Writes an answer to the wire; the body is made here and nowhere earlier. */
export function send(reply: FastifyReply, answer: Response): FastifyReply {
  const { status, headers, body } = answer
  // A path that leads nowhere has no exchange, whatever the declaration says.
  const exchange = reply.request.exchange as Exchange | undefined
  if (exchange?.headers) reply.headers(exchange.headers)
  if (exchange?.authenticationInfo !== undefined) {
    reply.header('authentication-info', exchange.authenticationInfo)
  }
  reply.code(status).headers(headers)
  if (exchange && exchange.route.resource.kind !== 'document') {
    setVersionHeaders(reply, exchange, headers['link'])
  }
  if (!body) return reply.send()
  const value = body()
  if (typeof value === 'string' || Buffer.isBuffer(value)) return deliver(reply, value)
  if (!exchange) throw new TypeError('What is told of nothing is written already')
  const { format, contentType } = exchange.representation
  if (format === 'html')
    return deliver(reply.type(contentType).headers(textPolicy), pageOf(exchange, value))
  const text = format === 'xml' ? codecFor(exchange).writeXml(value) : JSON.stringify(value)
  return deliver(reply.type(contentType), text)
}

/** Sends a body in the coding that is most welcome, where that is worth it (RFC 9110 8.4). */
function deliver(reply: FastifyReply, payload: string | Buffer): FastifyReply {
  const { request, statusCode } = reply
  const { coding, plain } = acceptedCodingOf(request.headers['accept-encoding'])
  if (coding === undefined || (plain && sizeOf(payload) < minBytes)) return reply.send(payload)
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string') reply.header('etag', codedTag(etag, coding))
  reply.header('content-encoding', coding)
  const exchange = request.exchange as Exchange | undefined
  const isKept = exchange?.route.resource.kind === 'document' && isValidated(exchange.route)
  const coded =
    isKept && statusCode === 200
      ? compressOnce(exchange.route, String(exchange.version), payload, coding)
      : compress(payload, coding)
  if (Buffer.isBuffer(coded)) return reply.send(coded)
  coded.then(
    (bytes) => reply.send(bytes),
    (error: Error) => reply.removeHeader('content-encoding').send(error),
  )
  return reply
}

const sizeOf = (payload: string | Buffer): number =>
  typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length

function setVersionHeaders(
  reply: FastifyReply,
  { version }: Exchange,
  link: string | undefined,
): void {
  const notice = versionNotices.get(version)
  if (!notice) return
  reply.headers(notice.headers)
  if (notice.link === undefined) return
  reply.header('link', link === undefined ? notice.link : `${link}, ${notice.link}`)
}

function pageOf({ route, ctx }: Exchange, value: unknown): string {
  const page = 'page' in route.resource ? route.resource.page : undefined
  if (!page) throw new TypeError(`${route.path} has no page`)
  return page(value, ctx.language)
}
