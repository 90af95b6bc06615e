import type { FastifyReply } from 'fastify'
import type { Answer, Exchange } from './exchange.ts'

/** Writes an answer to the wire; the body is made here and nowhere earlier. */
export function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  // A path that leads nowhere has no exchange, whatever the declaration says.
  const exchange = reply.request.exchange as Exchange | undefined
  if (exchange?.headers) reply.headers(exchange.headers)
  reply.code(status).headers(headers)
  if (!body) return reply.send()
  const value = body()
  if (typeof value === 'string' || Buffer.isBuffer(value)) return reply.send(value)
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(value))
}
