import type { FastifyReply } from 'fastify'
import { minBytesToCompress } from '#http/codec/content-coding/compress.ts'
import { etagWithCoding, negotiateContentCoding } from '#http/codec/content-coding/negotiate.ts'
import type { EventStream } from '#http/declare/event-stream.ts'
import type { AdmittedExchange, Exchange } from '#http/exchange/exchange.ts'
import type { Response } from '#http/exchange/response.ts'
import { SerializedBody, serialize } from './serialize.ts'

/** Sends an event stream. */
type SendStream = (
  reply: FastifyReply,
  stream: EventStream,
  exchange: AdmittedExchange,
) => FastifyReply

/**
 * Sends a download. Throws a problem that occurs before the first text; `setHeaders` is called after it.
 */
export type SendDownload = (
  reply: FastifyReply,
  download: NonNullable<Response['download']>,
  exchange: AdmittedExchange,
  setHeaders: () => void,
) => Promise<FastifyReply>

/** What sends bodies that take long. */
export interface Senders {
  readonly stream: SendStream
  readonly download: SendDownload
}

/** Sends the response of a route; serializes its body unless it is cached. */
export function send(
  reply: FastifyReply,
  response: Response,
  exchange: AdmittedExchange,
  senders: Senders,
): FastifyReply | Promise<FastifyReply> {
  const { stream, download } = response
  const setHeaders = () => setStatusAndHeaders(reply, response, exchange)
  if (download) return senders.download(reply, download, exchange, setHeaders)
  setHeaders()
  if (stream && reply.request.method !== 'HEAD') return senders.stream(reply, stream, exchange)
  if (response.content) return reply.send(response.content)
  if (!response.body) return reply.send()
  const value = response.body()
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
function sendEncoded(reply: FastifyReply, serialized: SerializedBody): FastifyReply {
  reply.headers(serialized.headers)
  const { coding, acceptsIdentity } = negotiateContentCoding(
    reply.request.headers['accept-encoding'],
  )
  if (coding === undefined || (acceptsIdentity && serialized.bytes < minBytesToCompress)) {
    return reply.send(serialized.text)
  }
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string') reply.header('etag', etagWithCoding(etag, coding))
  reply.header('content-encoding', coding)
  const encoded = serialized.encode(coding)
  if (Buffer.isBuffer(encoded)) return reply.send(encoded)
  encoded.then(
    (bytes) => reply.send(bytes),
    (error: Error) => reply.removeHeader('content-encoding').send(error),
  )
  return reply
}
