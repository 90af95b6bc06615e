import { type Instant, secondMs } from '#values/instant.ts'

/** When a state was reached, as dates of whole seconds can tell it (RFC 9110 8.8.2). */
export interface LastModified {
  /** What is told; never later than now. */
  readonly told: Instant
  /** A copy of this date or a later one is still good; undefined where no date says so. */
  readonly goodSince?: Instant
}

/** The beginning of the second of an instant. */
const toSecond = (instant: Instant): Instant => Math.floor(instant / secondMs) * secondMs

/**
 * The date of a state by the moments at which its thing is known to have changed, its creation
 * first. No date that was told before a change makes a copy from before it look good, although
 * both may fall into the same second.
 */
export function lastModifiedOf(changedAt: readonly Instant[], now: Instant): LastModified {
  const [created] = changedAt
  const latest = Math.max(...changedAt)
  const second = toSecond(latest)
  const thisSecond = toSecond(now)
  // There may be copies from between the two changes.
  if (changedAt.some((moment) => moment >= second && moment !== latest)) {
    const next = second + secondMs
    return { told: Math.min(next, thisSecond), goodSince: next }
  }
  // Before its creation there was nothing to copy; before another change there was, and one more
  // may come until the second is over.
  const isOver = latest === created || thisSecond > second
  const told = isOver ? second : second - secondMs
  return { told: Math.min(told, thisSecond), goodSince: second }
}

/** For how many milliseconds the date of a state stays the same: for good, or till the second is over. */
export const ttlOf = (date: LastModified | undefined, now: Instant): number =>
  date === undefined || date.told === date.goodSince
    ? Number.POSITIVE_INFINITY
    : toSecond(now) + secondMs - now

/** The date of a state with others embedded: told only, for one of them may also go away. */
export const lastModifiedWith = (
  changedAt: readonly Instant[],
  now: Instant,
): Pick<LastModified, 'told'> => ({ told: lastModifiedOf(changedAt, now).told })
