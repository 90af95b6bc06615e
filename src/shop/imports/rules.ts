import { xlsxType, xmlType } from '#http/message/media-type.ts'
import type { ErrorCode } from '#i18n/error-codes.ts'
import { languages } from '#i18n/languages.ts'
import { formatMessage, type Message, type MessageTexts } from '#i18n/message.ts'
import type { Problem } from '#values/problem.ts'
import {
  type ColumnFields,
  type IgnoredColumn,
  type OperationErrorRow,
  type OperationRow,
  type PreviewRow,
  personalResources,
  type RepeatedKey,
} from './table.ts'

/** An error of a row. */
export interface RowError {
  readonly field: string | null
  readonly code: ErrorCode
  readonly message: Message
}

/** What a file has that a field cannot have, which is then empty. */
export interface RowWarning {
  /** The number of the record; the header is the first. */
  readonly row: number
  readonly field: string
  readonly value: string | null
  readonly message: Message
}

/** What a row has led to: a change, none, or errors. */
export type RowOutcome = 'created' | 'updated' | 'unchanged' | readonly RowError[]

const maxNameLength = 200

/** Returns the field of a row that has a field such as `options.size` or `tags[0]`. */
export const rootOf = (field: string): string => field.split(/[.[]/, 1)[0] ?? field

/** Returns the beginning of a text of a file in a form that every database can store. */
export const storableText = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replaceAll('\0', '\ufffd').toWellFormed()

/** Returns the name of a field, which may be any key of a file, in such a form. */
export const storableName = (field: string): string => storableText(field, maxNameLength)

/** Returns the errors of a row that led to a problem: one for each field. */
export function errorsOf({ code, detail, issues }: Problem): readonly RowError[] {
  if (issues.length === 0) return [{ field: null, code, message: detail }]
  return issues.map(({ field, message, missing }) => ({
    field: storableName(field),
    code: missing ? '4001' : code === '4001' ? '4221' : code,
    message,
  }))
}

/** True until an operation has ended. */
export const isOngoing = ({ status }: Pick<OperationRow, 'status'>): boolean =>
  status === 'queued' || status === 'running'

export const parseMessage = (stored: string): Message => JSON.parse(stored) as Message

/** Whether all rows of a file were imported, some or none; null unless its end was reached. */
function outcomeOf({ status, done, failed }: OperationRow) {
  if (status !== 'succeeded') return null
  if (failed === 0) return 'complete'
  return done === 0 ? 'nothing' : 'partial'
}

/** Returns the stored warnings of an operation. */
export const parseWarnings = ({ warnings }: Pick<OperationRow, 'warnings'>) =>
  JSON.parse(warnings) as readonly RowWarning[]

function resultOf(row: OperationRow, texts: MessageTexts, showsRows: boolean) {
  const isCsv = row.columns !== null
  return {
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    overwritten: row.overwritten,
    made_skus: row.made_skus,
    detected: {
      format: row.format,
      separator:
        isCsv && row.media_type !== xlsxType && row.media_type !== xmlType ? row.separator : null,
      encoding: row.encoding,
      decimal: isCsv ? (row.decimal_comma === 1 ? ',' : '.') : null,
    },
    mapping: JSON.parse(row.column_fields) as ColumnFields,
    ignored_columns: JSON.parse(row.ignored_columns) as readonly IgnoredColumn[],
    warnings: parseWarnings(row).map(({ message, value, ...warning }) => ({
      ...warning,
      value: showsRows || !personalResources.includes(row.resource) ? value : null,
      message: formatMessage(message, texts),
    })),
    ...(showsRows ? rowsOf(row) : {}),
  }
}

/** What the file has in its rows, which may be persons. */
const rowsOf = ({ dry_run, repeated_keys, preview }: OperationRow) => ({
  repeated_keys: JSON.parse(repeated_keys) as readonly RepeatedKey[],
  ...(dry_run === 1 ? { preview: JSON.parse(preview) as readonly PreviewRow[] } : {}),
})

const imagesOf = (row: OperationRow) => ({
  ...{ done: row.images_done, total: row.images_total, failed: row.images_failed },
})

/** Returns an operation as its schema describes it; what rows have only with `showsRows`. */
export const presentOperation = (
  row: OperationRow,
  texts: MessageTexts = languages.en,
  showsRows = false,
) => ({
  id: row.id,
  kind: row.kind,
  resource: row.resource,
  dry_run: row.dry_run === 1,
  status: row.status,
  progress: {
    ...{ done: row.done, total: row.total, failed: row.failed },
    ...(row.images_total > 0 ? { images: imagesOf(row) } : {}),
  },
  outcome: outcomeOf(row),
  result: row.finished_at === null ? null : resultOf(row, texts, showsRows),
  failure: row.failure === null ? null : formatMessage(parseMessage(row.failure), texts),
  finished_at: row.finished_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** Returns an error of a row as its schema describes it. */
export const presentError = (row: OperationErrorRow, texts: MessageTexts) => ({
  record: row.record,
  line: row.line,
  key: row.key,
  field: row.field,
  value: row.value,
  error_code: row.error_code,
  message: formatMessage(parseMessage(row.message), texts),
})
