/** A point in time as integer milliseconds since 1970-01-01 UTC. */
export type Instant = number

/** A second in milliseconds. */
export const secondMs = 1000
/** A minute in milliseconds. */
export const minuteMs = 60 * secondMs
/** An hour in milliseconds. */
export const hourMs = 60 * minuteMs
/** A day in milliseconds. */
export const dayMs = 24 * hourMs

/** The start of the UTC day of an instant. */
export const startOfDay = (instant: Instant): Instant => instant - (instant % dayMs)

/**
 * The start of the UTC day after an instant: as a modification time, it is later than any copy made
 * on the day of the instant.
 */
export const endOfDay = (instant: Instant): Instant => startOfDay(instant) + dayMs

/** The time to store for a change: `now`, or the end of its day for a row of an erased user. */
export const storedChangeTime = (
  { user_id }: { readonly user_id: number | null },
  now: Instant,
): Instant => (user_id === null ? endOfDay(now) : now)

/** Formats an instant as ISO 8601 in UTC with milliseconds (RFC 3339). */
export const toIsoText = (instant: Instant): string => new Date(instant).toISOString()

/** Formats an instant as an HTTP date, with second precision (RFC 9110 section 5.6.7). */
export const toHttpDate = (instant: Instant): string => new Date(instant).toUTCString()

/** Parses an RFC 3339 date and time; undefined if it is malformed or does not exist. */
export function fromIsoText(text: string): Instant | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(text)) {
    return undefined
  }
  // Date.parse takes 30 February for 2 March.
  const day = text.slice(0, 10)
  const start = Date.parse(day)
  if (Number.isNaN(start) || !toIsoText(start).startsWith(day)) return undefined
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? undefined : instant
}
