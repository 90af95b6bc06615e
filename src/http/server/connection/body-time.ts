import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '#values/problem.ts'
import type { Timeouts } from './client-errors.ts'

type RawRequest = FastifyRequest['raw']

const timers = new WeakMap<RawRequest, NodeJS.Timeout>()

/**
 * Answers 408/4081 to a request whose body takes too long, and cuts off one that sends its body so slowly
 * after its response. `requestTimeout` of Node would also end uploads that advance.
 */
export function limitBodyTime(app: FastifyInstance, { requestMs }: Timeouts): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    // Most bodies arrive with their header fields and need no timer.
    if (hasBody(raw)) setImmediate(() => startTimer(raw, reply, requestMs))
    done()
  })
}

function startTimer(raw: RawRequest, reply: FastifyReply, requestMs: number): void {
  if (raw.complete || raw.destroyed) return
  const timer = setTimeout(() => rejectSlowBody(raw, reply), requestMs).unref()
  timers.set(raw, timer)
  const clear = () => clearTimeout(timer)
  raw.once('end', clear).once('close', clear)
  // HTTP/1.1 reads the rest of a body after the response.
  const onResponse = () => {
    if (raw.httpVersionMajor === 2 || raw.complete !== false) clear()
  }
  reply.raw.once('finish', onResponse).once('close', onResponse)
}

/** Gives the rest of a body the whole time again. */
export const extendBodyTime = (raw: RawRequest): void => {
  timers.get(raw)?.refresh()
}

/** True for a request whose body has not arrived completely with its header fields. */
export const hasBody = ({ httpVersionMajor, complete, headers }: RawRequest): boolean =>
  httpVersionMajor === 2
    ? !complete
    : headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

function rejectSlowBody(raw: RawRequest, reply: FastifyReply): void {
  if (raw.complete) return
  const isRead = raw.listenerCount('error') > 0 && !reply.raw.headersSent
  if (isRead) {
    if (raw.httpVersionMajor === 1) reply.header('connection', 'close')
    raw.emit('error', problem('4081', 'detail.too_slow'))
  } else if (raw.httpVersionMajor === 1) raw.destroy()
}
