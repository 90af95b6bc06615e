import type { Column } from './columns.ts'

// A spreadsheet takes such a cell for a formula, or drops the quote in front of it. Excel reads the
// full-width forms of East Asian keyboards like the others, and drops a line break in front.
const unsafeStart = /^[=+\-@＝＋－＠'\t\r\n]/
const quotedCharacters = /[",\r\n]/

/** The text of a value in a table: empty for null, JSON for a list or an object. */
export function textOf(value: unknown): string {
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

/** Returns a record (RFC 4180). */
export const writeRecord = (values: readonly unknown[]): string =>
  `${values.map(writeCell).join(',')}\r\n`

/** Returns the values of an entity by column. */
export const valuesOf = (columns: readonly Column[], entity: object): readonly unknown[] =>
  columns.map(({ path }) => valueAt(entity, path))

const valueAt = (entity: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name],
    entity,
  )
