import { isObject } from './file/columns.ts'
import type { FileRow } from './file-row.ts'
import { imageSourcesOf, imagesField } from './images/image-sources.ts'
import { keyTextOf, textOfField } from './row-failure.ts'
import { type RowOutcome, storableName } from './rules.ts'
import type { OperationRow, PreviewRow } from './table.ts'
import type { ImportTarget } from './targets/target.ts'

/** The rows of a file that a dry run shows. */
const maxRows = 10
/** The size of the fields of a row, in bytes of JSON. */
const maxRowBytes = 4096

/** A row of a file, and what it would lead to. */
interface TriedRow extends Pick<FileRow, 'record' | 'fields'> {
  readonly outcome: RowOutcome
}

/** Yields fields by the names that columns have: those of an object one by one. */
function* columnsOf(fields: FileRow['fields']): Generator<readonly [string, string | null]> {
  for (const [name, value] of Object.entries(fields)) {
    if (name === imagesField) {
      const urls = imageSourcesOf(fields).map(({ url }) => url)
      yield [name, textOfField({ urls: urls.join(' ') || null }, 'urls')]
    } else if (isObject(value)) {
      for (const [member, inner] of Object.entries(value)) {
        yield [`${name}.${member}`, textOfField({ inner }, 'inner')]
      }
    } else yield [name, textOfField({ value }, 'value')]
  }
}

/** Returns the fields that a row sets as texts, as many as there is room for. */
function textsOf({ readOnly }: ImportTarget, fields: FileRow['fields']): PreviewRow['fields'] {
  const texts: [string, string | null][] = []
  let bytes = 0
  const set = Object.entries(fields).filter(([name]) => !readOnly?.names.includes(name))
  for (const [name, text] of columnsOf(Object.fromEntries(set))) {
    const entry: [string, string | null] = [storableName(name), text]
    bytes += Buffer.byteLength(JSON.stringify(entry))
    if (bytes > maxRowBytes) break
    texts.push(entry)
  }
  return Object.fromEntries(texts)
}

/** Returns the stored preview of an import with further rows, of which the first ones of the file are kept; as before without a dry run. */
export function previewWith(
  { dry_run, preview }: Pick<OperationRow, 'dry_run' | 'preview'>,
  target: ImportTarget,
  rows: readonly TriedRow[],
): string {
  if (dry_run === 0) return preview
  const before = JSON.parse(preview) as readonly PreviewRow[]
  const last = before.length < maxRows ? Number.POSITIVE_INFINITY : (before.at(-1)?.row ?? 0)
  const added = rows
    .slice(0, maxRows)
    .filter(({ record }) => record < last)
    .map(({ record, fields, outcome }) => ({
      row: record,
      key: keyTextOf(target, fields),
      outcome: typeof outcome === 'string' ? outcome : ('failed' as const),
      fields: textsOf(target, fields),
    }))
  if (added.length === 0) return preview
  const all = [...before, ...added].toSorted((one, other) => one.row - other.row)
  return JSON.stringify(all.slice(0, maxRows))
}
