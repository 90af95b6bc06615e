import type { FastifyReply } from 'fastify'
import { compress, compressOnce, leastBytes } from './compression.ts'
import { isValidated } from './conditional.ts'
import { codedTag, welcomeOf } from './content-coding.ts'
import { errorForm, writeErrorXml } from './error-xml.ts'
import { type Answer, type Exchange, faceOf } from './exchange.ts'
import { versionNotices } from './versions.ts'

/** Writes an answer to the wire; the body is made here and nowhere earlier. */
export function send(reply: FastifyReply, answer: Answer): FastifyReply {
  const { status, headers, body } = answer
  // A path that leads nowhere has no exchange, whatever the declaration says.
  const exchange = reply.request.exchange as Exchange | undefined
  if (exchange?.headers) reply.headers(exchange.headers)
  reply.code(status).headers(headers)
  if (exchange && exchange.route.noun.kind !== 'document') {
    tellVersion(reply, exchange, headers['link'])
  }
  if (!body) return reply.send()
  const value = body()
  if (typeof value === 'string' || Buffer.isBuffer(value)) return deliver(reply, value)
  if (status >= 400 || !exchange) return sendError(reply, answer, value as object)
  const { format, contentType } = exchange.representation
  const text = format === 'xml' ? faceOf(exchange).writeXml(value) : JSON.stringify(value)
  return deliver(reply.type(contentType), text)
}

/** Sends a body in the coding that is most welcome, where that is worth it (RFC 9110 8.4). */
function deliver(reply: FastifyReply, payload: string | Buffer): FastifyReply {
  const { request, statusCode } = reply
  const { coding, plain } = welcomeOf(request.headers['accept-encoding'])
  if (coding === undefined || (plain && sizeOf(payload) < leastBytes)) return reply.send(payload)
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string') reply.header('etag', codedTag(etag, coding))
  reply.header('content-encoding', coding)
  const exchange = request.exchange as Exchange | undefined
  const isKept = exchange?.route.noun.kind === 'document' && isValidated(exchange.route)
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

function tellVersion(reply: FastifyReply, { version }: Exchange, link: string | undefined): void {
  const notice = versionNotices.get(version)
  if (!notice) return
  reply.headers(notice.headers)
  if (notice.link === undefined) return
  reply.header('link', link === undefined ? notice.link : `${link}, ${notice.link}`)
}

function sendError(reply: FastifyReply, { headers }: Answer, body: object): FastifyReply {
  // A shape that has a media type of its own is sent as that.
  if (headers['content-type'] !== undefined) return deliver(reply, JSON.stringify(body))
  const { format, contentType } = errorForm(reply.request)
  if (format === 'xml') return deliver(reply.type(contentType), writeErrorXml(body))
  return deliver(reply.type('application/json; charset=utf-8'), JSON.stringify(body))
}
