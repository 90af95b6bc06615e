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

/** The beginning of the day (UTC) of an instant. */
export const startOfDay = (instant: Instant): Instant => instant - (instant % dayMs)

/**
 * The beginning of the day (UTC) after an instant: what is said to have changed then has changed
 * since any copy of that day.
 */
export const endOfDay = (instant: Instant): Instant => startOfDay(instant) + dayMs

/** When something changed, as it is kept: of what was an erased user's, the day alone. */
export const changeTimeOf = (
  { user_id }: { readonly user_id: number | null },
  now: Instant,
): Instant => (user_id === null ? endOfDay(now) : now)

/** Writes an instant as ISO 8601 UTC with milliseconds (RFC 3339). */
export const toIsoText = (instant: Instant): string => new Date(instant).toISOString()

/** Writes an instant as an HTTP date, second precision (RFC 9110 5.6.7). */
export const toHttpDate = (instant: Instant): string => new Date(instant).toUTCString()

/** Reads an RFC 3339 text; undefined when it is none or names no real moment. */
export function fromIsoText(text: string): Instant | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(text)) {
    return undefined
  }
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? undefined : instant
}
