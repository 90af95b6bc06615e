import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { EventStream, ServerSentEvent } from '#http/declare/event-stream.ts'
import type { AdmittedExchange } from '#http/exchange/exchange.ts'
import { callerKey } from '#http/rate-limit/counters.ts'
import { secondMs } from '#values/instant.ts'
import { createOpenResponses, type OpenResponseLimits } from './open-responses.ts'

/** The limits of event streams. */
export interface EventStreamLimits extends OpenResponseLimits {
  /** How often a comment is sent, in milliseconds. */
  readonly heartbeatMs: number
}

/** The default limits of event streams. */
const defaultEventStreamLimits: EventStreamLimits = {
  heartbeatMs: 15 * secondMs,
  stalledMs: 30 * secondMs,
  perCaller: 10,
  total: 200,
}

/** How long a client waits before it connects again. */
const retryMs = 2 * secondMs

/** The open event streams of a server. */
export interface EventStreams {
  /**
   * Sends a stream until its client disconnects, its caller is no longer admitted, or the server stops.
   * Throws 429/4291 for too many streams of the caller and 503/5031 for too many at all.
   */
  readonly send: (
    reply: FastifyReply,
    stream: EventStream,
    exchange: AdmittedExchange,
  ) => FastifyReply
  /** Ends all streams and accepts no further ones. */
  readonly end: () => void
}

/** Creates the registry; `isAdmitted` returns whether the caller of an exchange still is. */
export function createEventStreams(
  isAdmitted: (exchange: AdmittedExchange) => Promise<boolean>,
  limits: EventStreamLimits = defaultEventStreamLimits,
): EventStreams {
  const open = createOpenResponses(limits)
  return {
    send: (reply, stream, exchange) => {
      const controller = new AbortController()
      const end = () => controller.abort()
      const message = 'detail.stream_limit'
      const holder = { key: callerKey(exchange), limit: limits.perCaller, message } as const
      open.add(reply.raw, { holders: [holder], end })
      reply.raw.once('close', end)
      const text = write(stream, controller.signal, limits.heartbeatMs, () => isAdmitted(exchange))
      return reply.send(Readable.from(text, { objectMode: false }))
    },
    end: open.end,
  }
}

const format = ({ id, event, data }: ServerSentEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`

/**
 * The text of a stream, in which a comment and, if it has changed, the ID are sent at intervals.
 * The caller is checked before anything is sent.
 */
async function* write(
  stream: EventStream,
  signal: AbortSignal,
  heartbeatMs: number,
  isAdmitted: () => Promise<boolean>,
): AsyncGenerator<string> {
  let sentId = stream.lastId()
  yield `retry: ${retryMs}\n${sentId === undefined ? '' : `id: ${sentId}\n`}\n`
  const batches = stream.read(signal)[Symbol.asyncIterator]()
  let beatAt = performance.now() + heartbeatMs
  let next = batches.next()
  while (!signal.aborted) {
    const found = await before(next, beatAt - performance.now())
    if (found?.done) return
    if (found) {
      const { value: events } = found
      if (events.length > 0) {
        if (!(await isAdmitted())) return
        yield events.map(format).join('')
      }
      sentId = events.at(-1)?.id ?? sentId
      next = batches.next()
    }
    if (performance.now() < beatAt) continue
    beatAt = performance.now() + heartbeatMs
    if (!(await isAdmitted())) return
    const id = stream.lastId()
    yield id === sentId ? ':\n\n' : `:\nid: ${id}\n\n`
    sentId = id
  }
}

/** The result of a promise; undefined if it takes longer than a delay. */
async function before<T>(promise: Promise<T>, delayMs: number): Promise<T | undefined> {
  const timer = new AbortController()
  const late = sleep(Math.max(delayMs, 0), undefined, { signal: timer.signal, ref: false })
  try {
    return await Promise.race([promise, late])
  } finally {
    late.catch(() => undefined)
    timer.abort()
  }
}
