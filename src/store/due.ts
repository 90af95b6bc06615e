import { type TProperties, Type } from 'typebox'
import type { Instant } from '#values/instant.ts'
import { columnDefault, integer, type Row } from './columns.ts'
import type { Db } from './database.ts'
import type { TableOptions } from './declaration.ts'
import { wantedValues } from './query/statements.ts'
import { type Changes, Table, type Where } from './table.ts'

const queueColumns = {
  /** When the work is due: 0 to come before all other rows, null once none is left. */
  due_at: Type.Union([integer, Type.Null()]),
  /** Until when one process works on the row, after which another may; 0 if none does. */
  leased_until: columnDefault(integer, 0),
} as const

type QueueColumns<C extends TProperties> = C & typeof queueColumns

/** What a queue declares: the columns besides those of every queue, and how long a claim lasts. */
interface QueueOptions<C extends TProperties>
  extends Omit<TableOptions<QueueColumns<C>>, 'columns'> {
  readonly columns: C
  /** Longer than the work on a row takes; after a crash, it is done again. */
  readonly leaseMs: number
}

/** Which due rows to claim. */
interface ClaimRequest<C extends TProperties> {
  readonly now: Instant
  readonly limit: number
  /** Values that the rows have. */
  readonly where?: Where<QueueColumns<C>>
}

/**
 * A table of rows that are worked on when they are due, each by one process at a time. A claimed row has the
 * end of the claim in `leased_until`. What comes of the work is stored where it still has this value, with
 * 0 or a later one.
 */
export class Queue<C extends TProperties> extends Table<QueueColumns<C>> {
  readonly #leaseMs: number

  constructor(name: string, { columns, leaseMs, ...options }: QueueOptions<C>) {
    super(name, { ...options, columns: { ...columns, ...queueColumns } })
    this.#leaseMs = leaseMs
  }

  /** Returns the end of a claim that begins now. */
  leaseFrom(now: Instant): Instant {
    return now + this.#leaseMs
  }

  /** Claims the rows that have been due for longest, and returns them; concurrent processes get different ones. */
  async claim(
    db: Db,
    { now, limit, where = {} }: ClaimRequest<C>,
  ): Promise<Row<QueueColumns<C>>[]> {
    const wanted = this.stored(where)
    const values = { ...wantedValues(wanted), now, limit, leased_until: this.leaseFrom(now) }
    const rows = await this.statements.claim(wanted).all(db, values)
    return rows.map((row) => this.fromDatabase(row))
  }

  /** Returns whether `claim` would find a row. */
  async hasDue(db: Db, now: Instant, where: Where<QueueColumns<C>> = {}): Promise<boolean> {
    const wanted = this.stored(where)
    const values = { ...wantedValues(wanted), now }
    return (await this.statements.anyDue(wanted).first(db, values)) !== undefined
  }
}

/** Declares a queue. */
export const queue = <const C extends TProperties>(
  name: string,
  options: QueueOptions<C>,
): Queue<C> => new Queue(name, options)

/** A row that is due, of a table without leases. */
interface DueRow {
  readonly id: number
  readonly due_at: Instant | null
}

/**
 * Claims a row by moving its time to when it is due again, whatever comes of the work; false if another
 * process was faster.
 */
export const postpone = async <C extends TProperties>(
  db: Db,
  table: Table<C>,
  { id, due_at }: DueRow,
  until: Instant,
): Promise<boolean> => {
  const unmoved = { id, due_at } as unknown as Where<C>
  return (await table.update(db, unmoved, { due_at: until } as unknown as Changes<C>)) === 1
}

/** The part of a pause that is random, so that what fails together is not tried again together. */
const jitter = 0.1

/** A failed attempt that may be tried again. */
interface Retry {
  /** The pause after each failed attempt; without one there is no further attempt. */
  readonly pausesMs: readonly number[]
  /** The number of attempts so far. */
  readonly attempts: number
  readonly now: Instant
}

/**
 * Returns when the next attempt is made, with the pause randomized by ±10 %; undefined after the
 * last one. `random` is from 0 to 1.
 */
export function retryTime({ pausesMs, attempts, now }: Retry, random: number): Instant | undefined {
  const pauseMs = pausesMs[attempts - 1]
  if (pauseMs === undefined) return undefined
  return now + Math.round(pauseMs * (1 - jitter + 2 * jitter * random))
}

/** Work that is repeated until it is stopped. */
export interface Loop {
  /** Begins a round soon, or after the running one. */
  readonly wake: () => void
  /** Begins no further round and resolves once the running one has ended. */
  readonly stop: () => Promise<void>
}

interface LoopOptions {
  /** Does what is due, and resolves to the pause before the next round, in milliseconds. */
  readonly round: () => Promise<number>
  /** Called with the error of a round that failed. */
  readonly report: (error: unknown) => void
  /** The pause before the first round, in milliseconds. */
  readonly firstMs: number
  /** The pause after a round that failed, in milliseconds. */
  readonly pauseMs: number
}

/** Several calls of `wake` within this time lead to one round. */
const wokenMs = 5

/** Starts to repeat a round; its pauses do not keep the process alive. */
export function startLoop({ round, report, firstMs, pauseMs }: LoopOptions): Loop {
  let timer: NodeJS.Timeout | undefined
  let isWoken = false
  let isStopped = false
  let running: Promise<void> | undefined
  const run = async (): Promise<void> => {
    isWoken = false
    let nextMs = pauseMs
    try {
      nextMs = await round()
    } catch (error) {
      report(error)
    }
    running = undefined
    schedule(isWoken ? Math.min(nextMs, wokenMs) : nextMs)
  }
  const schedule = (delayMs: number): void => {
    clearTimeout(timer)
    if (isStopped) return
    timer = setTimeout(() => {
      running = run()
    }, delayMs).unref()
  }
  schedule(firstMs)
  return {
    wake: () => {
      if (!isWoken && !running) schedule(wokenMs)
      isWoken = true
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
