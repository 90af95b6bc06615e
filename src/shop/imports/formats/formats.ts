import { createMessage } from '#i18n/message.ts'
import { fieldProblem } from '#values/problem.ts'
import { columnKey } from '../file/columns.ts'
import { etsy } from './etsy.ts'
import type { FileFormat, ForeignFormat, FormatName } from './format.ts'
import { google } from './google.ts'
import { magento } from './magento.ts'
import { prestashop } from './prestashop.ts'
import { shopify } from './shopify.ts'
import { woocommerce } from './woocommerce.ts'

/** The formats of other systems by their names. */
const formats: Readonly<Record<ForeignFormat, FileFormat>> = {
  ...{ shopify, woocommerce, magento, prestashop, etsy, google },
}

const keysOf = (columns: readonly string[]): ReadonlySet<string> => new Set(columns.map(columnKey))

function hasMarks({ marks }: FileFormat, columns: readonly string[]): boolean {
  const keys = keysOf(columns)
  return marks.some((mark) => mark.every((column) => keys.has(columnKey(column))))
}

/** Throws 422/4221, with advice, unless a file with these columns can be in a format. */
export function requireMarks(
  format: FileFormat,
  columns: readonly string[],
  advice: Readonly<Record<string, string>>,
): void {
  if (hasMarks(format, columns)) return
  const marks = format.marks[0]?.join(', ') ?? ''
  const message = createMessage('import.other_format', {
    ...{ format: format.name, columns: marks },
    ...advice,
  })
  throw fieldProblem([{ field: 'format', message }])
}

/** Returns the format that a file with these columns is in; undefined if it is that of no other system. */
export const formatOf = (columns: readonly string[]): FileFormat | undefined =>
  Object.values(formats).find((format) => hasMarks(format, columns))

/** Returns the format of another system with this name; undefined for that of the shop. */
export const foreignFormat = (name: FormatName): FileFormat | undefined =>
  name === 'cartwright' ? undefined : formats[name]

/** True for a column that tells files of other systems. */
export const isMark = (column: string): boolean => marks.has(columnKey(column))

const marks = keysOf(Object.values(formats).flatMap((format) => format.marks.flat()))
