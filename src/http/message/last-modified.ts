import { type Instant, secondMs } from '#values/instant.ts'

/** The modification date of a state, in whole seconds (RFC 9110 8.8.2). */
export interface LastModified {
  /** The value of Last-Modified; never later than now. */
  readonly date: Instant
  /** A copy with this date or a later one is fresh; undefined if no date proves that. */
  readonly freshSince?: Instant
}

/** The start of the second of an instant. */
const toSecond = (instant: Instant): Instant => Math.floor(instant / secondMs) * secondMs

/**
 * Returns the date of an entity from the times of its changes, its creation first. A date sent
 * before a change never makes that copy look fresh, even if both fall into the same second.
 */
export function lastModifiedOf(changedAt: readonly Instant[], now: Instant): LastModified {
  const [created] = changedAt
  const latest = Math.max(...changedAt)
  const second = toSecond(latest)
  const thisSecond = toSecond(now)
  // Two changes in the same second: a copy from between them may exist.
  if (changedAt.some((moment) => moment >= second && moment !== latest)) {
    const next = second + secondMs
    return { date: Math.min(next, thisSecond), freshSince: next }
  }
  // Until the second of a change is over, another may follow. No copy predates the creation.
  const isFinal = latest === created || thisSecond > second
  const date = isFinal ? second : second - secondMs
  return { date: Math.min(date, thisSecond), freshSince: second }
}

/** Milliseconds until the date of a state may change: the end of the second, or infinity. */
export const ttlOf = (lastModified: LastModified | undefined, now: Instant): number =>
  lastModified === undefined || lastModified.date === lastModified.freshSince
    ? Number.POSITIVE_INFINITY
    : toSecond(now) + secondMs - now

/**
 * The date of an entity with others embedded. It proves no copy fresh: one of them may be deleted.
 */
export const lastModifiedWithEmbedded = (
  changedAt: readonly Instant[],
  now: Instant,
): Pick<LastModified, 'date'> => ({ date: lastModifiedOf(changedAt, now).date })
