import type { TObject } from 'typebox'
import { removeFormulaQuote } from '#http/codec/csv/cells.ts'
import { readTypedCell } from '#http/codec/csv/typed-cell.ts'
import { coerceText } from '#http/codec/wire-text.ts'
import { createMessage } from '#i18n/message.ts'
import { type ObjectShape, objectShapeOf, type Shape, withoutNull } from '#schema/shape.ts'
import { likenessOf } from '#values/likeness.ts'
import { type FieldIssue, fieldProblem, maxIssues } from '#values/problem.ts'
import { fileFormats } from '../formats/format.ts'
import { templatesPath } from '../schema.ts'
import type { ImportedResource } from '../table.ts'
import { fromDecimalComma } from './decimal-sign.ts'

const linkFields: readonly string[] = ['_links', 'links']

/** The bodies whose fields the columns are: in the first and in the latest version of the API. */
interface Bodies {
  readonly body: TObject
  readonly latestBody: TObject
  /** What a row may have only as it is. */
  readonly readOnly?: { readonly names: readonly string[] }
  /** What nobody fills in. */
  readonly exportedOnly?: readonly string[]
}

/** The columns of which rows are found by one. */
interface KeyColumns extends Bodies {
  readonly keyFields: readonly string[]
}

/** Sets the value of a cell in a row. */
type SetCell = (row: Record<string, unknown>, cell: string) => void

/** What a column of a file is for: a field, nothing that an import changes, or nothing at all. */
type Column =
  | {
      readonly kind: 'field'
      /** The field, or its member such as `options.Size`; null for one that is only compared. */
      readonly field: string | null
      readonly isNumber: boolean
      readonly set: SetCell
    }
  | { readonly kind: 'read only' | 'unknown' }

/** The columns of a CSV file, by their places. */
export interface CompiledColumns {
  /** Turns the cells of a row into the fields of a body. */
  readonly toFields: (cells: readonly string[]) => Record<string, unknown>
  /** The columns that mean nothing. */
  readonly unknown: readonly number[]
  /** The columns of numbers. */
  readonly numbers: readonly number[]
  /** The fields of columns; null for one that changes none. */
  readonly fields: readonly (string | null)[]
}

const isNumeric = ({ kind }: Shape): boolean =>
  kind === 'integer' || kind === 'number' || kind === 'money'

/** Returns the text of a cell of numbers as JSON writes it. */
function numberText(text: string, { kind }: Shape, isDecimalComma: boolean): string {
  const decimal = isDecimalComma ? fromDecimalComma(text) : text
  // Spreadsheets write whole numbers so, too.
  return kind === 'integer' ? decimal.replace(/\.0+$/, '') : decimal
}

/** Returns the value of a cell: null if it is empty; a list or an object is JSON. */
function readCell(cell: string, shape: Shape, isDecimalComma: boolean): unknown {
  if (cell === '') return null
  const text = removeFormulaQuote(cell)
  const value = withoutNull(shape)
  if (isNumeric(value)) return coerceText(numberText(text, value, isDecimalComma), value)
  if (value.kind === 'boolean') return coerceText(text.toLowerCase(), value)
  if (value.kind === 'union') return readTypedCell(text)
  if (value.kind !== 'list' && !('members' in value)) return coerceText(text, value)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The form in which columns repeat each other: names of members differ however much alike they are. */
function keyOfMember(column: string): string {
  const [first = '', ...rest] = column.split('.')
  return [columnKey(first), ...rest].join('.')
}

/** The form in which names of columns are compared: `Regular Price` is `regular_price`. */
export const columnKey = (column: string): string =>
  column
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')

/** True for a column that is a field of a body, or of what exports have besides. */
export const isKnownColumn = (column: string, bodies: Bodies): boolean =>
  columnOf(column, bodies, false).kind !== 'unknown'

/** The columns of a file: as many as a spreadsheet can have. */
export const maxColumns = 16_384
/** The columns of a file that a problem names. */
const namedColumns = 20
/** The fields that a problem names because columns have names like theirs. */
const nearestFields = 3

/** Throws 422/4221 for a file that has too many columns. */
export function requireFewColumns(columns: readonly string[]): void {
  if (columns.length <= maxColumns) return
  const message = createMessage('import.many_columns', { limit: maxColumns })
  throw fieldProblem([{ field: 'body', message }])
}

/**
 * Throws 422/4221 for a file that has too many columns, repeats one, or has none by which its rows are found: it then
 * tells the columns that the file has, and the fields with the names nearest to them.
 */
export function requireKeyColumn(
  columns: readonly string[],
  { keyFields, ...bodies }: KeyColumns,
  resource: ImportedResource,
): void {
  requireFewColumns(columns)
  compileColumns(columns, bodies)
  if (columns.some((column) => keyFields.includes(columnKey(column)))) return
  const named = columns.slice(0, namedColumns).join(', ')
  const advice = adviceFor(columns, bodies, resource)
  const message = createMessage('import.no_key_column', { columns: named, ...advice })
  throw fieldProblem([{ field: keyFields[0] ?? '', message }])
}

/** Returns what a message tells whose columns fit nothing: the nearest fields, whose exports fit, and the template. */
export const adviceFor = (
  columns: readonly string[],
  bodies: Bodies,
  resource: ImportedResource,
) => ({
  nearest: nearestTo(columns.slice(0, namedColumns), bodies).join(', '),
  // Other systems export products.
  formats: (resource === 'products' ? fileFormats : fileFormats.slice(0, 1)).join(', '),
  template: `${templatesPath}/${resource}`,
})

/** Returns the fields whose names are most like those of columns. */
export function nearestTo(
  columns: readonly string[],
  { body, exportedOnly = [] }: Bodies,
): readonly string[] {
  const keys = columns.map(columnKey)
  const likeness = (name: string) => Math.max(...keys.map((key) => likenessOf(key, name)))
  return objectShapeOf(body)
    .members.filter(({ name }) => !exportedOnly.includes(name))
    .map(({ name }) => ({ name, likeness: likeness(name) }))
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, nearestFields)
    .map(({ name }) => name)
}

/** The names of the fields of a body, and of what exports have besides. */
export function fieldNamesOf({ body }: Bodies): ReadonlySet<string> {
  const { members, ignored = [] } = objectShapeOf(body)
  return new Set([...members.map(({ name }) => name), ...ignored, ...linkFields])
}

/**
 * Compiles the columns of a CSV file, of which those in `decimalCommas` have numbers with a decimal comma. Throws
 * 422/4221, naming each, for repeated columns.
 */
export function compileColumns(
  columns: readonly string[],
  bodies: Bodies,
  decimalCommas: ReadonlySet<number> = new Set(),
): CompiledColumns {
  const issues: FieldIssue[] = []
  const compiled: Column[] = []
  const known = new Set<string>()
  for (const [at, column] of columns.entries()) {
    const found = columnOf(column, bodies, decimalCommas.has(at))
    const key = keyOfMember(column)
    if (found.kind === 'field' && known.has(key)) {
      issues.push({ field: column, message: createMessage('import.repeated_column') })
      if (issues.length >= maxIssues) break
    }
    known.add(key)
    compiled.push(found)
  }
  if (issues.length > 0) throw fieldProblem(issues)
  const placesOf = (isWanted: (column: Column) => boolean) =>
    compiled.flatMap((column, at) => (isWanted(column) ? [at] : []))
  return {
    unknown: placesOf(({ kind }) => kind === 'unknown'),
    numbers: placesOf((column) => column.kind === 'field' && column.isNumber),
    fields: compiled.map((column) => (column.kind === 'field' ? column.field : null)),
    toFields: (cells) => {
      const row: Record<string, unknown> = {}
      for (const [at, column] of compiled.entries()) {
        if (column.kind === 'field') column.set(row, cells[at] ?? '')
      }
      return row
    },
  }
}

/** Finds the field of a column, or of a member of one such as `rating.average`, by its name or one like it. */
function columnOf(column: string, bodies: Bodies, isDecimalComma: boolean): Column {
  const { body, latestBody, readOnly } = bodies
  const shape = objectShapeOf(body)
  const [first = '', ...rest] = column.split('.')
  const name = fieldOf(shape, first) ? first : columnKey(first)
  // It must be the shop's, as the codec says.
  if (name === 'currency' && rest.length === 0)
    return { kind: 'field', field: name, isNumber: false, set: setCurrency }
  const field = fieldOf(shape, name)
  if (readOnly?.names.includes(name)) {
    return { kind: 'field', field: null, isNumber: false, set: setReadOnly(name, rest.join('.')) }
  }
  if (linkFields.includes(name) || (!field && shape.ignored?.includes(name))) {
    return { kind: 'read only' }
  }
  if (field && rest.length === 0) {
    const set: SetCell = (row, cell) => {
      row[name] = readCell(cell, field, isDecimalComma)
    }
    return { kind: 'field', field: name, isNumber: isNumeric(withoutNull(field)), set }
  }
  const latestField = field && fieldOf(objectShapeOf(latestBody), name)
  return (
    (latestField && memberColumn(name, rest.join('.'), latestField, isDecimalComma)) ?? {
      kind: 'unknown',
    }
  )
}

/** Sets a field that is compared, which is JSON, or a member of it. */
const setReadOnly =
  (name: string, member: string): SetCell =>
  (row, cell) => {
    const value = cell === '' ? null : readTypedCell(removeFormulaQuote(cell))
    if (member !== '') setMember(row, name, member, value)
    else row[name] = value
  }

const setCurrency: SetCell = (row, cell) => {
  if (cell !== '') row['currency'] = cell
}

/** The shape of a field of an object; undefined if the object does not name it. */
const fieldOf = ({ members }: ObjectShape, name: string): Shape | undefined =>
  members.find((member) => member.name === name)?.shape

/** True for an object of JSON. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Sets a member of a field. Thousands of columns may set one each, so those before are not copied; without a prototype,
 * every name is that of a member. A value that has no members stays, to be rejected.
 */
function setMember(
  row: Record<string, unknown>,
  name: string,
  member: string,
  value: unknown,
): void {
  const members = membersOf(row, name)
  if (members) members[member] = value
}

/** Returns the members of a field, to be set; undefined for a value that has none. */
function membersOf(
  row: Record<string, unknown>,
  name: string,
): Record<string, unknown> | undefined {
  const before = row[name] ?? {}
  if (!isObject(before)) return undefined
  const isOwn = Object.getPrototypeOf(before) === null
  const members: Record<string, unknown> = isOwn
    ? before
    : Object.assign(Object.create(null), before)
  row[name] = members
  return members
}

/** A column of a member of an object: of one with any members, or of one that the latest version has. */
function memberColumn(
  name: string,
  member: string,
  shape: Shape,
  isDecimalComma: boolean,
): Column | undefined {
  const object = withoutNull(shape)
  if (!('members' in object) || member === '') return undefined
  const known = fieldOf(object, member)
  const field = known ?? (object.kind === 'map' ? object.values : undefined)
  if (!field) return nestedColumn(name, member, object, isDecimalComma)
  // An amount is a text.
  const isAmount = object.kind === 'amount' && member === 'amount'
  const set: SetCell = (row, cell) => {
    // An empty cell of one member says nothing about the others.
    if (cell !== '') {
      const value =
        isAmount && isDecimalComma ? fromDecimalComma(cell) : readCell(cell, field, false)
      setMember(row, name, member, value)
    } else if (known) row[name] ??= null
  }
  return { kind: 'field', field: `${name}.${member}`, isNumber: isAmount, set }
}

/** A column of a member of an object in an object, such as `shipping.address.city`. */
function nestedColumn(
  name: string,
  member: string,
  object: ObjectShape,
  isDecimalComma: boolean,
): Column | undefined {
  const [first = '', ...rest] = member.split('.')
  const inner = fieldOf(object, first)
  const column = inner && memberColumn(first, rest.join('.'), inner, isDecimalComma)
  if (column?.kind !== 'field') return column
  const set: SetCell = (row, cell) => {
    const members = cell === '' ? undefined : membersOf(row, name)
    if (members) column.set(members, cell)
  }
  return { ...column, set }
}
