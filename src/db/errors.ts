/** Says that a transaction was undone by something other than its own statements; nothing of it is kept. */
export class TransactionLostError extends Error {
  override readonly name = 'TransactionLostError'
}

/** Says that the store no longer takes work because it is closing or closed. */
export class StoreClosedError extends Error {
  override readonly name = 'StoreClosedError'
}

/** Says that the code misused the store: a bug of the caller, never of the data. */
export class StoreMisuseError extends Error {
  override readonly name = 'StoreMisuseError'
}

const sqliteConstraint = { unique: [2067, 1555, 2579], check: [275], foreignKey: [787] } as const
const sqliteBusy = 5
const sqliteBusySnapshot = 517
// Primary result codes: BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL,
// NOTADB. The extended code carries the primary one in its low byte.
const sqliteUnavailable = new Set([5, 6, 7, 8, 10, 11, 13, 14, 15, 26])
// Among them those by which it lets nobody in: the database is closed, renamed, or its password changed.
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
  'ENETUNREACH',
])

interface DatabaseFailure {
  readonly code: string
  readonly errcode: number | undefined
  readonly message: string
  readonly constraint: string
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
    constraint: textOf(fields['constraint_name']),
    table: textOf(fields['table_name']),
    detail: textOf(fields['detail']),
  }
}

function violates(
  failure: DatabaseFailure | undefined,
  sqlite: readonly number[],
  postgres: string,
): failure is DatabaseFailure {
  if (failure === undefined) return false
  if (failure.errcode !== undefined) return sqlite.includes(failure.errcode)
  return failure.code === postgres
}

/** The columns of the key that was not unique, as `table.column`, sorted. */
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
 * Tells whether the error is a broken uniqueness, of exactly the key whose columns are given as
 * `table.column`, or of any key where none are.
 */
export function isUniqueViolation(error: unknown, ...columns: readonly string[]): boolean {
  const failure = failureOf(error)
  if (!violates(failure, sqliteConstraint.unique, '23505')) return false
  if (columns.length === 0) return true
  return duplicateColumns(failure).join() === [...columns].sort().join()
}

/** Tells whether the error is a broken CHECK, of the constraint named or of any where none is. */
export function isCheckViolation(error: unknown, constraint?: string): boolean {
  const failure = failureOf(error)
  if (!violates(failure, sqliteConstraint.check, '23514')) return false
  if (constraint === undefined) return true
  const name =
    failure.errcode === undefined
      ? failure.constraint
      : failure.message.slice(failure.message.indexOf(':') + 1).trim()
  return name === constraint
}

/** Tells whether the error is a reference to a row that is missing, or the removal of one in use. */
export function isForeignKeyViolation(error: unknown): boolean {
  return violates(failureOf(error), sqliteConstraint.foreignKey, '23503')
}

/** Tells whether the transaction lost to a concurrent one and would likely succeed if run again. */
export function isSerializationFailure(error: unknown): boolean {
  const failure = failureOf(error)
  if (failure === undefined) return false
  if (failure.errcode !== undefined) return failure.errcode === sqliteBusySnapshot
  return failure.code === '40001' || failure.code === '40P01'
}

/** Tells whether the database cannot be used now: gone, full, locked, read-only or closing. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof TransactionLostError || error instanceof StoreClosedError) return true
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(isUnavailable)
  }
  const failure = failureOf(error)
  if (failure === undefined || isSerializationFailure(error)) return false
  if (failure.errcode !== undefined) return sqliteUnavailable.has(failure.errcode & 0xff)
  return connectionUnavailable.has(failure.code) || postgresUnavailable.test(failure.code)
}

/** Tells whether another process keeps an SQLite file locked for longer than was waited. */
export function isBusy(error: unknown): boolean {
  return failureOf(error)?.errcode === sqliteBusy
}
