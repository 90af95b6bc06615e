import type { Store } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { readDatabaseTime } from './clock-store.ts'

const intervalMs = 5000
/** An answer that takes longer says too little. */
const maxAnswerMs = 1000
/** Measurements that differ by less are taken for the same, so that the time does not go back and forth. */
const toleranceMs = 100

/** The time that all processes on a database share: that of the database. */
export interface DatabaseClock {
  readonly now: () => Instant
  /** How far the clock of this machine is ahead of it, in milliseconds. */
  readonly aheadMs: () => number
  readonly stop: () => void
}

/** The clock of this machine, which is that of a database on it. */
const machineClock: DatabaseClock = {
  now: () => Date.now(),
  aheadMs: () => 0,
  stop: () => undefined,
}

/**
 * Measures the time of PostgreSQL now and every five seconds, and goes on from there while it does not answer,
 * whatever happens to the clock of this machine. On SQLite it is that of this machine.
 */
export async function startDatabaseClock(
  store: Pick<Store, 'kind' | 'db'>,
): Promise<DatabaseClock> {
  if (store.kind === 'sqlite') return machineClock
  /** The time of the database when `performance.now()` was 0. */
  let origin: number | undefined
  const measure = async (): Promise<void> => {
    const askedMs = performance.now()
    const time = await readDatabaseTime(store.db)
    const answeredMs = performance.now()
    if (origin !== undefined && answeredMs - askedMs > maxAnswerMs) return
    const measured = time - (askedMs + answeredMs) / 2
    if (origin === undefined || Math.abs(measured - origin) > toleranceMs) origin = measured
  }
  await measure()
  // While the database does not answer, the time goes on.
  const timer = setInterval(() => void measure().catch(() => undefined), intervalMs).unref()
  const now = () => Math.round((origin ?? 0) + performance.now())
  return { now, aheadMs: () => Date.now() - now(), stop: () => clearInterval(timer) }
}
