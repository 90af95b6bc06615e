import { type SqlBool, sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import { type Instant, minuteMs } from '#values/instant.ts'
import { decodePart, encodePart } from './file/parts.ts'
import { operationParts, operations } from './table.ts'

/** Stores a part of a file; false if the import is not being received any more. */
export async function insertPart(
  transactionDb: Db,
  { id, firstByte }: { readonly id: number; readonly firstByte: number },
  bytes: Buffer,
  now: Instant,
): Promise<boolean> {
  const receiving = { id, status: 'receiving' } as const
  if ((await operations.update(transactionDb, receiving, { updated_at: now })) === 0) return false
  const part = { operation_id: id, first_byte: firstByte, data: encodePart(bytes) }
  await writeBatch(transactionDb, [operationParts.insertWrite(part)])
  return true
}

const partFrom = prepareQuery((db: Db, param: { id: number; byte: number }) =>
  db
    .selectFrom('operation_parts')
    .select(['first_byte', 'data'])
    .where('operation_id', '=', param.id)
    .where('first_byte', '<=', param.byte)
    .orderBy('first_byte', 'desc')
    .limit(1),
)

/** Reads the file of an import from a byte on, a part at a time. */
export async function* readParts(db: Db, id: number, from: number): AsyncGenerator<Buffer> {
  for (let byte = from; ; ) {
    const part = await partFrom.first(db, { id, byte })
    const bytes = part && decodePart(part.data).subarray(byte - part.first_byte)
    if (!bytes || bytes.length === 0) return
    yield bytes
    byte += bytes.length
  }
}

/** The number of parts that are deleted at once. */
const deletedParts = 32
const deletedSources = 1000
/** How long an upload may rest before its file is taken for abandoned. */
const abandonedMs = 15 * minuteMs

const deleteUnused = prepareQuery((db: Db, param: { abandonedSince: Instant }) =>
  db.deleteFrom('operation_parts').where(
    sql<SqlBool>`(operation_id, first_byte) in (
      select part.operation_id, part.first_byte from operation_parts as part
      left join operations on operations.id = part.operation_id
      where operations.id is null
        or operations.status in ('succeeded', 'failed', 'cancelled')
        or (operations.status = 'receiving' and operations.updated_at < ${param.abandonedSince})
      limit ${sql.lit(deletedParts)})`,
  ),
)
const deleteAbandoned = prepareQuery((db: Db, param: { abandonedSince: Instant }) =>
  db
    .deleteFrom('operations')
    .where('status', '=', 'receiving')
    .where('updated_at', '<', param.abandonedSince),
)

const deleteUnusedSources = prepareQuery((db: Db, _: object) =>
  db.deleteFrom('operation_images').where(
    sql<SqlBool>`(operation_id, product) in (
      select image.operation_id, image.product from operation_images as image
      left join operations on operations.id = image.operation_id
      where operations.id is null or operations.due_at is null
      limit ${sql.lit(deletedSources)})`,
  ),
)

const deleteOldRows = prepareQuery((db: Db, _: object) =>
  db.deleteFrom('operation_rows').where(
    sql<SqlBool>`(operation_id, record) in (
      select failed.operation_id, failed.record from operation_rows as failed
      left join operations on operations.id = failed.operation_id
      where operations.id is null limit ${sql.lit(deletedSources)})`,
  ),
)

/** Deletes the files of imports that have ended and of uploads that were abandoned; returns how many parts. */
export async function deleteUnusedParts(db: Db, now: Instant): Promise<number> {
  const abandonedSince = now - abandonedMs
  let deleted = 0
  for (;;) {
    const parts = await deleteUnused.run(db, { abandonedSince })
    deleted += parts
    if (parts < deletedParts) break
  }
  await deleteAbandoned.run(db, { abandonedSince })
  while ((await deleteOldRows.run(db, {})) === deletedSources);
  while ((await deleteUnusedSources.run(db, {})) === deletedSources);
  return deleted
}
