import { createMessage } from '#i18n/message.ts'
import { fieldProblem } from '#values/problem.ts'
import { columnKey } from '../file/columns.ts'
import type { ImportedResource, OperationRow } from '../table.ts'
import { etsy } from './etsy.ts'
import type { FileFormat, ForeignFormat } from './format.ts'
import { google } from './google.ts'
import { magento } from './magento.ts'
import { prestashop } from './prestashop.ts'
import { shopify } from './shopify.ts'
import { shopifyCustomers } from './shopify-customers.ts'
import { woocommerce } from './woocommerce.ts'

type Formats = Readonly<Partial<Record<ForeignFormat, FileFormat>>>

/** The formats of other systems by what the rows are, and their names. */
const formats: Readonly<Partial<Record<ImportedResource, Formats>>> = {
  products: { shopify, woocommerce, magento, prestashop, etsy, google },
  users: { shopify: shopifyCustomers },
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
export const formatOf = (
  columns: readonly string[],
  resource: ImportedResource,
): FileFormat | undefined =>
  Object.values(formats[resource] ?? {}).find((format) => hasMarks(format, columns))

/** Returns the format of another system with this name; undefined for that of the shop, and where a resource has none. */
export const foreignFormat = ({
  format,
  resource,
}: Pick<OperationRow, 'format' | 'resource'>): FileFormat | undefined =>
  format === 'cartwright' ? undefined : formats[resource]?.[format]

/** True for a column that tells files of other systems. */
export const isMark = (column: string): boolean => marks.has(columnKey(column))

const marks = keysOf(
  Object.values(formats)
    .flatMap((ofResource) => Object.values(ofResource))
    .flatMap((format) => format.marks.flat()),
)
