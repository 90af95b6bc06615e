import type { FastifyReply } from 'fastify'
import { minBytes } from '#http/codec/content-coding/compress.ts'
import { etagWithCoding, negotiateContentCoding } from '#http/codec/content-coding/negotiate.ts'
import type { Admitted, Exchange } from '#http/pipeline/exchange.ts'
import type { Response } from '#http/pipeline/response.ts'
import { SerializedBody, serialize } from './serialize.ts'

/** Sends the response of a route; serializes its body unless it is cached. */
export function send(reply: FastifyReply, response: Response, exchange: Admitted): FastifyReply {
  const { body } = response
  setStatusAndHeaders(reply, response, exchange)
  if (!body) return reply.send()
  const value = body()
  if (typeof value === 'string' || Buffer.isBuffer(value)) {
    return sendEncoded(reply, new SerializedBody(value, {}))
  }
  return sendEncoded(reply, value instanceof SerializedBody ? value : serialize(exchange, value))
}

/** Sends a problem thrown outside the middleware; `exchange` is undefined if no route matched. */
export function sendProblem(
  reply: FastifyReply,
  response: Response,
  exchange: Exchange | undefined,
): FastifyReply {
  if (exchange) setStatusAndHeaders(reply, response, exchange)
  else reply.code(response.status).headers(response.headers)
  return sendEncoded(reply, new SerializedBody(response.body?.() as string | Buffer, {}))
}

function setStatusAndHeaders(
  reply: FastifyReply,
  { status, headers }: Response,
  exchange: Exchange,
): void {
  reply.code(status).headers(exchange.responseHeaders).headers(headers)
  if (exchange.route.resource.kind === 'document') return
  const notice = exchange.versionNotices.get(exchange.version)
  if (!notice) return
  reply.headers(notice.headers)
  if (notice.link === undefined) return
  const { link } = headers
  reply.header('link', link === undefined ? notice.link : `${link}, ${notice.link}`)
}

/** Sends a body in the preferred content coding of the client (RFC 9110 section 8.4). */
function sendEncoded(reply: FastifyReply, body: SerializedBody): FastifyReply {
  reply.headers(body.headers)
  const { coding, acceptsIdentity } = negotiateContentCoding(
    reply.request.headers['accept-encoding'],
  )
  if (coding === undefined || (acceptsIdentity && body.bytes < minBytes))
    return reply.send(body.text)
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string') reply.header('etag', etagWithCoding(etag, coding))
  reply.header('content-encoding', coding)
  const encoded = body.encode(coding)
  if (Buffer.isBuffer(encoded)) return reply.send(encoded)
  encoded.then(
    (bytes) => reply.send(bytes),
    (error: Error) => reply.removeHeader('content-encoding').send(error),
  )
  return reply
}
