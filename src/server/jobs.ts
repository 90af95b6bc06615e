import { forgetArtefacts } from '#auth/oauth/payloads/store.ts'
import { forgetNonces } from '#auth/store.ts'
import type { Db } from '#db/database.ts'
import { forgetExpired } from '#http/pipeline/idempotency/store.ts'
import { forgetEvents } from '#resources/audit-events/store.ts'
import { eraseDue, settleErasures } from '#resources/erasures/actions.ts'
import { forgetConsents } from '#resources/oauth-consents/store.ts'
import { expireOrders } from '#resources/orders/actions.ts'
import { settleUnfinished, type Till } from '#resources/payments/actions.ts'
import { settlementBatch } from '#resources/payments/store.ts'
import { forgetSessions, forgetTokens } from '#resources/sessions/store.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { holdings } from './personal-data.ts'

/** What the jobs report to. */
interface JobLog {
  readonly info: (facts: object, message: string) => void
  readonly error: (facts: object, message: string) => void
}

/** What the jobs are run with. */
interface JobGround extends Errands {
  readonly till: Till
  readonly db: Db
  readonly log: JobLog
}

/** Work that goes on beside the requests. */
export interface Jobs {
  /** Starts no further round and resolves once the one under way is over. */
  readonly stop: () => Promise<void>
}

/** Work that others leave for a round. */
interface Errands {
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
const settleRound = async (till: Till, db: Db) => ({ settled: await settleUnfinished(till, db) })

/** What the database alone is needed for. */
async function tidyRound(till: Till, db: Db, errands: Errands = {}) {
  const { rotateKeys, keyUses, knownNetworks, cleanDigests, auditDays = 400 } = errands
  const { scrub = async () => true } = errands
  const { transaction } = till
  const expired = await transaction((inside) => expireOrders(inside, till.clock()))
  const answers = await forgetExpired(db, till.clock())
  await forgetNonces(db, till.clock())
  const events = await forgetEvents(db, till.clock() - auditDays * dayMs)
  const tokens = await forgetTokens(db, till.clock())
  const sessions = await forgetSessions(db, till.clock())
  const artefacts = await forgetArtefacts(db, till.clock())
  const consents = await forgetConsents(db, till.clock())
  const forgotten = answers + events + tokens + sessions + artefacts + consents
  const erased = await eraseDue(transaction, db, holdings, till.clock())
  await settleErasures(transaction, db, { holdings, scrub }, till.clock())
  await rotateKeys?.()
  await keyUses?.record(db)
  await knownNetworks?.record(db, till.clock())
  const digests = (await cleanDigests?.(db, till.clock())) ?? 0
  return { expired, forgotten, erased, digests }
}

/**
 * One round of everything: settles open payments, cancels orders that were not paid in time, forgets
 * answers, tokens and events whose time is over, erases who wanted to leave, turns signing keys
 * over and writes down the use of API keys and the networks of sign-ins.
 */
export const runJobs = async (till: Till, db: Db, errands: Errands = {}) => ({
  ...(await settleRound(till, db)),
  ...(await tidyRound(till, db, errands)),
})

/**
 * Runs rounds, each a pause after the one before; any number of processes may do so at once. A round that fails is
 * logged, and the next one tries again. Settling has rounds of its own: a payment provider that does not answer holds
 * up nothing else. It begins at once and pauses only when little is left, so that a process that does not live long
 * settles what others left; the rest begins a pause after the start, which has enough to do.
 */
export function startJobs({ till, db, log, ...errands }: JobGround, pauseMs: number): Jobs {
  const loops = [
    repeat(() => settleRound(till, db), log, {
      firstMs: 0,
      nextMs: ({ settled = 0 }) => (settled < settlementBatch ? pauseMs : 0),
    }),
    repeat(() => tidyRound(till, db, errands), log, { firstMs: pauseMs, nextMs: () => pauseMs }),
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
