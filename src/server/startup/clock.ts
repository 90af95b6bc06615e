import { maxApartMs } from '#src/observability/health.ts'
import type { Log } from '#src/observability/log.ts'
import type { Store } from '#store/database.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { readStoredTimes } from './clock-store.ts'

/** No clock is before the first release. */
const firstReleaseAt = Date.UTC(2026, 0, 1)
/** How much later than now a stored time may be: some are rounded to the end of their day. */
const maxAheadMs = dayMs

/**
 * Logs at a start that the clock of this machine cannot be right: it is a day before what was stored last, or
 * differs from that of PostgreSQL.
 */
export async function warnOfClock(
  store: Pick<Store, 'kind' | 'db'>,
  log: Pick<Log, 'warn'>,
  clock: () => Instant,
): Promise<void> {
  const before = clock()
  const { event_at, audit_at, database_at } = await readStoredTimes(store)
  const now = clock()
  const newest = Math.max(firstReleaseAt, event_at ?? 0, audit_at ?? 0)
  const [clockTime, newestTime] = [now, newest].map((time) => new Date(time).toISOString())
  if (newest - now > maxAheadMs || now < firstReleaseAt) {
    log.warn(
      { clock: clockTime, newest: newestTime },
      'the clock of this machine is behind what it has stored: set it right before customers come',
    )
  }
  if (database_at === null) return
  // The time of the answer is that of the database at some moment between the two.
  const apartMs = Math.max(before - database_at, database_at - now, 0)
  if (apartMs > maxApartMs) {
    log.warn(
      { clock: clockTime, apart_ms: apartMs },
      'the clocks of this machine and of PostgreSQL differ: the time of PostgreSQL counts, so set both right',
    )
  }
}
