import type { ExpressionBuilder } from 'kysely'
import type { Db } from '#store/database.ts'
import { idIn } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Tables } from '#store/tables.ts'
import type { Instant } from '#values/instant.ts'
import type { FileRow } from './table.ts'

const keep = prepareQuery((db: Db, param: { hash: string; until: Instant }) =>
  db
    .updateTable('files')
    // Null while an image refers to the file.
    .set((eb) => ({
      kept_until: eb
        .case()
        .when('kept_until', '<', param.until)
        .then(param.until)
        .else(eb.ref('kept_until'))
        .end(),
    }))
    .where('hash', '=', param.hash)
    .returningAll(),
)

/** Keeps the stored file with this hash at least until then; returns it, if there is one. */
export const keepFile = (db: Db, hash: string, until: Instant): Promise<FileRow | undefined> =>
  keep.first(db, { hash, until })

const release = prepareQuery((db: Db, param: { ids: readonly number[]; until: Instant }) =>
  db
    .updateTable('files')
    .set({ kept_until: param.until })
    .where(idIn(db, 'files.id', param.ids))
    .where((eb) => eb.not(eb.exists(reference(eb)))),
)

/** Keeps those of these files to which no image refers any more until then. */
export async function releaseFiles(db: Db, ids: readonly number[], until: Instant): Promise<void> {
  if (ids.length > 0) await release.run(db, { ids, until })
}

/** The number of files that a round of the job removes at most. */
export const removalBatchSize = 50

/**
 * Takes their hashes from files that are due and to which no image refers, so that they are found no more.
 */
export async function retireFiles(db: Db, now: Instant): Promise<void> {
  const due = await db
    .selectFrom('files')
    .select((eb) => ['files.id', eb.exists(reference(eb)).as('isUsed')])
    .where('kept_until', '<=', now)
    .where('hash', 'is not', null)
    .orderBy('kept_until')
    .limit(removalBatchSize)
    .execute()
  const idsWhere = (isUsed: boolean) =>
    due.flatMap((file) => (Boolean(file.isUsed) === isUsed ? [file.id] : []))
  // A file that was released while an image began to refer to it.
  await keepUsed.run(db, { ids: idsWhere(true), now })
  await retireUnused.run(db, { ids: idsWhere(false), now })
}

const reference = (eb: ExpressionBuilder<Tables, 'files'>) =>
  eb
    .selectFrom('product_images')
    .select('product_images.id')
    .whereRef('product_images.file_id', '=', 'files.id')

// Each sees the time again, because PostgreSQL compares it after waiting for the lock of a row.
const keepUsed = prepareQuery((db: Db, param: { ids: readonly number[]; now: Instant }) =>
  db
    .updateTable('files')
    .set((eb) => ({ kept_until: eb.lit(null) }))
    .where(idIn(db, 'files.id', param.ids))
    .where('kept_until', '<=', param.now),
)

const retireUnused = prepareQuery((db: Db, param: { ids: readonly number[]; now: Instant }) =>
  db
    .updateTable('files')
    .set((eb) => ({ hash: eb.lit(null) }))
    .where(idIn(db, 'files.id', param.ids))
    .where('kept_until', '<=', param.now)
    .where((eb) => eb.not(eb.exists(reference(eb)))),
)

/** Returns files whose objects are to be removed: without a hash, and due. */
export const findRetiredFiles = (db: Db, now: Instant): Promise<FileRow[]> =>
  db
    .selectFrom('files')
    .selectAll()
    .where('kept_until', '<=', now)
    .where('hash', 'is', null)
    .orderBy('kept_until')
    .limit(removalBatchSize)
    .execute()
