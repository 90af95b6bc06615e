import { eraseDueUsers, erasureBatchSize, finishErasures } from '#shop/accounts/erasures/actions.ts'
import { auditEvents } from '#shop/audit/table.ts'
import { removalBatchSize } from '#shop/catalogue/images/file-store.ts'
import { removeUnusedFiles } from '#shop/catalogue/images/files.ts'
import { abandonmentBatchSize } from '#shop/checkout/carts/abandonment.ts'
import { deleteEventsBefore, publishEvents } from '#shop/events/feed-store.ts'
import { deleteUnusedParts } from '#shop/imports/part-store.ts'
import { deleteOperationsBefore } from '#shop/imports/store.ts'
import { mails } from '#shop/messages/mails/table.ts'
import { webhookDeliveries } from '#shop/messages/webhooks/delivery/table.ts'
import { continueJoins } from '#shop/orders/guest-orders/join.ts'
import { eraseDueGuests, guestBatchSize } from '#shop/orders/guest-orders/sweep.ts'
import { expireOrders, expiryBatchSize } from '#shop/orders/orders/expiry.ts'
import type { PaymentParts } from '#shop/orders/payments/parts.ts'
import { settleUnfinished } from '#shop/orders/payments/settlement/unfinished.ts'
import { settlementBatchSize } from '#shop/orders/payments/store.ts'
import { refundBatchSize } from '#shop/orders/refunds/store.ts'
import { settleUnfinishedRefunds } from '#shop/orders/refunds/unfinished.ts'
import { indexOrders } from '#shop/orders/search/index-orders.ts'
import type { FileStorage } from '#src/files/storage.ts'
import type { Db } from '#store/database.ts'
import { type Loop, startLoop } from '#store/due.ts'
import { deletionBatchSize } from '#store/query/deletion-batch.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { type BackgroundPace, createBackgroundPace } from './background-pace.ts'
import { personalDataDeclarations } from './personal-data.ts'
import type { Mailer } from './startup/mail.ts'
import { expiringTables } from './tables.ts'

/** The part of the logger that the jobs use. */
interface JobLog {
  readonly info: (facts: object, message: string) => void
  readonly error: (facts: object, message: string) => void
}

interface JobParts extends PaymentParts, MaintenanceJobs {
  readonly db: Db
  readonly mailer?: Mailer
  /** Starts the imports that no process works on. */
  readonly runImports?: (db: Db) => Promise<Round>
  readonly storage?: FileStorage
  readonly log: JobLog
  /** Called at the start of a job and after each round that succeeded. */
  readonly observeJob?: (job: JobName) => void
}

type JobName = 'payments' | 'cleanup' | 'imports' | 'search' | 'mails' | 'files'

/** Background jobs of a process. */
export type Jobs = Pick<Loop, 'stop'>

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
  /** Records which carts were abandoned; returns how many carts it looked at. */
  readonly recordAbandonedCarts?: (transactionDb: Db, now: Instant) => Promise<number>
  /** Retention of audit events, in days; 400 by default. */
  readonly auditDays?: number
  /** Retention of the events of the feed and of their deliveries, in days; 30 by default. */
  readonly eventDays?: number
}

/** Cleanup and search take at most a fifth of the time of the database each while many rows wait. */
const restRatio = 4

/** The longest pause after a batch of mails while more wait, however busy the process is. */
const maxMailPauseMs = 500

/** The search job pauses half as long as the others, since those who search wait for it. */
const searchRounds = 0.5

/** Retention of operations and of their errors, in days. */
const operationDays = 30

/**
 * The files job pauses 15 times as long as the others (30 seconds); unused files are kept for hours
 * anyway.
 */
const fileRounds = 15

/** Retention of mails that were sent, in days. */
const mailDays = 30

/** What a round has done. */
interface Round {
  /** The number of processed entries by kind of work. */
  readonly counts: Readonly<Record<string, number>>
  /** True if work may remain, because a batch was full. */
  readonly isFull: boolean
}

async function settlePayments(parts: PaymentParts, db: Db) {
  const settled = await settleUnfinished(parts, db)
  const refunds = await settleUnfinishedRefunds(parts, db)
  const isFull = settled >= settlementBatchSize || refunds >= refundBatchSize
  return { counts: { settled, refunds }, isFull }
}

async function sendMails(mailer: Mailer, pace: BackgroundPace, db: Db) {
  pace.startRound()
  const { tried, isFull } = await mailer.run(db)
  return { counts: { mails: tried }, isFull }
}

async function removeFiles(storage: FileStorage, { transaction, clock }: PaymentParts, db: Db) {
  const files = await removeUnusedFiles({ storage }, { db, transaction }, clock())
  return { counts: { files }, isFull: files >= removalBatchSize }
}

async function cleanUp(
  { transaction, clock }: PaymentParts,
  db: Db,
  maintenanceJobs: MaintenanceJobs = {},
) {
  const { rotateKeys, keyUses, knownNetworks, cleanDigests, auditDays = 400 } = maintenanceJobs
  const { eventDays = 30, purgeDeletedRows = async () => true } = maintenanceJobs
  const { recordAbandonedCarts } = maintenanceJobs
  const expired = await expireOrders(transaction, clock())
  const idle = await transaction(async (tx) => recordAbandonedCarts?.(tx, clock()) ?? 0)
  await publishEvents(db)
  const deleted = [
    await auditEvents.deleteExpired(db, clock() - auditDays * dayMs),
    await transaction((tx) => deleteEventsBefore(tx, clock() - eventDays * dayMs)),
    await webhookDeliveries.deleteExpired(db, clock() - eventDays * dayMs),
    await mails.deleteExpired(db, clock() - mailDays * dayMs),
    await deleteOperationsBefore(db, clock() - operationDays * dayMs, deletionBatchSize),
    await deleteUnusedParts(db, clock()),
  ]
  for (const table of expiringTables) deleted.push(await table.deleteExpired(db, clock()))
  const erased = await eraseDueUsers(transaction, db, personalDataDeclarations, clock())
  const guests = await eraseDueGuests(transaction, db, personalDataDeclarations, clock())
  const joins = await continueJoins(transaction, db, clock())
  const erasures = { personalDataDeclarations, purgeDeletedRows }
  const finished = await finishErasures(transaction, db, erasures, clock())
  await rotateKeys?.()
  await keyUses?.record(db)
  await knownNetworks?.record(db, clock())
  const digests = (await cleanDigests?.(db, clock())) ?? 0
  const forgotten = deleted.reduce((sum, count) => sum + count, 0)
  const isFull =
    expired >= expiryBatchSize ||
    idle >= abandonmentBatchSize ||
    deleted.some((count) => count >= deletionBatchSize) ||
    Math.max(erased, finished) >= erasureBatchSize ||
    guests >= guestBatchSize ||
    joins > 0
  return { counts: { expired, forgotten, erased, guests, joins, digests }, isFull }
}

async function indexForSearch({ transaction }: PaymentParts, db: Db) {
  const { orders, isFull } = await indexOrders(transaction, db)
  return { counts: { indexed: orders }, isFull }
}

/** Runs one round of the jobs `payments`, `cleanup` and `search`, and returns what it has done. */
export const runJobs = async (
  parts: PaymentParts,
  db: Db,
  maintenanceJobs: MaintenanceJobs = {},
) => ({
  ...(await settlePayments(parts, db)).counts,
  ...(await cleanUp(parts, db, maintenanceJobs)).counts,
  ...(await indexForSearch(parts, db)).counts,
})

/**
 * Runs the jobs in rounds with `pauseMs` between them, and with a short pause or none while a batch
 * was full; several processes may do so concurrently. A failed round is logged and the next one
 * retries. Each job has rounds of its own, so that a slow payment provider, mail server or storage
 * delays nothing else. Payments start at once, so that short-lived processes make progress too. The
 * others start after `firstCleanupMs`, to keep the start fast.
 */
export function startJobs(parts: JobParts, { pauseMs, firstCleanupMs = pauseMs }: JobPauses): Jobs {
  const { db, log, mailer, runImports, storage, observeJob } = parts
  const later = { firstMs: firstCleanupMs, pauseMs }
  const rest = (roundMs: number) => Math.min(restRatio * roundMs, pauseMs)
  const pace = createBackgroundPace(maxMailPauseMs)
  const start = (
    job: JobName,
    work: () => Promise<Round>,
    { firstMs, pauseMs, rest = () => 0 }: Pauses,
  ): Loop => {
    observeJob?.(job)
    const round = async () => {
      const startMs = performance.now()
      const { counts, isFull } = await work()
      observeJob?.(job)
      if (Object.values(counts).some((count) => count > 0)) log.info(counts, 'jobs done')
      return isFull ? rest(performance.now() - startMs) : pauseMs
    }
    const report = (err: unknown) => log.error({ err, job }, 'jobs failed')
    return startLoop({ round, report, firstMs, pauseMs })
  }
  const loops = [
    start('payments', () => settlePayments(parts, db), { firstMs: 0, pauseMs }),
    start('cleanup', () => cleanUp(parts, db, parts), { ...later, rest }),
    start('search', () => indexForSearch(parts, db), {
      ...later,
      pauseMs: searchRounds * pauseMs,
      rest,
    }),
    runImports && start('imports', () => runImports(db), later),
    mailer && start('mails', () => sendMails(mailer, pace, db), { ...later, rest: pace.endRound }),
    storage &&
      start('files', () => removeFiles(storage, parts, db), {
        ...later,
        pauseMs: fileRounds * pauseMs,
      }),
  ]
  return {
    stop: async () => {
      mailer?.stop()
      await Promise.all(loops.map((loop) => loop?.stop()))
    },
  }
}

/** When the jobs run, in milliseconds. */
interface JobPauses {
  readonly pauseMs: number
  /** `pauseMs` by default. */
  readonly firstCleanupMs?: number
}

interface Pauses {
  readonly firstMs: number
  readonly pauseMs: number
  /** Returns the pause after a full batch that took so long; none by default. */
  readonly rest?: (roundMs: number) => number
}
