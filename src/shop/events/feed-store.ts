import { type SqlBool, sql } from 'kysely'
import type { FeedPosition } from '#http/declare/pages.ts'
import type { Db } from '#store/database.ts'
import { deletionBatchSize } from '#store/query/deletion-batch.ts'
import { dialectOf, idInQuery } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { findEvent } from './events-store.ts'

/** The advisory lock of the function `publish_events`. */
const publishingLock = 7305118266
/** The events that one statement moves on PostgreSQL, which first passes over those moved before. */
const postgresBatchSize = 5000
/** The same on SQLite: few, since it blocks the event loop meanwhile. */
const sqliteBatchSize = 500

const publishOnPostgres = prepareQuery((db: Db, _: object) =>
  db
    .selectFrom(
      sql<{ moved: number; latest: number }>`publish_events(${sql.lit(postgresBatchSize)})`.as(
        'result',
      ),
    )
    .selectAll('result')
    .select((eb) =>
      eb.selectFrom('events').select('time').whereRef('sequence', '=', 'result.latest').as('time'),
    ),
)

const firstWaiting = prepareQuery((db: Db, _: object) =>
  db.selectFrom('outbox').select('id').limit(1),
)
const highest = prepareQuery((db: Db, _: object) =>
  db.selectFrom('events').select(['sequence', 'time']).orderBy('sequence', 'desc').limit(1),
)

/** On SQLite the ID in the outbox is the sequence number: its one writer commits in their order. */
const copyWaiting = prepareQuery((db: Db, _: object) =>
  db
    .insertInto('events')
    .columns(['sequence', 'type', 'subject', 'time', 'user_id', 'audience', 'data', 'latest_time'])
    .expression((eb) =>
      eb
        .selectFrom(
          eb
            .selectFrom('outbox')
            .selectAll()
            .where('id', '>', sql<number>`coalesce((select max(sequence) from events), 0)`)
            .orderBy('id')
            .limit(eb.lit(sqliteBatchSize))
            .as('waiting'),
        )
        .select(['id', 'type', 'subject', 'time', 'user_id', 'audience', 'data'])
        .select(
          sql<number>`max(max(time) over (order by id),
            coalesce((
              select latest_time from events where sequence = (select max(sequence) from events)
            ), 0))`.as('latest_time'),
        )
        .orderBy('id'),
    ),
)
const deleteCopied = prepareQuery((db: Db, _: object) =>
  db
    .deleteFrom('outbox')
    .where('id', '<=', (eb) =>
      eb.selectFrom('events').select((max) => max.fn.max('sequence').as('sequence')),
    ),
)

/**
 * Publishes all committed events and returns the highest sequence number so far, 0 without any. Every
 * event that will ever have a lower number can be read from then on. Any process may publish at any
 * time; after a crash the next one goes on.
 */
export const publishEvents = async (db: Db): Promise<number> => (await publishToEnd(db)).number

/** Publishes all committed events as `publishEvents` does, and returns the position of the last one. */
export async function publishToEnd(db: Db): Promise<FeedPosition> {
  const latest = await (dialectOf(db) === 'postgres' ? publishWithFunction(db) : publishInOrder(db))
  return latest ?? { number: await findDeletedThrough(db) }
}

async function publishWithFunction(db: Db): Promise<FeedPosition | undefined> {
  for (;;) {
    const result = await publishOnPostgres.first(db, {})
    if (!result || result.moved < postgresBatchSize) return positionOf(db, result)
  }
}

/** The statement that has moved events does not see them. */
async function positionOf(
  db: Db,
  result: { readonly latest: number; readonly time: Instant | null } | undefined,
): Promise<FeedPosition | undefined> {
  if (!result || result.latest === 0) return undefined
  const { latest: number } = result
  return { number, time: result.time ?? (await findEvent(db, number))?.time }
}

const lockOnPostgres = prepareQuery((db: Db, _: object) =>
  db.selectNoFrom(sql`pg_advisory_xact_lock(${sql.lit(publishingLock)})`.as('locked')),
)

/**
 * Lets nobody publish events until the open transaction ends. Whoever changes events that wait for it must
 * call this first: publishing locks them, too, in another order. SQLite has a single writer.
 */
export async function lockPublishing(transactionDb: Db): Promise<void> {
  if (dialectOf(transactionDb) === 'postgres') await lockOnPostgres.first(transactionDb, {})
}

/** Ends after a batch that is not full: while others write, there are always new events. */
async function publishInOrder(db: Db): Promise<FeedPosition | undefined> {
  let copied = sqliteBatchSize
  while (copied === sqliteBatchSize && (await firstWaiting.first(db, {}))) {
    copied = await copyWaiting.run(db, {})
    await deleteCopied.run(db, {})
  }
  const last = await highest.first(db, {})
  return last && { number: last.sequence, time: last.time }
}

const firstSince = prepareQuery((db: Db, param: { since: Instant }) =>
  db
    .selectFrom('events')
    .select('sequence')
    .where('latest_time', '>=', param.since)
    .orderBy('latest_time')
    .orderBy('sequence')
    .limit(1),
)

/** Returns the sequence number of the first event at or after an instant; undefined without one. */
export const findFirstSince = async (db: Db, since: Instant): Promise<number | undefined> =>
  (await firstSince.first(db, { since }))?.sequence

/** The row of `settings` with the highest sequence number of a deleted event. */
const deletedThrough = 'events.deleted_through'

const deleteOldest = prepareQuery((db: Db, param: { before: Instant; limit: number }) =>
  db
    .deleteFrom('events')
    .where(
      idInQuery(
        db,
        'events.sequence',
        db
          .selectFrom('events')
          .select('sequence')
          .where('latest_time', '<', param.before)
          .orderBy('latest_time')
          .orderBy('sequence')
          .limit(param.limit),
      ),
    )
    .returning('sequence'),
)

const setDeletedThrough = prepareQuery((db: Db, param: { value: string }) =>
  db
    .insertInto('settings')
    .values({ name: deletedThrough, value: param.value })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({ value: eb.ref('excluded.value') }))
        .where(sql<SqlBool>`cast(settings.value as bigint) < cast(excluded.value as bigint)`),
    ),
)

const storedDeletion = prepareQuery((db: Db, _: object) =>
  db.selectFrom('settings').select('value').where('name', '=', deletedThrough),
)

const historyAt = prepareQuery((db: Db, param: { number: number }) =>
  db.selectNoFrom((eb) => [
    eb.selectFrom('settings').select('value').where('name', '=', deletedThrough).as('deleted'),
    eb.selectFrom('events').select('time').where('sequence', '=', param.number).as('time'),
  ]),
)

/** Returns the highest sequence number of a deleted event, and the time of the event at a position. */
export async function readHistoryAt(
  db: Db,
  { number }: FeedPosition,
): Promise<{ readonly deletedThrough: number; readonly time: Instant | null }> {
  const row = await historyAt.first(db, { number })
  return { deletedThrough: Number(row?.deleted ?? 0), time: row?.time ?? null }
}

/** Returns the highest sequence number of a deleted event; 0 if none was deleted. */
export const findDeletedThrough = async (db: Db): Promise<number> =>
  Number((await storedDeletion.first(db, {}))?.value ?? 0)

/**
 * Deletes at most `deletionBatchSize` of the oldest events, if older than `before`, in the open
 * transaction, and returns how many.
 */
export async function deleteEventsBefore(transactionDb: Db, before: Instant): Promise<number> {
  const deleted = await deleteOldest.all(transactionDb, { before, limit: deletionBatchSize })
  if (deleted.length === 0) return 0
  const last = deleted.reduce((highest, { sequence }) => Math.max(highest, sequence), 0)
  await setDeletedThrough.run(transactionDb, { value: String(last) })
  return deleted.length
}
