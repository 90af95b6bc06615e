import { StoreSilentError } from '#store/errors.ts'
import { withinTimeout } from '#store/within-timeout.ts'
import type { PostgresClient } from './client.ts'

/** How often the connections are looked at, and a silent database is asked. */
const checkIntervalMs = 500
/** A statement that takes longer is no cause for alarm, but one to ask the database on another connection. */
const patienceMs = 1500
/** How long the database has for its answer, a new connection included. */
const probeTimeoutMs = 1500

/** The connections that are looked at, and what happens once the database is silent. */
interface Watched {
  readonly clients: () => Iterable<PostgresClient>
  readonly open: () => PostgresClient
  readonly onSilent: () => void
}

/**
 * Finds out that PostgreSQL is silent, which no error tells: packets are dropped, or its host is gone. When
 * a statement takes long, another connection asks whether the database answers, and whether it works on that
 * statement; if not, the connection is given up. While the database is silent, statements are refused at once.
 */
export class SilenceWatch {
  readonly #watched: Watched
  readonly #timer: NodeJS.Timeout
  #isChecking = false
  #isSilent = false

  constructor(watched: Watched) {
    this.#watched = watched
    this.#timer = setInterval(() => void this.#check(), checkIntervalMs).unref()
  }

  /** Throws an error that `isUnavailable` recognises while the database is silent. */
  assertAnswering(): void {
    if (this.#isSilent) throw new StoreSilentError()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #check(): Promise<void> {
    const late = Array.from(this.#watched.clients()).filter(
      (client) => client.waitedMs() > patienceMs,
    )
    if (this.#isChecking || (late.length === 0 && !this.#isSilent)) return
    this.#isChecking = true
    const probe = this.#watched.open()
    try {
      const idle = await withinTimeout(idleBackends(probe, late), probeTimeoutMs)
      this.#isSilent = false
      for (const client of idle) client.discard()
    } catch {
      // An error of PostgreSQL is an answer, but no statement would fare better.
      this.#isSilent = true
      this.#watched.onSilent()
    } finally {
      this.#isChecking = false
      probe.discard()
    }
  }
}

/** Of connections that wait for an answer, those whose process of PostgreSQL does not work on one. */
async function idleBackends(
  probe: PostgresClient,
  late: readonly PostgresClient[],
): Promise<readonly PostgresClient[]> {
  const { rows } = await probe.query<{ readonly pid: number }>(
    `select pid from pg_stat_activity where state = 'active'`,
    [],
  )
  const active = new Set(rows.map(({ pid }) => pid))
  return late.filter((client) => client.pid !== undefined && !active.has(client.pid))
}
