import { type ExpressionBuilder, sql } from 'kysely'
import { createMessage } from '#i18n/message.ts'
import type { Db } from '#store/database.ts'
import { idInQuery, isOneOf } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Tables } from '#store/tables.ts'
import type { Instant } from '#values/instant.ts'
import type { RowError } from './rules.ts'
import type { OperationFilters } from './schema.ts'
import {
  type OperationErrorRow,
  type OperationRow,
  operationErrors,
  operations,
  personalResources,
} from './table.ts'

/** Returns the operation with this ID. */
export async function findOperation(db: Db, id: number): Promise<OperationRow | undefined> {
  const found = await operations.find(db, { id })
  return found?.status === 'receiving' ? undefined : found
}

/** Returns a page of the operations that match every filter. */
export const listOperations = (
  db: Db,
  { status }: OperationFilters,
  page: PageRequest,
): Promise<PageResult<OperationRow>> => {
  const query = db.selectFrom('operations').where('status', '!=', 'receiving')
  return paginate(
    db,
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
    db,
    db.selectFrom('operation_errors').where('operation_id', '=', operationId),
    { id: 'id', line: 'line', created_at: 'created_at', updated_at: 'created_at' },
    page,
    (rows) => rows.selectAll('operation_errors'),
  )

/** The failure, in JSON, of an operation whose credential has ended. */
const credentialEnded = JSON.stringify(createMessage('import.credential_ended'))

/** The columns of an operation that is cancelled: by a request, or with a failure. */
const cancelled = (
  eb: ExpressionBuilder<Tables, 'operations'>,
  now: Instant,
  failure: string | null,
) => ({
  status: 'cancelled' as const,
  failure,
  total: eb('done', '+', eb.ref('failed')),
  finished_at: now,
  due_at: null,
  revision: eb('revision', '+', eb.lit(1)),
  updated_at: now,
})

const cancel = prepareQuery((db: Db, param: { id: number; now: Instant }) =>
  db
    .updateTable('operations')
    .set((eb) => cancelled(eb, param.now, null))
    .where('id', '=', param.id)
    .where('due_at', 'is not', null),
)

/** Cancels an operation; false if it has ended. What it has stored stays. */
export const cancelOperation = async (db: Db, id: number, now: Instant): Promise<boolean> =>
  (await cancel.run(db, { id, now })) > 0

/** Cancels an operation whose credential has ended. */
export const endUnpermitted = (db: Db, id: number, now: Instant) =>
  db
    .updateTable('operations')
    .set((eb) => cancelled(eb, now, credentialEnded))
    .where('id', '=', id)
    .where('due_at', 'is not', null)
    .execute()

/** An error of a row of a file: where the row is, and what it has there. */
export type RowFailure = RowError & Pick<OperationErrorRow, 'line' | 'record' | 'key' | 'value'>

/** Stores the errors of rows. */
export async function insertErrors(
  db: Db,
  operationId: number,
  errors: readonly RowFailure[],
  now: Instant,
): Promise<void> {
  const rows = errors.map(({ code, message, ...place }) => ({
    operation_id: operationId,
    ...place,
    error_code: code,
    created_at: now,
    message: JSON.stringify(message),
  }))
  await operationErrors.insertAll(db, rows)
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

/** Cancels the operations of a user that have not ended. */
export const cancelOperationsOf = (db: Db, userId: number, now: Instant) =>
  db
    .updateTable('operations')
    .set((eb) => cancelled(eb, now, credentialEnded))
    .where('user_id', '=', userId)
    .where(sql<boolean>`status in ('receiving', 'queued', 'running')`)
    .execute()

const ofPersons = (db: Db) =>
  db.selectFrom('operations').select('id').where('resource', 'in', personalResources)

const forgetUserErrors = prepareQuery((db: Db, _: object) =>
  db
    .updateTable('operation_errors')
    .set({ key: null, value: null })
    .where('operation_id', 'in', ofPersons(db))
    .where('key', 'is not', null),
)

const deleteUserRows = prepareQuery((db: Db, _: object) =>
  db.deleteFrom('operation_rows').where('operation_id', 'in', ofPersons(db)),
)

const forgetUserPreviews = prepareQuery((db: Db, param: { now: Instant }) =>
  db
    .updateTable('operations')
    .set((eb) => ({
      preview: '[]',
      repeated_keys: '[]',
      warnings: '[]',
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .where('resource', 'in', personalResources)
    .where((eb) =>
      eb.or(
        (['preview', 'repeated_keys', 'warnings'] as const).map((name) => eb(name, '!=', '[]')),
      ),
    ),
)

/** Forgets the keys, values and rows that imports of users and orders have: nobody knows whose they are. */
export async function forgetImportedPersons(db: Db, now: Instant): Promise<void> {
  await forgetUserErrors.run(db, {})
  await deleteUserRows.run(db, {})
  await forgetUserPreviews.run(db, { now })
}

/** Cancels the operations of a user that have not ended, and forgets who began all of them. */
export async function anonymizeOperations(db: Db, userId: number, now: Instant): Promise<void> {
  await cancelOperationsOf(db, userId, now)
  await operations.revise(db, { user_id: userId }, { user_id: null }, now)
}

/** Returns the newest operations that a user began. */
export const operationsOf = (db: Db, userId: number, limit: number): Promise<OperationRow[]> => {
  const status = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
  return operations.findAll(db, { user_id: userId, status }, { order: '-id', limit })
}
