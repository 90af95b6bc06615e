import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { StoreSilentError } from '#store/errors.ts'
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
  /** Asks on a connection of its own, which is open only while statements take long. */
  readonly probe: PostgresClient
  readonly onSilent: () => void
}

/**
 * Finds out that PostgreSQL is silent, which no error tells: packets are dropped, or its host is gone. When
 * a statement takes long, another connection asks whether PostgreSQL works on it; if not, and no answer follows,
 * its connection is given up. If there is no answer on any connection, all are, and statements are refused until there is one.
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

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#watched.probe.close()
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return
    const { clients, probe } = this.#watched
    const late = Array.from(clients()).filter((client) => client.waitedMs() > patienceMs)
    if (late.length === 0 && !this.#isSilent) {
      if (probe.isReady) probe.discard()
      return
    }
    this.#isChecking = true
    try {
      await this.#ask(late)
    } finally {
      this.#isChecking = false
    }
  }

  async #ask(late: readonly PostgresClient[]): Promise<void> {
    const { probe, onSilent } = this.#watched
    const askedAtMs = performance.now()
    // An error of PostgreSQL is an answer, too.
    const asked = idleBackends(probe, late).catch(() => [])
    const idle = await Promise.race([asked, sleep(probeTimeoutMs, undefined, { ref: false })])
    // After a turn in which the event loop was busy, the answer may be there, but not yet read.
    if (idle === undefined) await nextTurn()
    this.#isSilent = idle === undefined && !this.#hasAnswered(askedAtMs)
    if (idle === undefined) probe.discard()
    if (this.#isSilent) onSilent()
    if (!idle?.length) return
    // PostgreSQL may just have answered.
    await sleep(checkIntervalMs, undefined, { ref: false })
    for (const client of idle) if (client.answeredAtMs < askedAtMs) client.discard()
  }

  /** True if there was an answer on any connection: the database is slow, but not silent. */
  #hasAnswered(sinceMs: number): boolean {
    const clients = [this.#watched.probe, ...this.#watched.clients()]
    return clients.some(({ answeredAtMs }) => answeredAtMs > sinceMs)
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
