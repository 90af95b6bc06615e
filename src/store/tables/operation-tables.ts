import type { Generated } from 'kysely'
import type { ErrorCode } from '#i18n/error-codes.ts'

/** The resources that can be imported. */
export type ImportedResource = 'products' | 'users' | 'stock' | 'prices'

/** The state of an operation; nobody sees one whose file is still being received. */
export type OperationStatus =
  | 'receiving'
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'cancelled'

/** The columns of `operations`: work that goes on after its request. */
export interface OperationTable {
  id: Generated<number>
  kind: 'import'
  resource: ImportedResource
  /** 1 if nothing is stored, else 0. */
  dry_run: number
  media_type: string
  status: OperationStatus
  done: Generated<number>
  failed: Generated<number>
  /** The number of rows; null until the end of the file is known. */
  total: number | null
  created: Generated<number>
  updated: Generated<number>
  unchanged: Generated<number>
  /** The columns of a CSV file, as a JSON array; null until they are read, and for another file. */
  columns: string | null
  /** Where the first row that is not processed begins, and its line. */
  next_byte: Generated<number>
  next_line: Generated<number>
  /** Why the file cannot be read, as a message in JSON; null unless the status is `failed`. */
  failure: string | null
  /** Who began it; null once erased. */
  user_id: number | null
  /** The API key of the request; null for another credential. */
  api_key_id: number | null
  /** 1 if the credential of the request proved the password of the account, else 0. */
  is_full_sign_in: number
  /** The number of claims; a process that has lost its claim stores nothing. */
  lease: Generated<number>
  leased_until: Generated<number>
  /** The number of claims since a batch was last committed. */
  attempts: Generated<number>
  revision: Generated<number>
  created_at: number
  updated_at: number
  finished_at: number | null
}

/** The columns of `operation_parts`: a part of a file, compressed and in Base64, from its first byte. */
export interface OperationPartTable {
  operation_id: number
  first_byte: number
  data: string
}

/** The columns of `operation_errors`: why a row of a file was not imported; `message` is JSON. */
export interface OperationErrorTable {
  id: Generated<number>
  operation_id: number
  line: number
  field: string | null
  error_code: ErrorCode
  message: string
  created_at: number
}

/** The tables of operations. */
export interface OperationTables {
  operations: OperationTable
  operation_parts: OperationPartTable
  operation_errors: OperationErrorTable
}
