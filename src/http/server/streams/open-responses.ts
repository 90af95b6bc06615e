import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMessage } from '#i18n/message.ts'
import { Problem, unavailableProblem } from '#values/problem.ts'

const retryAfterSeconds = 30

/** The limits of responses that take long to send. */
export interface OpenResponseLimits {
  /** How long a client may leave data unread before it is disconnected, in milliseconds. */
  readonly stalledMs: number
  readonly perCaller: number
  /** How many may be open in this process. */
  readonly total: number
}

/** A caller or a network of which only some responses may be open. */
export interface Holder {
  readonly key: string
  readonly limit: number
  /** The sentence for too many of its responses. */
  readonly message: 'detail.stream_limit' | 'detail.export_limit' | 'detail.network_export_limit'
}

/** A response that is being sent. */
interface OpenResponse {
  readonly holders: readonly Holder[]
  /** Ends it because the server stops, or in favour of another one. */
  readonly end: () => void
  /** True while it is read so slowly that it gives way to another one that finds no room. */
  readonly givesWay?: () => boolean
}

/** The open responses of a server. */
export interface OpenResponses {
  /**
   * Counts a response until it is closed, and disconnects a client that stops reading. Throws 429/4291
   * for too many of one holder, and 503/5031 for more than `total` at all of which none gives way.
   */
  readonly add: (response: ServerResponse, open: OpenResponse, total?: number) => void
  /** Ends all responses and accepts no further ones. */
  readonly end: () => void
}

/** Creates the registry. */
export function createOpenResponses(
  limits: Pick<OpenResponseLimits, 'stalledMs' | 'total'>,
): OpenResponses {
  const all = new Set<OpenResponse>()
  let isEnded = false
  const requireRoom = (holders: readonly Holder[], total: number): void => {
    const held = [...all].flatMap((each) => each.holders.map(({ key }) => key))
    for (const { key, limit, message } of holders) {
      if (held.filter((each) => each === key).length < limit) continue
      const headers = { 'retry-after': String(retryAfterSeconds) }
      throw new Problem('4291', createMessage(message, { limit }), { headers })
    }
    if (!isEnded && all.size < total) return
    const slow = isEnded ? undefined : [...all].find(({ givesWay }) => givesWay?.())
    if (!slow) throw unavailableProblem('detail.overloaded', retryAfterSeconds)
    all.delete(slow)
    slow.end()
  }
  return {
    add: (response, open, total = limits.total) => {
      requireRoom(open.holders, total)
      if (isClosed(response)) return
      const closed = new AbortController()
      all.add(open)
      response.once('close', () => {
        all.delete(open)
        closed.abort()
      })
      void disconnectStalled(response, closed.signal, limits.stalledMs)
    },
    end: () => {
      isEnded = true
      for (const { end } of all) end()
    },
  }
}

/** What a response is written to; one of HTTP/2 has a stream. */
const writableOf = (response: ServerResponse): Writable =>
  'stream' in response ? (response.stream as Writable) : response

/** True once the client has disconnected. */
export const isClosed = (response: ServerResponse): boolean => writableOf(response).destroyed

/** Disconnects a client that leaves what was sent unread. */
async function disconnectStalled(
  response: ServerResponse,
  signal: AbortSignal,
  stalledMs: number,
): Promise<void> {
  const writable = writableOf(response)
  while (!signal.aborted) {
    await sleep(stalledMs / 4, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted || !writable.writableNeedDrain) continue
    const drained = once(writable, 'drain', { signal }).then(
      () => true,
      () => true,
    )
    const isDrained = await Promise.race([drained, sleep(stalledMs, false, { ref: false })])
    if (!isDrained) response.destroy()
  }
}
