import type { Column } from './columns.ts'

// A spreadsheet takes such a cell for a formula, or drops the quote in front of it. Excel reads the
// full-width forms of East Asian keyboards like the others, and drops a line break in front.
const unsafeStart = /^[=+\-@＝＋－＠'\t\r\n]/
const quotedCharacters = /[",\r\n]/

/** The form of a value before CSV quotes it: empty for null, JSON for a list or an object. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Returns the cell of a value (RFC 4180). A text that a spreadsheet might run gets a `'` in front, which
 * `removeFormulaQuote` removes.
 */
export function writeCell(value: unknown): string {
  const text = textOf(value)
  const guarded = unsafeStart.test(text) ? `'${text}` : text
  return quotedCharacters.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** Returns the text of a parsed cell without the `'` that `writeCell` has put in front. */
export const removeFormulaQuote = (text: string): string =>
  text.startsWith("'") && unsafeStart.test(text.slice(1)) ? text.slice(1) : text

const writeRecord = (values: readonly unknown[]): string => `${values.map(writeCell).join(',')}\r\n`

/** Returns the first record: the names of the columns. */
export const writeHeader = (columns: readonly Column[]): string =>
  writeRecord(columns.map(({ name }) => name))

/** Returns the record of an entity. */
export const writeRow = (columns: readonly Column[], entity: object): string =>
  writeRecord(columns.map(({ path }) => valueAt(entity, path)))

const valueAt = (entity: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name],
    entity,
  )
