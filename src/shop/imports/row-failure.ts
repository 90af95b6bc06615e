import type { FileRow } from './file-row.ts'
import { placeOfField } from './joined-rows.ts'
import { type RowError, storableText } from './rules.ts'
import type { RowFailure } from './store.ts'
import type { ImportTarget } from './targets/target.ts'

const maxValueLength = 100

/** Returns the value of a field such as `price.amount` as a text; null without one. */
export function textOfField(fields: FileRow['fields'], field: string | null): string | null {
  const value = field
    ?.split(/[.[\]]+/)
    .filter((name) => name !== '')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null)?.[name], fields)
  if (value === undefined || value === null) return null
  return storableText(
    typeof value === 'string' ? value : String(JSON.stringify(value)),
    maxValueLength,
  )
}

/** Returns what a row is found by, as the file has it; null without one. */
export function keyTextOf(
  { keyFields }: Pick<ImportTarget, 'keyFields'>,
  fields: FileRow['fields'],
): string | null {
  const [key = null] = keyFields.flatMap((name) => textOfField(fields, name) ?? [])
  return key
}

/** Returns an error of a row with where the row is and what it has there. */
export function failureOf(
  target: Pick<ImportTarget, 'keyFields'>,
  found: Pick<FileRow, 'line' | 'record' | 'fields' | 'joined'>,
  error: RowError,
): RowFailure {
  const { row, field } = placeOfField(found, error.field)
  const { line, record } = row
  const value = textOfField(row.fields, field)
  return { ...error, field, line, record, key: keyTextOf(target, found.fields), value }
}
