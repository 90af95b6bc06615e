import type { Instant } from '#values/instant.ts'

/** What the ID of an event is made of. */
export interface EventKey {
  readonly time: Instant
  readonly sequence: number
}

const hexDigits = (value: number, length: number): string =>
  value.toString(16).padStart(length, '0')

/** The third group of the UUID: of an event of the feed, and of a test of a webhook. */
type Group = '7000' | '7001'

function formatId(group: Group, { time, sequence }: EventKey): string {
  const timestamp = hexDigits(time, 12)
  const counter = hexDigits(sequence, 15)
  const groups = [
    timestamp.slice(0, 8),
    timestamp.slice(8),
    group,
    `8${counter.slice(0, 3)}`,
    counter.slice(3),
  ]
  return `evt_${groups.join('-')}`
}

/**
 * Returns the ID of an event: `evt_` and a UUID of version 7 (RFC 9562 section 5.7) whose counter is the
 * sequence number, so that an event is found by its ID without an index.
 */
export const eventId = (key: EventKey): string => formatId('7000', key)

/** Returns the ID of the test that this delivery of a webhook sends; never that of an event. */
export const testEventId = (time: Instant, deliveryId: number): string =>
  formatId('7001', { time, sequence: deliveryId })

const pattern = /^evt_([\da-f]{8})-([\da-f]{4})-(700[01])-8([\da-f]{3})-([\da-f]{12})$/

function parseId(text: string): (EventKey & { readonly group: string }) | undefined {
  const [, high = '', low = '', group = '', upper = '', lower = ''] = pattern.exec(text) ?? []
  const sequence = Number.parseInt(upper + lower, 16)
  if (!Number.isSafeInteger(sequence)) return undefined
  return { time: Number.parseInt(high + low, 16), sequence, group }
}

/** Parses the ID of an event; undefined for a text that is none. */
export function parseEventId(text: string): EventKey | undefined {
  const found = parseId(text)
  return found?.group === '7000' ? { time: found.time, sequence: found.sequence } : undefined
}

/** Parses the ID of a test; undefined for a text that is none. */
export function parseTestEventId(
  text: string,
): { readonly time: Instant; readonly deliveryId: number } | undefined {
  const found = parseId(text)
  return found?.group === '7001' ? { time: found.time, deliveryId: found.sequence } : undefined
}
