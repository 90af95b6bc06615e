/** A transaction was rolled back for another reason than its own statements. */
export class TransactionLostError extends Error {
  override readonly name = 'TransactionLostError'
}

/** The store is closing or closed and rejects work. */
export class StoreClosedError extends Error {
  override readonly name = 'StoreClosedError'
}

/** The database does not answer at all. */
export class StoreSilentError extends Error {
  override readonly name = 'StoreSilentError'

  constructor() {
    super('The database does not answer')
  }
}

/** The caller misused the store, which is a bug. */
export class StoreMisuseError extends Error {
  override readonly name = 'StoreMisuseError'
}

const unavailableErrors = [TransactionLostError, StoreClosedError, StoreSilentError]
const sqliteConstraint = { unique: [2067, 1555, 2579], foreignKey: [787] } as const
const sqliteBusy = 5
const sqliteBusySnapshot = 517
// Primary result codes: BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL,
// NOTADB. The extended code carries the primary one in its low byte.
const sqliteUnavailable = new Set([5, 6, 7, 8, 10, 11, 13, 14, 15, 26])
// Includes rejected sign-ins: the database is closed or renamed, or its password has changed.
const postgresUnavailable =
  /^(?:08...|28...|3D000|53...|55000|57P0.|57014|58...|25006|25P0[34]|XX00.)$/
const connectionUnavailable = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  // This process, or the machine, has no more files to open.
  'EMFILE',
  'ENFILE',
  'ENETUNREACH',
])

interface DatabaseFailure {
  readonly code: string
  /** The extended result code of SQLite; undefined for PostgreSQL and its connections. */
  readonly errcode: number | undefined
  readonly message: string
  readonly table: string
  readonly detail: string
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function failureOf(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined
  const fields = error as Error & Record<string, unknown>
  const code = textOf(fields['code'])
  if (code === '') return undefined
  const errcode = fields['errcode']
  return {
    code,
    errcode: typeof errcode === 'number' ? errcode : undefined,
    message: error.message,
    table: textOf(fields['table_name']),
    detail: textOf(fields['detail']),
  }
}

function violates(
  failure: DatabaseFailure | undefined,
  sqliteCodes: readonly number[],
  postgresCode: string,
): failure is DatabaseFailure {
  if (failure === undefined) return false
  if (failure.errcode !== undefined) return sqliteCodes.includes(failure.errcode)
  return failure.code === postgresCode
}

/** The columns of the violated key as `table.column`, sorted. */
function duplicateColumns(failure: DatabaseFailure): readonly string[] {
  if (failure.errcode !== undefined) {
    const list = failure.message.slice(failure.message.indexOf(':') + 1)
    return list
      .split(',')
      .map((column) => column.trim())
      .sort()
  }
  const list = /\(([^=]*)\)=\(/.exec(failure.detail)?.[1] ?? ''
  return list
    .split(',')
    .map((column) => `${failure.table}.${column.trim().replaceAll('"', '')}`)
    .sort()
}

/**
 * True for a unique violation of the key with exactly these columns, as `table.column`, or of any
 * key without columns.
 */
export function isUniqueViolation(error: unknown, ...columns: readonly string[]): boolean {
  const failure = failureOf(error)
  if (!violates(failure, sqliteConstraint.unique, '23505')) return false
  if (columns.length === 0) return true
  return duplicateColumns(failure).join() === [...columns].sort().join()
}

/** True for a reference to a missing row and for the removal of a referenced row. */
export function isForeignKeyViolation(error: unknown): boolean {
  return violates(failureOf(error), sqliteConstraint.foreignKey, '23503')
}

/** True where the transaction lost to a concurrent one and may succeed if run again. */
export function isSerializationFailure(error: unknown): boolean {
  const failure = failureOf(error)
  if (failure === undefined) return false
  if (failure.errcode !== undefined) return failure.errcode === sqliteBusySnapshot
  // A migration of a later release has added a column since the statement was prepared.
  const isOutdatedPlan = failure.code === '0A000' && failure.message.includes('cached plan')
  return isOutdatedPlan || failure.code === '40001' || failure.code === '40P01'
}

/** True where PostgreSQL cancelled a statement because another transaction holds a lock. */
export function isLockConflict(error: unknown): boolean {
  const code = failureOf(error)?.code
  return code === '55P03' || code === '40P01'
}

/** True where the database cannot be used now: unreachable, full, locked, read-only or closing. */
export function isUnavailable(error: unknown): boolean {
  if (unavailableErrors.some((type) => error instanceof type)) return true
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(isUnavailable)
  }
  const failure = failureOf(error)
  if (failure === undefined || isSerializationFailure(error)) return false
  if (failure.errcode !== undefined) return sqliteUnavailable.has(failure.errcode & 0xff)
  return connectionUnavailable.has(failure.code) || postgresUnavailable.test(failure.code)
}

/** True where another process kept an SQLite file locked beyond the busy timeout. */
export function isBusy(error: unknown): boolean {
  return failureOf(error)?.errcode === sqliteBusy
}
