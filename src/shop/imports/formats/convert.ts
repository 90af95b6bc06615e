import { removeFormulaQuote } from '#http/codec/csv/cells.ts'
import type { Shop } from '#shop/shop.ts'
import type { FieldIssue } from '#values/problem.ts'
import { columnKey, isObject } from '../file/columns.ts'
import { fromDecimalComma } from '../file/decimal-sign.ts'
import type { Position } from '../file/records.ts'
import { type FileRow, type RawRecord, requireReadable } from '../file-row.ts'
import { textOfField } from '../row-failure.ts'
import { type RowWarning, rootOf } from '../rules.ts'
import { catchRowErrors, type ImportTarget, withoutNulls } from '../targets/target.ts'
import type {
  CellContext,
  ColumnRule,
  ColumnRules,
  Fields,
  FileFormat,
  ForeignRecord,
  FormatReader,
} from './format.ts'
import { mergeFields } from './merge-fields.ts'
import { readUnits } from './units.ts'

/** What the columns of a file are in a format. */
export interface FormatColumns {
  /** The columns that mean nothing. */
  readonly unknown: readonly number[]
  /** The columns of numbers. */
  readonly numbers: readonly number[]
  /** The rules of columns by their places; one that tells how records belong together has none. */
  readonly rules: ReadonlyMap<number, ColumnRule>
}

/** The places of columns by their names as rules know them, compared as columns are; of repeated ones the first. */
function placesOf({ otherNames = {} }: FileFormat, columns: readonly string[]) {
  const known = new Map(
    Object.entries(otherNames).map(([other, name]) => [columnKey(other), columnKey(name)]),
  )
  const places = new Map<string, number>()
  for (const [at, column] of columns.entries()) {
    const key = columnKey(column)
    const name = known.get(key) ?? key
    if (!places.has(name)) places.set(name, at)
  }
  return places
}

/** Returns what the columns of a file are in a format. */
export function columnsInFormat(format: FileFormat, columns: readonly string[]): FormatColumns {
  const rules = new Map(
    format.rules.flatMap((each) =>
      Object.entries(each).map(([column, rule]) => [columnKey(column), rule] as const),
    ),
  )
  const isStructure = (key: string): boolean =>
    format.structure.some((each) =>
      typeof each === 'string' ? columnKey(each) === key : each.test(key),
    )
  const places = placesOf(format, columns)
  const ruled = new Map(
    Array.from(places).flatMap(([key, at]) => {
      const rule = rules.get(key)
      return rule ? [[at, rule] as const] : []
    }),
  )
  const used = new Set(
    Array.from(places).flatMap(([key, at]) => (ruled.has(at) || isStructure(key) ? [at] : [])),
  )
  return {
    unknown: Array.from(columns.keys()).filter((at) => !used.has(at)),
    numbers: Array.from(ruled).flatMap(([at, { isNumber }]) => (isNumber ? [at] : [])),
    rules: ruled,
  }
}

/** Returns the column whose prices are without tax, if the shop has prices with it and the file none. */
export function taxExcludedColumn(
  { taxExcluded, taxIncluded }: FileFormat,
  columns: readonly string[],
  { pricesIncludeTax }: Shop,
): string | undefined {
  const find = (pattern: RegExp | undefined) =>
    pattern && columns.find((column) => pattern.test(columnKey(column)))
  return pricesIncludeTax && find(taxIncluded) === undefined ? find(taxExcluded) : undefined
}

/** How the records of a file are read. */
export interface ConversionOptions {
  readonly format: FileFormat
  readonly columns: readonly string[]
  readonly target: ImportTarget
  readonly shop: Shop
  /** Returns the fields of cells that are no columns of the format, but named by the request. */
  readonly toAdded?: (cells: readonly string[]) => Fields
  /** The places of columns whose numbers have a decimal comma. */
  readonly decimalCommas: ReadonlySet<number>
  /** Returns what the shop cannot have of the fields of a row; undefined if that is not looked at yet. */
  readonly issuesOf?: ((fields: Fields) => readonly FieldIssue[]) | undefined
}

/** A record, and what its cells led to that a field cannot have. */
interface ReadRecord extends ForeignRecord {
  readonly warnings: RowWarning[]
  readonly cells: readonly string[]
}

/** Returns what reads the cells of records. */
export function recordReader({
  format,
  columns,
  shop,
  decimalCommas,
}: Pick<ConversionOptions, 'format' | 'columns' | 'shop' | 'decimalCommas'>) {
  const places = placesOf(format, columns)
  const compiled = new WeakMap<ColumnRules, readonly (readonly [string, ColumnRules[string]])[]>()
  const presentRules = (rules: ColumnRules) => {
    const known = compiled.get(rules)
    if (known) return known
    const present = Object.entries(rules).filter(([column]) => places.has(columnKey(column)))
    compiled.set(rules, present)
    return present
  }
  const matchesOf = memoize((pattern: RegExp) =>
    columns.flatMap((column, at) => {
      const [, found] = pattern.exec(column) ?? []
      return found === undefined ? [] : [[found, at] as const]
    }),
  )
  const placeOf = memoize((column: string) => places.get(columnKey(column)))
  return ({ value, line, record }: RawRecord): ReadRecord => {
    const warnings: RowWarning[] = []
    const warn: CellContext['warn'] = (field, value, message) => {
      warnings.push({ row: record, field, value, message })
    }
    const cell = (column: string): string => {
      const at = placeOf(column)
      return at === undefined ? '' : textAt(value[at], decimalCommas.has(at))
    }
    return {
      ...{ line, record, cell, shop, warn },
      has: (column) => placeOf(column) !== undefined,
      matching: (pattern) =>
        matchesOf(pattern).map(([found, at]) => [found, textAt(value[at], decimalCommas.has(at))]),
      fields: (rules) =>
        presentRules(rules)
          .map(([column, rule]) => rule.read(cell(column), { shop, warn }))
          .reduce<Fields>(mergeFields, {}),
      warnings,
      cells: typeof value === 'string' ? [] : value,
    }
  }
}

/** Returns the text of a cell without outer blanks. */
function textAt(cell: string | undefined, isDecimalComma: boolean): string {
  const text = removeFormulaQuote(cell?.trim() ?? '')
  return isDecimalComma ? fromDecimalComma(text) : text
}

function memoize<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, find(key))
    return known.get(key) as Value
  }
}

/** The fields of which a wrong value is an error of its row, since without them it would be another product. */
const essential: ReadonlySet<string> = new Set([
  ...['sku', 'name', 'price', 'stock', 'options', 'variant_of_sku', 'currency'],
])

/** Leaves out fields that the shop cannot have, and tells so. */
function withoutInvalid(
  fields: Fields,
  record: number,
  issues: readonly FieldIssue[],
): { readonly fields: Fields; readonly warnings: readonly RowWarning[] } {
  const left = issues.filter(({ field }) => !essential.has(rootOf(field)))
  if (left.length === 0) return { fields, warnings: [] }
  const attributes = withoutAttributes(fields['attributes'], left)
  const roots = new Set(left.map(({ field }) => rootOf(field)))
  const kept = Object.entries(fields).filter(([name]) => !roots.has(name))
  return {
    fields: { ...Object.fromEntries(kept), ...(attributes && { attributes }) },
    warnings: left.map(({ field, message }) => {
      const told = isOfAttribute(field) ? field : rootOf(field)
      return { row: record, field: told, value: textOfField(fields, rootOf(field)), message }
    }),
  }
}

const isOfAttribute = (field: string): boolean => field.startsWith('attributes.')

/** Returns the attributes without which none is wrong; undefined if that cannot be told, or all are right. */
function withoutAttributes(attributes: unknown, issues: readonly FieldIssue[]): Fields | undefined {
  const fields = issues.map(({ field }) => field).filter((field) => rootOf(field) === 'attributes')
  if (!isObject(attributes) || fields.length === 0 || !fields.every(isOfAttribute)) return undefined
  const isWrong = (name: string) =>
    fields.some((field) => `${field}[`.startsWith(`attributes.${name}[`))
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !isWrong(name)))
}

/** Turns the records of a file, from a position on, into rows. A place in a unit is a number of its rows. */
export async function* convertRecords(
  records: AsyncIterable<RawRecord>,
  start: Position,
  reader: FormatReader,
  options: ConversionOptions,
): AsyncGenerator<FileRow> {
  const rowsOf = unitConverter(reader, options)
  const place =
    options.format.unit &&
    placesOf(options.format, options.columns).get(columnKey(options.format.unit))
  const keyOf = ({ value }: RawRecord): string | undefined =>
    typeof place === 'number' ? value[place]?.trim() || undefined : undefined
  let done = start.rows ?? 0
  for await (const unit of readUnits(records, start, keyOf)) {
    const rows = rowsOf(unit.records)
    const end = unit.records.at(-1)?.next ?? unit.start
    for (const [at, row] of rows.entries()) {
      if (at < done) continue
      const isLast = at === rows.length - 1
      yield { ...row, records: unit.records, next: isLast ? end : { ...unit.start, rows: at + 1 } }
    }
    done = 0
  }
}

type PlacedRow = Omit<FileRow, 'next'>

function unitConverter(
  reader: FormatReader,
  {
    target,
    columns,
    shop,
    issuesOf = () => [],
    toAdded = () => ({}),
    ...options
  }: ConversionOptions,
): (records: readonly RawRecord[]) => readonly PlacedRow[] {
  const read = recordReader({ ...options, columns, shop })
  return (records) => {
    const rejected = records.flatMap((raw): PlacedRow[] => {
      const { line, record } = raw
      const errors = catchRowErrors(() => {
        requireReadable(raw, columns)
        return null
      })
      return errors === null ? [] : [{ line, record, fields: {}, row: errors }]
    })
    const broken = new Set(rejected.map(({ record }) => record))
    const unit = records.filter(({ record }) => !broken.has(record)).map(read)
    const rows = reader.rows(unit).map(({ at, fields: found, isSkuMade = false }): PlacedRow => {
      const { line, record, cells, warnings: told = [] } = unit[at] as ReadRecord
      const given = { ...found, ...withoutNulls(toAdded(cells)) }
      const { fields, warnings } = withoutInvalid(given, record, issuesOf(given))
      // What the cells of a record led to is told with its first row.
      const all = [...told.splice(0), ...warnings]
      const row = catchRowErrors(() => ({ key: target.keyOf(fields), fields }))
      return { line, record, fields, row, warnings: all, isSkuMade }
    })
    return [...rows, ...rejected].sort((one, other) => one.record - other.record)
  }
}
