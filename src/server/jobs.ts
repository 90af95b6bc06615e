import { deleteExpiredPayloads } from '#auth/oauth/payloads/store.ts'
import { deleteExpiredNonces } from '#auth/store.ts'
import type { Db } from '#db/database.ts'
import { deleteExpiredResponses } from '#http/pipeline/idempotency/store.ts'
import { deleteEvents } from '#resources/audit-events/store.ts'
import { eraseDue, settleErasures } from '#resources/erasures/actions.ts'
import { deleteConsentsOf } from '#resources/oauth-consents/store.ts'
import { expireOrders } from '#resources/orders/actions.ts'
import { type PaymentDependencies, settleUnfinished } from '#resources/payments/actions.ts'
import { settlementBatch } from '#resources/payments/store.ts'
import { deleteExpiredSessions, deleteExpiredTokens } from '#resources/sessions/store.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { personalDataDeclarations } from './personal-data.ts'

/** What the jobs report to. */
interface JobLog {
  readonly info: (facts: object, message: string) => void
  readonly error: (facts: object, message: string) => void
}

/** What the jobs are run with. */
interface JobDependencies extends MaintenanceJobs {
  readonly paymentDependencies: PaymentDependencies
  readonly db: Db
  readonly log: JobLog
}

/** Work that goes on beside the requests. */
export interface Jobs {
  /** Starts no further round and resolves once the one under way is over. */
  readonly stop: () => Promise<void>
}

/** Work that others leave for a round. */
interface MaintenanceJobs {
  /** Makes the next signing key where it is time. */
  readonly rotateKeys?: () => Promise<unknown>
  /** What requests have noted that is to be written down. */
  readonly keyUses?: { readonly record: (db: Db) => Promise<number> }
  /** Drops what is kept for algorithms of Digest that are not offered. */
  readonly cleanDigests?: ((db: Db, now: Instant) => Promise<number>) | undefined
  /** The networks that requests have noted, to be recorded. */
  readonly knownNetworks?: { readonly record: (db: Db, now: Instant) => Promise<number> }
  /** Has the database forget the traces of what was removed; false where it cannot now. */
  readonly scrub?: () => Promise<boolean>
  /** For how many days the audit trail is kept. */
  readonly auditDays?: number
}

/** How many times each thing was done in a round. */
type Done = Readonly<Record<string, number>>

/** What is done by asking somebody else, who may take long to answer: settling open payments. */
const settleOnce = async (paymentDependencies: PaymentDependencies, db: Db) => ({
  settled: await settleUnfinished(paymentDependencies, db),
})

/** What the database alone is needed for. */
async function cleanUpOnce(
  paymentDependencies: PaymentDependencies,
  db: Db,
  maintenanceJobs: MaintenanceJobs = {},
) {
  const { rotateKeys, keyUses, knownNetworks, cleanDigests, auditDays = 400 } = maintenanceJobs
  const { scrub = async () => true } = maintenanceJobs
  const { transaction } = paymentDependencies
  const expired = await transaction((inside) => expireOrders(inside, paymentDependencies.clock()))
  const answers = await deleteExpiredResponses(db, paymentDependencies.clock())
  await deleteExpiredNonces(db, paymentDependencies.clock())
  const events = await deleteEvents(db, paymentDependencies.clock() - auditDays * dayMs)
  const tokens = await deleteExpiredTokens(db, paymentDependencies.clock())
  const sessions = await deleteExpiredSessions(db, paymentDependencies.clock())
  const payloads = await deleteExpiredPayloads(db, paymentDependencies.clock())
  const consents = await deleteConsentsOf(db, paymentDependencies.clock())
  const forgotten = answers + events + tokens + sessions + payloads + consents
  const erased = await eraseDue(
    transaction,
    db,
    personalDataDeclarations,
    paymentDependencies.clock(),
  )
  await settleErasures(
    transaction,
    db,
    { personalDataDeclarations, scrub },
    paymentDependencies.clock(),
  )
  await rotateKeys?.()
  await keyUses?.record(db)
  await knownNetworks?.record(db, paymentDependencies.clock())
  const digests = (await cleanDigests?.(db, paymentDependencies.clock())) ?? 0
  return { expired, forgotten, erased, digests }
}

/**
 * One round of everything: settles open payments, cancels orders that were not paid in time, forgets
 * answers, tokens and events whose time is over, erases who wanted to leave, turns signing keys
 * over and writes down the use of API keys and the networks of sign-ins.
 */
export const runJobs = async (
  paymentDependencies: PaymentDependencies,
  db: Db,
  maintenanceJobs: MaintenanceJobs = {},
) => ({
  ...(await settleOnce(paymentDependencies, db)),
  ...(await cleanUpOnce(paymentDependencies, db, maintenanceJobs)),
})

/**
 * Runs rounds, each a pause after the one before; any number of processes may do so at once. A round that fails is
 * logged, and the next one tries again. Settling has rounds of its own: a payment provider that does not answer holds
 * up nothing else. It begins at once and pauses only when little is left, so that a process that does not live long
 * settles what others left; the rest begins a pause after the start, which has enough to do.
 */
export function startJobs(
  { paymentDependencies, db, log, ...maintenanceJobs }: JobDependencies,
  pauseMs: number,
): Jobs {
  const loops = [
    repeat(() => settleOnce(paymentDependencies, db), log, {
      firstMs: 0,
      nextMs: ({ settled = 0 }) => (settled < settlementBatch ? pauseMs : 0),
    }),
    repeat(() => cleanUpOnce(paymentDependencies, db, maintenanceJobs), log, {
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

/** How long before the first round, and after a round in which so much was done. */
interface Pauses {
  readonly firstMs: number
  readonly nextMs: (done: Done) => number
}

function repeat(work: () => Promise<Done>, log: JobLog, { firstMs, nextMs }: Pauses): Jobs {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  const round = async (): Promise<void> => {
    let done: Done = {}
    try {
      done = await work()
      if (Object.values(done).some((count) => count > 0)) log.info(done, 'jobs done')
    } catch (error) {
      log.error({ err: error }, 'jobs failed')
    }
    if (!stopped) rest(nextMs(done))
  }
  const rest = (pauseMs: number): void => {
    timer = setTimeout(() => {
      running = round()
    }, pauseMs)
    timer.unref()
  }
  rest(firstMs)
  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
