import type { QueryResult } from 'kysely'
import type postgres from 'postgres'
import { inTime } from '#values/deadline.ts'
import { readIdentity, type TransactionIdentity } from './commit-outcome.ts'
import { connect, parseAddresses } from './connect.ts'
import { beginInSession, beginWithSettings, sessionSettings } from './session-settings.ts'
import { type ServerAddress, withoutSessionAttributes } from './writable-host.ts'

const closeTimeoutSeconds = 5
/** The statements that are kept prepared on a connection; lists have more forms than any memory holds. */
const maxPrepared = 500

type Sql = ReturnType<typeof connect>
/** What the driver tells of the connection that has answered. */
interface Answer {
  readonly state?: { readonly pid: number }
}

type Parameters = postgres.ParameterOrJSON<never>[]

function toParameter(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (Array.isArray(value)) return JSON.stringify(value)
  return value
}

/** Options of a connection. */
export interface ClientOptions {
  /** The name in `pg_stat_activity`; `cartwright` by default. */
  readonly applicationName?: string
  /**
   * True where a pooler may run each transaction on another connection of the server: nothing is kept
   * there, so that settings are sent with each BEGIN and statements are not prepared.
   */
  readonly isPooled?: boolean
}

/**
 * One connection. Each has a driver client of its own instead of sharing the driver's pool, which
 * does not report a connection lost between two statements of a transaction: the rest must not run
 * on the connection that replaces it.
 */
export class PostgresClient {
  readonly #url: string
  readonly #statementTimeoutMs: number
  readonly #applicationName: string
  readonly #addresses: readonly ServerAddress[]
  #isClosing = false
  #sql: Sql
  /** The number of lost connections; it does not change during a transaction. */
  generation = 0
  /** The number of queries in progress. */
  pending = 0
  /** The process of PostgreSQL that answered last; undefined through a pooler, and before any answer. */
  pid: number | undefined
  /** When a query was answered last, on the clock of `performance.now`. */
  answeredAtMs = 0
  #waitsSinceMs = 0
  #opening: Promise<void> | undefined
  readonly #prepared = new Set<string>()
  /** True while a transaction has the connection. */
  isReserved = false
  /** True once connected: queries go to this connection and no other. */
  isReady = false
  /** Called when the connection is closed for good. */
  onClose: () => void = () => undefined
  readonly isPooled: boolean
  /** The command that begins a transaction. */
  readonly begin: string

  constructor(
    url: string,
    statementTimeoutMs: number,
    { applicationName = 'cartwright', isPooled = false }: ClientOptions = {},
  ) {
    this.#url = withoutSessionAttributes(url)
    this.#statementTimeoutMs = statementTimeoutMs
    this.#applicationName = applicationName
    this.isPooled = isPooled
    this.begin = isPooled ? beginWithSettings(statementTimeoutMs) : beginInSession
    this.#addresses = parseAddresses(url)
    this.#sql = this.#open()
  }

  /** Runs a statement in a transaction of its own. */
  async query<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    if (!this.isPooled) return await this.execute<Row>(sql, parameters)
    // The driver sends them in this order, and a failed statement turns COMMIT into ROLLBACK.
    const [, result] = await Promise.all([
      this.command(this.begin),
      this.execute<Row>(sql, parameters),
      this.command('commit'),
    ])
    return result
  }

  /** Runs a statement, in the transaction that `begin` has begun if there is one. */
  async execute<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const values = parameters.map(toParameter) as Parameters
    const prepare = this.#isPrepared(sql)
    const rows = await this.#track(this.#sql.unsafe(sql, values, { prepare }))
    return { rows: Array.from(rows) as Row[], numAffectedRows: BigInt(rows.count ?? 0) }
  }

  /**
   * True if a pooler answers in place of PostgreSQL: it rejects the settings, or another process of the
   * server runs the statement than the one that accepted the connection.
   */
  async isForwarded(): Promise<boolean> {
    try {
      const rows = await this.#track(this.#sql.unsafe('select pg_backend_pid() as pid'))
      return rows[0]?.['pid'] !== rows.state.pid
    } catch (error) {
      if (error instanceof Error && /unsupported startup parameter/i.test(error.message))
        return true
      throw error
    }
  }

  get isOpening(): boolean {
    return this.#opening !== undefined
  }

  /** Connects, once for all who wait for it. Throws the error of the database. */
  open(): Promise<void> {
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #connect(): Promise<void> {
    try {
      await this.command('select 1')
    } catch (error) {
      // The driver notices the end of a rejected connection only later.
      this.discard()
      throw error
    }
  }

  /** Runs a command without parameters and returns the command tag of the server. */
  async command(sql: string): Promise<string> {
    return (await this.#track(this.#sql.unsafe(sql))).command
  }

  /** Begins a transaction and returns what tells it apart. */
  async beginTransaction(): Promise<TransactionIdentity | undefined> {
    const results = await this.#track(this.#sql.unsafe(`${this.begin};${readIdentity}`))
    return (results as unknown as readonly (readonly TransactionIdentity[])[]).at(-1)?.[0]
  }

  /** Ends the connection, which rejects its queries; the next query opens another. */
  discard(): void {
    const old = this.#sql
    this.generation += 1
    this.isReady = false
    this.pid = undefined
    this.#prepared.clear()
    this.#sql = this.#open()
    void old.end({ timeout: 0 })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.onClose()
    await this.#sql.end({ timeout: closeTimeoutSeconds })
  }

  #open(): Sql {
    const sql = connect({
      url: this.#url,
      addresses: this.#addresses,
      applicationName: this.#applicationName,
      settings: this.isPooled ? {} : sessionSettings(this.#statementTimeoutMs),
      onLost: () => {
        if (this.#sql === sql && !this.#isClosing) this.discard()
      },
    })
    return sql
  }

  /** For how long queries have waited for an answer, in milliseconds; 0 if there are none. */
  waitedMs(): number {
    return this.pending === 0 ? 0 : performance.now() - this.#waitsSinceMs
  }

  /** True for a statement that the connection keeps prepared. */
  #isPrepared(sql: string): boolean {
    if (this.isPooled) return false
    if (this.#prepared.size < maxPrepared) this.#prepared.add(sql)
    return this.#prepared.has(sql)
  }

  /**
   * Runs a query until the deadline of its request. After it, nobody waits for the connection of a transaction,
   * or for one without other queries: PostgreSQL rolls back, and looks once a second whether its client is gone.
   */
  async #track<T extends Answer>(query: PromiseLike<T>): Promise<T> {
    const giveUp = (): void => {
      if (this.isReserved || this.pending === 1) this.discard()
    }
    return await inTime(() => this.#measure(query), giveUp)
  }

  async #measure<T extends Answer>(query: PromiseLike<T>): Promise<T> {
    const { generation } = this
    if (this.pending === 0) this.#waitsSinceMs = performance.now()
    this.pending += 1
    try {
      const result = await query
      if (generation === this.generation) this.#noteAnswer(result.state?.pid)
      return result
    } finally {
      this.pending -= 1
      this.#waitsSinceMs = performance.now()
    }
  }

  #noteAnswer(pid: number | undefined): void {
    this.isReady = true
    this.answeredAtMs = performance.now()
    if (!this.isPooled) this.pid = pid
  }
}
