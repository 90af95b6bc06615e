import { deleteExpiredPayloads } from '#auth/oauth/payloads/store.ts'
import { deleteExpiredNonces } from '#auth/store.ts'
import type { Db } from '#db/database.ts'
import { deleteExpiredResponses } from '#http/pipeline/idempotency/store.ts'
import { deleteEventsBefore } from '#resources/audit-events/store.ts'
import { eraseDueUsers, settleErasures } from '#resources/erasures/actions.ts'
import { deleteExpiredConsents } from '#resources/oauth-consents/store.ts'
import { expireOrders } from '#resources/orders/actions.ts'
import { type PaymentDependencies, settleUnfinished } from '#resources/payments/actions.ts'
import { settlementBatchSize } from '#resources/payments/store.ts'
import { deleteExpiredSessions, deleteExpiredTokens } from '#resources/sessions/store.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { personalDataDeclarations } from './personal-data.ts'

/** The part of the logger that the jobs use. */
interface JobLog {
  readonly info: (facts: object, message: string) => void
  readonly error: (facts: object, message: string) => void
}

interface JobDependencies extends MaintenanceJobs {
  readonly paymentDependencies: PaymentDependencies
  readonly db: Db
  readonly log: JobLog
}

/** Background jobs of a process. */
export interface Jobs {
  /** Starts no further round and resolves once the running one has ended. */
  readonly stop: () => Promise<void>
}

/** Optional work of a cleanup round. */
interface MaintenanceJobs {
  /** Creates the next OAuth signing key when it is due. */
  readonly rotateKeys?: () => Promise<unknown>
  /** The last uses of API keys that are not stored yet. */
  readonly keyUses?: { readonly record: (db: Db) => Promise<number> }
  /** Deletes the stored hashes of disabled Digest algorithms; resolves to their number. */
  readonly cleanDigests?: ((db: Db, now: Instant) => Promise<number>) | undefined
  /** The networks of sign-ins that are not stored yet. */
  readonly knownNetworks?: { readonly record: (db: Db, now: Instant) => Promise<number> }
  /** Removes traces of deleted rows from the database files; false when it must be retried. */
  readonly purgeDeletedRows?: () => Promise<boolean>
  /** Retention of audit events, in days; 400 by default. */
  readonly auditDays?: number
}

/** The number of processed entries by kind of work. */
type JobCounts = Readonly<Record<string, number>>

const settlePayments = async (paymentDependencies: PaymentDependencies, db: Db) => ({
  settled: await settleUnfinished(paymentDependencies, db),
})

async function cleanUp(
  paymentDependencies: PaymentDependencies,
  db: Db,
  maintenanceJobs: MaintenanceJobs = {},
) {
  const { rotateKeys, keyUses, knownNetworks, cleanDigests, auditDays = 400 } = maintenanceJobs
  const { purgeDeletedRows = async () => true } = maintenanceJobs
  const { transaction } = paymentDependencies
  const expired = await transaction((transactionDb) =>
    expireOrders(transactionDb, paymentDependencies.clock()),
  )
  const answers = await deleteExpiredResponses(db, paymentDependencies.clock())
  await deleteExpiredNonces(db, paymentDependencies.clock())
  const events = await deleteEventsBefore(db, paymentDependencies.clock() - auditDays * dayMs)
  const tokens = await deleteExpiredTokens(db, paymentDependencies.clock())
  const sessions = await deleteExpiredSessions(db, paymentDependencies.clock())
  const payloads = await deleteExpiredPayloads(db, paymentDependencies.clock())
  const consents = await deleteExpiredConsents(db, paymentDependencies.clock())
  const forgotten = answers + events + tokens + sessions + payloads + consents
  const erased = await eraseDueUsers(
    transaction,
    db,
    personalDataDeclarations,
    paymentDependencies.clock(),
  )
  await settleErasures(
    transaction,
    db,
    { personalDataDeclarations, purgeDeletedRows },
    paymentDependencies.clock(),
  )
  await rotateKeys?.()
  await keyUses?.record(db)
  await knownNetworks?.record(db, paymentDependencies.clock())
  const digests = (await cleanDigests?.(db, paymentDependencies.clock())) ?? 0
  return { expired, forgotten, erased, digests }
}

/**
 * Runs every job once: settles open payments, cancels orders that were not paid in time, deletes
 * expired responses, tokens, sessions and audit events, erases users whose grace period has ended,
 * rotates signing keys, and stores the last uses of API keys and the networks of sign-ins.
 */
export const runJobs = async (
  paymentDependencies: PaymentDependencies,
  db: Db,
  maintenanceJobs: MaintenanceJobs = {},
) => ({
  ...(await settlePayments(paymentDependencies, db)),
  ...(await cleanUp(paymentDependencies, db, maintenanceJobs)),
})

/**
 * Runs the jobs in rounds with `pauseMs` between them; several processes may do so concurrently. A
 * failed round is logged and the next one retries. Payments are settled in separate rounds, so that a
 * slow payment provider delays nothing else. They start at once and continue without a pause while a
 * full batch was settled, so that short-lived processes make progress too. Cleanup starts after the
 * first pause, to keep the start fast.
 */
export function startJobs(
  { paymentDependencies, db, log, ...maintenanceJobs }: JobDependencies,
  pauseMs: number,
): Jobs {
  const loops = [
    repeat(() => settlePayments(paymentDependencies, db), log, {
      firstMs: 0,
      nextMs: ({ settled = 0 }) => (settled < settlementBatchSize ? pauseMs : 0),
    }),
    repeat(() => cleanUp(paymentDependencies, db, maintenanceJobs), log, {
      firstMs: pauseMs,
      nextMs: () => pauseMs,
    }),
  ]
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

interface Pauses {
  readonly firstMs: number
  readonly nextMs: (done: JobCounts) => number
}

function repeat(work: () => Promise<JobCounts>, log: JobLog, { firstMs, nextMs }: Pauses): Jobs {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  const runRound = async (): Promise<void> => {
    let done: JobCounts = {}
    try {
      done = await work()
      if (Object.values(done).some((count) => count > 0)) log.info(done, 'jobs done')
    } catch (error) {
      log.error({ err: error }, 'jobs failed')
    }
    if (!isStopped) schedule(nextMs(done))
  }
  const schedule = (pauseMs: number): void => {
    timer = setTimeout(() => {
      running = runRound()
    }, pauseMs)
    timer.unref()
  }
  schedule(firstMs)
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
