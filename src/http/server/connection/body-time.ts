import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { secondMs } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { receivedBytes } from './body-budget.ts'
import type { BodyPace, Timeouts } from './client-errors.ts'
import { hasBody } from './has-body.ts'

type RawRequest = FastifyRequest['raw']

const timers = new WeakMap<RawRequest, NodeJS.Timeout>()

/**
 * Answers 408/4081 to a request whose body takes too long or trickles in, and cuts off one that sends its
 * body so slowly after its response. `requestTimeout` of Node would also end uploads that advance.
 */
export function limitBodyTime(app: FastifyInstance, timeouts: Timeouts): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    // Most bodies arrive with their header fields and need no timer.
    if (hasBody(raw)) setImmediate(() => startTimers(raw, reply, timeouts))
    done()
  })
}

function startTimers(
  raw: RawRequest,
  reply: FastifyReply,
  { requestMs, bodyPace }: Pick<Timeouts, 'requestMs' | 'bodyPace'>,
): void {
  if (raw.complete || raw.destroyed) return
  const reject = () => rejectSlowBody(raw, reply)
  const timer = setTimeout(reject, requestMs).unref()
  timers.set(raw, timer)
  const endPace = watchPace(raw, bodyPace, reject)
  const clear = () => {
    clearTimeout(timer)
    endPace()
  }
  raw.once('end', clear).once('close', clear)
  // HTTP/1.1 reads the rest of a body after the response.
  const onResponse = () => {
    if (raw.httpVersionMajor === 2 || raw.complete !== false) clear()
  }
  reply.raw.once('finish', onResponse).once('close', onResponse)
}

/**
 * Calls `reject` once a body arrives more slowly than it may; returns what ends that. While something that
 * has arrived is not read, the client need not send.
 */
export function watchPace(
  body: Pick<RawRequest, 'readableLength'>,
  { bytesPerSecond, graceMs }: BodyPace,
  reject: () => void,
  nowMs = () => performance.now(),
): () => void {
  let startedAtMs = nowMs()
  let timer: NodeJS.Timeout | undefined
  const check = (): void => {
    const now = nowMs()
    if (body.readableLength > 0) startedAtMs = now
    const dueMs = startedAtMs + graceMs + (receivedBytes(body) / bytesPerSecond) * secondMs
    if (now >= dueMs) reject()
    else timer = setTimeout(check, dueMs - now).unref()
  }
  check()
  return () => clearTimeout(timer)
}

/** Gives the rest of a body the whole time again. */
export const extendBodyTime = (raw: RawRequest): void => {
  timers.get(raw)?.refresh()
}

function rejectSlowBody(raw: RawRequest, reply: FastifyReply): void {
  if (raw.complete) return
  const isRead = raw.listenerCount('error') > 0 && !reply.raw.headersSent
  if (isRead) {
    if (raw.httpVersionMajor === 1) reply.header('connection', 'close')
    raw.emit('error', problem('4081', 'detail.too_slow'))
  } else if (raw.httpVersionMajor === 1) raw.destroy()
}
