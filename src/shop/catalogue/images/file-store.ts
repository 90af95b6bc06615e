import { type SqlBool, sql } from 'kysely'
import { Type } from 'typebox'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { idIn } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { type FileRow, files } from './table.ts'

// The time is null while an image refers to the file.
const keep = prepareSql(
  (_: Db, { hash, until }: { hash: string; until: Instant }) => sql`
    update files set kept_until = case when kept_until < ${until} then ${until} else kept_until end
    where hash = ${hash} returning *`,
  files.schemas,
)

/** Keeps the stored file with this hash at least until then; returns it, if there is one. */
export const keepFile = (db: Db, hash: string, until: Instant): Promise<FileRow | undefined> =>
  keep.first(db, { hash, until })

const isReferred = sql<SqlBool>`exists (
  select product_images.id from product_images where product_images.file_id = files.id)`

const release = prepareSql(
  (db: Db, { ids, until }: { ids: readonly number[]; until: Instant }) => sql`
    update files set kept_until = ${until}
    where ${idIn(db, 'files.id', ids)} and not ${isReferred}`,
)

/** Keeps those of these files to which no image refers any more until then. */
export async function releaseFiles(db: Db, ids: readonly number[], until: Instant): Promise<void> {
  if (ids.length > 0) await release.run(db, { ids, until })
}

/** The number of files that a round of the job removes at most. */
export const removalBatchSize = 50

const due = prepareSql(
  (_: Db, { now }: { now: Instant }) => sql`
    select files.id, ${isReferred} as is_used from files
    where kept_until <= ${now} and hash is not null
    order by kept_until limit ${removalBatchSize}`,
  { id: integer, is_used: Type.Unsafe<SqlBool>({}) },
)

/**
 * Takes their hashes from files that are due and to which no image refers, so that they are found no more.
 */
export async function retireFiles(db: Db, now: Instant): Promise<void> {
  const found = await due.all(db, { now })
  const idsWhere = (isUsed: boolean) =>
    found.flatMap((file) => (Boolean(file.is_used) === isUsed ? [file.id] : []))
  // A file that was released while an image began to refer to it.
  await keepUsed.run(db, { ids: idsWhere(true), now })
  await retireUnused.run(db, { ids: idsWhere(false), now })
}

interface DueFiles {
  readonly ids: readonly number[]
  readonly now: Instant
}

// Each sees the time again, because PostgreSQL compares it after waiting for the lock of a row.
const keepUsed = prepareSql(
  (db: Db, { ids, now }: DueFiles) => sql`
    update files set kept_until = null
    where ${idIn(db, 'files.id', ids)} and kept_until <= ${now}`,
)

const retireUnused = prepareSql(
  (db: Db, { ids, now }: DueFiles) => sql`
    update files set hash = null
    where ${idIn(db, 'files.id', ids)} and kept_until <= ${now} and not ${isReferred}`,
)

const retired = prepareSql(
  (_: Db, { now }: { now: Instant }) => sql`
    select * from files where kept_until <= ${now} and hash is null
    order by kept_until limit ${removalBatchSize}`,
  files.schemas,
)

/** Returns files whose objects are to be removed: without a hash, and due. */
export const findRetiredFiles = (db: Db, now: Instant): Promise<FileRow[]> =>
  retired.all(db, { now })
