import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { newId } from './intents.ts'

/** An event as the API shows it. */
export interface DoubleEvent {
  readonly id: string
  readonly object: 'event'
  readonly type: string
  readonly created: number
  readonly data: { readonly object: object }
}

/** How events are sent: never, once, twice, before the request is answered, or newest first on `flush`. */
export type Delivery = 'none' | 'once' | 'twice' | 'early' | 'reversed'

/** The events, and who receives them. */
export interface Events {
  delivery: Delivery
  /** The webhook endpoint. */
  target: string | undefined
  readonly all: () => readonly DoubleEvent[]
  readonly emit: (type: string, object: object) => void
  /** Sends what waits to be sent before an answer. */
  readonly beforeAnswer: () => Promise<void>
  /** Sends the events that are held back, newest first. */
  readonly flush: () => Promise<void>
  /** Signs an event as Stripe does. */
  readonly sign: (payload: string, secret?: string, at?: number) => string
  /** Resolves once nothing is being sent. */
  readonly idle: () => Promise<void>
  readonly close: () => void
}

const maxAttempts = 40
const pauseMs = 100

/** Returns events that are signed with `secret` at the time of `now`, in milliseconds. */
export function createEvents(secret: string, now: () => number): Events {
  const all: DoubleEvent[] = []
  const held: DoubleEvent[] = []
  const sending = new Set<Promise<void>>()
  let isClosed = false
  const sign = (payload: string, key = secret, at = now()) =>
    Stripe.webhooks.generateTestHeaderString({
      ...{ payload, secret: key, timestamp: Math.floor(at / 1000) },
    })
  const attempt = async (payload: string): Promise<boolean> => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': sign(payload) }
    const request = { method: 'POST', headers, body: payload }
    const answer = await fetch(events.target ?? '', request).catch(() => undefined)
    await answer?.body?.cancel()
    return answer?.status === 200
  }
  const send = async (event: DoubleEvent): Promise<void> => {
    const payload = JSON.stringify(event)
    for (let turn = 0; turn < maxAttempts && !isClosed; turn += 1) {
      if (await attempt(payload)) return
      await sleep(pauseMs)
    }
  }
  const start = (event: DoubleEvent) => {
    const sent = send(event)
    sending.add(sent)
    sent.finally(() => sending.delete(sent)).catch(() => undefined)
  }
  const events: Events = {
    delivery: 'none',
    target: undefined,
    all: () => all,
    sign,
    emit: (type, object) => {
      const event: DoubleEvent = {
        ...{ id: newId('evt'), object: 'event', type, created: Math.floor(now() / 1000) },
        data: { object: structuredClone(object) },
      }
      all.push(event)
      if (events.target === undefined || events.delivery === 'none') return
      if (events.delivery === 'early' || events.delivery === 'reversed') held.push(event)
      else for (let turn = events.delivery === 'twice' ? 2 : 1; turn > 0; turn -= 1) start(event)
    },
    beforeAnswer: async () => {
      if (events.delivery === 'early')
        for (const event of held.splice(0)) await attempt(JSON.stringify(event))
    },
    flush: async () => {
      for (const event of held.splice(0).toReversed()) await send(event)
    },
    idle: async () => {
      while (sending.size > 0) await Promise.all(sending)
    },
    close: () => {
      isClosed = true
    },
  }
  return events
}
