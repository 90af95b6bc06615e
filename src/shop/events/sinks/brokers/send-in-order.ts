import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { CloudEvent } from '#shop/events/cloud-event.ts'
import type { Sent } from './broker.ts'

/** The number of events that are written in one turn of the event loop. */
const burst = 20

/** The broker is so slow that an event is left to the next batch. */
class LeftError extends Error {}

/**
 * Sends events at the same time, but those of one subject one after the other: a broker that refuses one, and
 * accepts a later one, must not change their order. What has not begun after `limitMs` is left.
 */
export async function sendInOrder(
  events: readonly CloudEvent[],
  limitMs: number,
  sendOne: (event: CloudEvent) => Promise<unknown>,
): Promise<Sent> {
  const endsAt = performance.now() + limitMs
  const latest = new Map<string, Promise<unknown>>()
  const all: Promise<unknown>[] = []
  for (const [at, event] of events.entries()) {
    if (at % burst === burst - 1) await yieldToOthers()
    const before = latest.get(event.subject) ?? Promise.resolve()
    const sent = before.then(() => {
      if (performance.now() > endsAt) throw new LeftError()
      return sendOne(event)
    })
    // It is awaited below, and may fail before.
    sent.catch(() => undefined)
    latest.set(event.subject, sent)
    all.push(sent)
  }
  const ends = await Promise.allSettled(all)
  const failed = ends.findIndex(({ status }) => status === 'rejected')
  const end = ends[failed]
  if (end?.status !== 'rejected') return { confirmed: events.length }
  return end.reason instanceof LeftError
    ? { confirmed: failed }
    : { confirmed: failed, error: end.reason }
}
