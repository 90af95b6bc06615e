import { expireOrders } from '#resources/orders/acts.ts'
import { settleUnfinished, type Till } from '#resources/payments/acts.ts'
import type { Db } from '#store/database.ts'
import { forgetExpired } from '#store/idempotency.ts'

/** What the jobs report to. */
interface JobLog {
  readonly info: (facts: object, message: string) => void
  readonly error: (facts: object, message: string) => void
}

/** Work that goes on beside the requests. */
export interface Jobs {
  /** Starts no further round and resolves once the one under way is over. */
  readonly stop: () => Promise<void>
}

/** How many times something was done in a round. */
interface Done {
  readonly expired: number
  readonly settled: number
  readonly forgotten: number
}

/**
 * One round of everything: settles open payments, cancels orders that were not paid in time, and
 * forgets answers that nobody may ask for any longer.
 */
export async function runJobs(till: Till, db: Db): Promise<Done> {
  const settled = await settleUnfinished(till, db)
  const expired = await till.transaction((inside) => expireOrders(inside, till.clock()))
  const forgotten = await forgetExpired(db, till.clock())
  return { expired, settled, forgotten }
}

/**
 * Runs a round now and then one after every pause; any number of processes may do so at once. A
 * round that fails is logged, and the next one tries again.
 */
export function startJobs(till: Till, db: Db, log: JobLog, pauseMs: number): Jobs {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const round = async (): Promise<void> => {
    try {
      const done = await runJobs(till, db)
      if (done.expired + done.settled + done.forgotten > 0) log.info(done, 'jobs done')
    } catch (error) {
      log.error({ err: error }, 'jobs failed')
    }
    if (stopped) return
    timer = setTimeout(() => {
      running = round()
    }, pauseMs)
    timer.unref()
  }
  let running = round()
  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
