import { sql } from 'kysely'
import type { ImportedResource } from '#shop/imports/table.ts'
import type { Db } from '#store/database.ts'
import { idInQuery, isOneOf, rowsFromJson } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import type { RowError } from './rules.ts'
import type { OperationFilters } from './schema.ts'
import type { OperationErrorRow, OperationRow } from './table.ts'

/** A new import. */
export interface NewImport {
  readonly resource: ImportedResource
  readonly dry_run: number
  readonly media_type: string
  readonly user_id: number | null
  readonly api_key_id: number | null
  readonly is_full_sign_in: number
}

/** Inserts an import whose file is still being received. */
export const insertOperation = (db: Db, added: NewImport, now: Instant): Promise<OperationRow> =>
  db
    .insertInto('operations')
    .values({
      ...added,
      kind: 'import',
      status: 'receiving',
      total: null,
      columns: null,
      failure: null,
      created_at: now,
      updated_at: now,
      finished_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

const queue = prepareQuery((db: Db, param: { id: number; columns: string | null; now: Instant }) =>
  db
    .updateTable('operations')
    .set({ status: 'queued', columns: param.columns, updated_at: param.now })
    .where('id', '=', param.id)
    .where('status', '=', 'receiving')
    .returningAll(),
)

/** Queues an import whose file is complete; undefined if it was deleted meanwhile. */
export const queueOperation = (
  db: Db,
  id: number,
  columns: string | null,
  now: Instant,
): Promise<OperationRow | undefined> => queue.first(db, { id, columns, now })

const byId = prepareQuery((db: Db, param: { id: number }) =>
  db
    .selectFrom('operations')
    .selectAll()
    .where('id', '=', param.id)
    .where('status', '!=', 'receiving'),
)

/** Returns the operation with this ID. */
export const findOperation = (db: Db, id: number): Promise<OperationRow | undefined> =>
  byId.first(db, { id })

/** Returns a page of the operations that match every filter. */
export const listOperations = (
  db: Db,
  { status }: OperationFilters,
  page: PageRequest,
): Promise<PageResult<OperationRow>> => {
  const query = db.selectFrom('operations').where('status', '!=', 'receiving')
  return paginate(
    status ? query.where(isOneOf(db, 'status', status)) : query,
    { id: 'id', created_at: 'created_at', updated_at: 'updated_at' },
    page,
    (rows) => rows.selectAll('operations'),
  )
}

/** Returns a page of the errors of an operation. */
export const listErrors = (
  db: Db,
  operationId: number,
  page: PageRequest,
): Promise<PageResult<OperationErrorRow>> =>
  paginate(
    db.selectFrom('operation_errors').where('operation_id', '=', operationId),
    { id: 'id', line: 'line', created_at: 'created_at', updated_at: 'created_at' },
    page,
    (rows) => rows.selectAll('operation_errors'),
  )

const cancel = prepareQuery((db: Db, param: { id: number; now: Instant }) =>
  db
    .updateTable('operations')
    .set((eb) => ({
      status: 'cancelled' as const,
      total: eb('done', '+', eb.ref('failed')),
      finished_at: param.now,
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .where('id', '=', param.id)
    .where(sql<boolean>`status in ('queued', 'running')`),
)

/** Cancels an operation; false if it has ended. What it has stored stays. */
export const cancelOperation = async (db: Db, id: number, now: Instant): Promise<boolean> =>
  (await cancel.run(db, { id, now })) > 0

const errorFields = {
  operation_id: 'integer',
  line: 'integer',
  field: 'text',
  error_code: 'text',
  message: 'text',
  created_at: 'integer',
} as const
const errorColumns = [
  'operation_id',
  'line',
  'field',
  'error_code',
  'message',
  'created_at',
] as const

const insertAll = prepareQuery(
  (db: Db, param: { rows: readonly Omit<OperationErrorRow, 'id'>[] }) =>
    db
      .insertInto('operation_errors')
      .columns(errorColumns)
      .expression((eb) =>
        eb.selectFrom(rowsFromJson(db, param.rows, errorFields).as('error')).select(errorColumns),
      ),
)

/** An error of a row of a file. */
export type LineError = RowError & { readonly line: number }

/** Stores the errors of rows. */
export async function insertErrors(
  db: Db,
  operationId: number,
  errors: readonly LineError[],
  now: Instant,
): Promise<void> {
  if (errors.length === 0) return
  const rows = errors.map(({ line, field, code, message }) => ({
    operation_id: operationId,
    line,
    field,
    error_code: code,
    created_at: now,
    message: JSON.stringify(message),
  }))
  await insertAll.run(db, { rows })
}

const expired = (db: Db, before: Instant, limit: number) =>
  db
    .selectFrom('operations')
    .select('id')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)

/**
 * Deletes at most `limit` errors and operations older than an instant, errors first; returns how
 * many.
 */
export async function deleteOperationsBefore(
  db: Db,
  before: Instant,
  limit: number,
): Promise<number> {
  const errors = await db
    .deleteFrom('operation_errors')
    .where(
      idInQuery(
        db,
        'operation_errors.id',
        db
          .selectFrom('operation_errors')
          .select('id')
          .where(idInQuery(db, 'operation_id', expired(db, before, 1)))
          .limit(limit),
      ),
    )
    .executeTakeFirst()
  const deletedErrors = Number(errors.numDeletedRows)
  if (deletedErrors > 0) return deletedErrors
  const operations = await db
    .deleteFrom('operations')
    .where(idInQuery(db, 'operations.id', expired(db, before, 1)))
    .executeTakeFirst()
  return Number(operations.numDeletedRows)
}

/** Cancels the operations of a user that have not ended, and forgets who began all of them. */
export async function anonymizeOperations(db: Db, userId: number, now: Instant): Promise<void> {
  await db
    .updateTable('operations')
    .set((eb) => ({
      status: 'cancelled',
      total: eb('done', '+', eb.ref('failed')),
      finished_at: now,
    }))
    .where('user_id', '=', userId)
    .where(sql<boolean>`status in ('receiving', 'queued', 'running')`)
    .execute()
  await db
    .updateTable('operations')
    .set((eb) => ({ user_id: null, revision: eb('revision', '+', eb.lit(1)), updated_at: now }))
    .where('user_id', '=', userId)
    .execute()
}

/** Returns the newest operations that a user began. */
export const operationsOf = (db: Db, userId: number, limit: number): Promise<OperationRow[]> =>
  db
    .selectFrom('operations')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', '!=', 'receiving')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
