import type { Selectable } from 'kysely'
import type { ErrorCode } from '#i18n/error-codes.ts'
import { nullable } from '#schema/words.ts'
import {
  type ColumnsOf,
  columnDefault,
  identity,
  integer,
  revised,
  text,
  textOf,
} from '#store/columns.ts'
import { queue } from '#store/due.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'
import { secondMs } from '#values/instant.ts'
import type { TextEncoding } from './file/text-encoding.ts'
import type { FormatName } from './formats/format.ts'
import type { importedResources } from './schema.ts'

/** A resource that can be imported. */
export type ImportedResource = (typeof importedResources)[number]

/** Those whose rows are about persons: any erasure forgets what is told of them, since nobody knows of whom. */
export const personalResources: readonly ImportedResource[] = ['users', 'orders']

/** The state of an operation; nobody sees one whose file is still being received. */
export type OperationStatus =
  | 'receiving'
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'cancelled'

/** A column that means nothing to an import, and how many rows have a value of it. */
export interface IgnoredColumn {
  readonly name: string
  readonly values: number
}

/** The fields that columns are by their names; null for a column that changes none. */
export type ColumnFields = Readonly<Record<string, string | null>>

/** A key that several rows of a file have. */
export interface RepeatedKey {
  /** As the second one of these rows has it. */
  readonly key: string
  /** The number of these rows. */
  readonly count: number
  /** The numbers of the records of the first of them. */
  readonly rows: readonly number[]
}

/** A row of a file, and what an import of it would lead to. */
export interface PreviewRow {
  /** The number of its record. */
  readonly row: number
  readonly key: string | null
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'failed'
  /** Its fields as texts, by the names that columns have. */
  readonly fields: Readonly<Record<string, string | null>>
}

/** Why a row of a file was not imported; `message` is JSON. */
export const operationErrors = table('operation_errors', {
  columns: {
    id: identity,
    operation_id: integer,
    line: integer,
    record: integer,
    /** The key of the row, and the value of the field, cut; null without one. */
    key: nullable(text),
    field: nullable(text),
    value: nullable(text),
    error_code: textOf<ErrorCode>(),
    message: text,
    created_at: integer,
  },
  indexes: ['operation_id, id', 'operation_id, line, id'],
  owner: null,
  encrypted: [],
  kept: 'own',
})

/** A part of a file, compressed and in Base64, from its first byte. */
export const operationParts = table('operation_parts', {
  columns: {
    operation_id: integer,
    first_byte: integer,
    data: text,
  },
  key: ['operation_id', 'first_byte'],
  owner: null,
  encrypted: [],
  kept: 'own',
})

/** The images that rows name for a product, of an import whose rows are not all stored or whose images are fetched. */
export const operationImages = table('operation_images', {
  columns: {
    operation_id: integer,
    /** What the row is found by: the key of its SKU, or what `keyOfProduct` has instead. */
    product: text,
    /** The row that names the product. */
    line: integer,
    record: integer,
    /** The SKU as the file has it. */
    sku: text,
    /** The images as a JSON array of `ImageSource`, and how many. */
    images: text,
    image_count: integer,
  },
  key: ['operation_id', 'product'],
  owner: null,
  encrypted: [],
  kept: 'own',
})

/** A record of a file of which a row was not imported, or which belongs to such a one. */
export const operationRows = table('operation_rows', {
  columns: {
    operation_id: integer,
    record: integer,
    line: integer,
    /** The cells as a JSON array; of NDJSON a JSON text of the line. */
    data: text,
  },
  key: ['operation_id', 'record'],
  owner: null,
  encrypted: [],
  kept: 'own',
})

/** Work that goes on after its request; due from when it is queued until it ends. */
export const operations = queue('operations', {
  // Longer than a batch takes, with each of which the claim is renewed.
  leaseMs: 30 * secondMs,
  columns: {
    ...revised,
    kind: textOf<'import'>(),
    resource: textOf<ImportedResource>(),
    /** 1 if nothing is stored, else 0. */
    dry_run: integer,
    media_type: text,
    status: textOf<OperationStatus>(),
    /** What is being imported: the rows, then the images that they name. */
    phase: columnDefault(textOf<'rows' | 'images'>(), 'rows'),
    done: columnDefault(integer, 0),
    failed: columnDefault(integer, 0),
    /** The number of rows; null until the end of the file is known. */
    total: nullable(integer),
    created: columnDefault(integer, 0),
    updated: columnDefault(integer, 0),
    unchanged: columnDefault(integer, 0),
    /** The columns of a CSV file, as a JSON array; null until they are read, and for another file. */
    columns: nullable(text),
    /** The fields that columns are by their places, as a `Mapping` in JSON, where the request says so. */
    mapping: columnDefault(text, '{}'),
    /** What stands between the cells of a CSV file. */
    separator: columnDefault(text, ','),
    /** Whose columns the file has. */
    format: columnDefault(textOf<FormatName>(), 'cartwright'),
    /** How the text of the file was encoded. */
    encoding: columnDefault(textOf<TextEncoding>(), 'UTF-8'),
    /** 1 if a column has numbers with a decimal comma. */
    decimal_comma: columnDefault(integer, 0),
    /** The columns that mean nothing to the import with the numbers of their values, as a JSON array. */
    ignored_columns: columnDefault(text, '[]'),
    /** What the columns are, as `ColumnFields` in JSON. */
    column_fields: columnDefault(text, '{}'),
    /** The number of rows whose key a later row has, too. */
    overwritten: columnDefault(integer, 0),
    /** The keys of such rows, as a JSON array of `RepeatedKey`. */
    repeated_keys: columnDefault(text, '[]'),
    /** The first rows of a dry run, as a JSON array of `PreviewRow`. */
    preview: columnDefault(text, '[]'),
    /** The number of rows for which a SKU was made. */
    made_skus: columnDefault(integer, 0),
    /** What the file has that fields cannot have, as a JSON array of `RowWarning`. */
    warnings: columnDefault(text, '[]'),
    /** 0 while the parents that come after their variants are imported, 1 with all other rows. */
    reading: columnDefault(integer, 0),
    /** The images that the rows name; 0 until all rows are stored. */
    images_total: columnDefault(integer, 0),
    images_done: columnDefault(integer, 0),
    images_failed: columnDefault(integer, 0),
    /** The size of the records in `operation_rows`. */
    kept_bytes: columnDefault(integer, 0),
    /** Where the first row that is not processed begins, and its line. */
    next_byte: columnDefault(integer, 0),
    next_line: columnDefault(integer, 1),
    next_record: columnDefault(integer, 1),
    /** The rows of the unit which begins there that are processed. */
    next_rows: columnDefault(integer, 0),
    /** Why it ended before the end of the file, as a message in JSON; null unless it `failed` or its credential ended. */
    failure: nullable(text),
    /** Who began it; null once erased. */
    user_id: nullable(integer),
    /** The credential of the request, as a `KeptCredential` in JSON. */
    credential: text,
    /** The number of claims since a batch was last committed. */
    attempts: columnDefault(integer, 0),
    finished_at: nullable(integer),
  },
  indexes: [
    'due_at where due_at is not null',
    'created_at, id',
    'updated_at, id',
    'user_id, id',
    'resource, id',
  ],
  owner: { column: 'user_id', whenErased: 'own' },
  encrypted: [],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    operation_errors: ColumnsOf<(typeof operationErrors)['schemas']>
    operation_images: ColumnsOf<(typeof operationImages)['schemas']>
    operation_rows: ColumnsOf<(typeof operationRows)['schemas']>
    operation_parts: ColumnsOf<(typeof operationParts)['schemas']>
    operations: ColumnsOf<(typeof operations)['schemas']>
  }
}

/** A row of the table `operations`. */
export type OperationRow = Selectable<Tables['operations']>

/** A row of the table `operation_errors`. */
export type OperationErrorRow = Selectable<Tables['operation_errors']>

/** A row of the table `operation_images`. */
export type OperationImageRow = Selectable<Tables['operation_images']>
