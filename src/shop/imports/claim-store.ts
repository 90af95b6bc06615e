import { sql } from 'kysely'
import type { Message } from '#i18n/message.ts'
import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { type Instant, secondMs } from '#values/instant.ts'
import type { Position } from './file/records.ts'
import type { OperationRow } from './table.ts'

/** How long a process may take for a batch before another one may go on with the import. */
const leaseMs = 30 * secondMs

const claim = prepareQuery((db: Db, param: { now: Instant; until: Instant }) =>
  db
    .updateTable('operations')
    .set((eb) => ({
      status: 'running' as const,
      lease: eb('lease', '+', eb.lit(1)),
      leased_until: param.until,
      attempts: eb('attempts', '+', eb.lit(1)),
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('operations')
        .select('id')
        .where(sql<boolean>`status in ('queued', 'running')`)
        .where('leased_until', '<=', param.now)
        .orderBy('leased_until')
        .orderBy('id')
        .limit(eb.lit(1)),
    )
    .where(sql<boolean>`status in ('queued', 'running')`)
    .where('leased_until', '<=', param.now)
    .returningAll(),
)

/** Claims the next import that no process works on; undefined without one. */
export const claimOperation = (db: Db, now: Instant): Promise<OperationRow | undefined> =>
  claim.first(db, { now, until: now + leaseMs })

const waiting = prepareQuery((db: Db, param: { now: Instant }) =>
  db
    .selectFrom('operations')
    .select('id')
    .where(sql<boolean>`status in ('queued', 'running')`)
    .where('leased_until', '<=', param.now)
    .limit(1),
)

/** True if there is an import that no process works on. */
export const hasWaiting = async (db: Db, now: Instant): Promise<boolean> =>
  (await waiting.first(db, { now })) !== undefined

/** A claimed import. */
export type Claim = Pick<OperationRow, 'id' | 'lease'>

/** What a batch of rows adds to the progress of an import. */
export interface Progress {
  readonly done: number
  readonly failed: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly next: Position
}

const advance = prepareQuery(
  (
    db: Db,
    param: Claim &
      Omit<Progress, 'next'> & { nextByte: number; nextLine: number; now: Instant; until: Instant },
  ) =>
    db
      .updateTable('operations')
      .set((eb) => ({
        done: eb('done', '+', param.done),
        failed: eb('failed', '+', param.failed),
        created: eb('created', '+', param.created),
        updated: eb('updated', '+', param.updated),
        unchanged: eb('unchanged', '+', param.unchanged),
        next_byte: param.nextByte,
        next_line: param.nextLine,
        leased_until: param.until,
        attempts: 0,
        revision: eb('revision', '+', eb.lit(1)),
        updated_at: param.now,
      }))
      .where('id', '=', param.id)
      .where('lease', '=', param.lease)
      .where('status', '=', 'running')
      .returning('id'),
)

/** Stores the progress of a claimed import and renews the claim; false if the claim is lost. */
export async function storeProgress(
  db: Db,
  { id, lease }: Claim,
  { next, ...counts }: Progress,
  now: Instant,
): Promise<boolean> {
  const until = now + leaseMs
  const position = { nextByte: next.byte, nextLine: next.line }
  return (await advance.first(db, { id, lease, ...counts, ...position, now, until })) !== undefined
}

const release = prepareQuery((db: Db, param: Claim & { now: Instant }) =>
  db
    .updateTable('operations')
    .set({ leased_until: param.now })
    .where('id', '=', param.id)
    .where('lease', '=', param.lease),
)

/** Lets another process go on with a claimed import at once. */
export const releaseOperation = (db: Db, { id, lease }: Claim, now: Instant): Promise<number> =>
  release.run(db, { id, lease, now })

const end = prepareQuery(
  (
    db: Db,
    param: Claim & { status: 'succeeded' | 'failed'; failure: string | null; now: Instant },
  ) =>
    db
      .updateTable('operations')
      .set((eb) => ({
        status: param.status,
        failure: param.failure,
        total: eb('done', '+', eb.ref('failed')),
        finished_at: param.now,
        revision: eb('revision', '+', eb.lit(1)),
        updated_at: param.now,
      }))
      .where('id', '=', param.id)
      .where('lease', '=', param.lease)
      .where('status', '=', 'running')
      .returningAll(),
)

/** Ends a claimed import, as failed with a failure; undefined if the claim is lost. */
export const endOperation = (
  db: Db,
  { id, lease }: Claim,
  failure: Message | null,
  now: Instant,
): Promise<OperationRow | undefined> =>
  end.first(db, {
    id,
    lease,
    now,
    status: failure ? 'failed' : 'succeeded',
    failure: failure && JSON.stringify(failure),
  })
