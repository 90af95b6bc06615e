import type { TSchema } from 'typebox'
import { coerceText } from '#http/codec/wire-text.ts'
import { createMessage } from '#i18n/message.ts'
import { type FieldIssue, fieldProblem, maxIssues } from '#values/problem.ts'

interface BodyShape {
  readonly properties: Readonly<Record<string, TSchema>>
  /** What an export has besides, which is ignored. */
  readonly ignored?: object
}

interface ValueShape {
  readonly type?: string
  readonly anyOf?: readonly ValueShape[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly additionalProperties?: TSchema | boolean
}

const linkFields: readonly string[] = ['_links', 'links']

/** The bodies whose fields the columns are: in the first and in the latest version of the API. */
interface Bodies {
  readonly body: BodyShape
  readonly latestBody: BodyShape
}

/** A column, and what sets the value of a cell; undefined for a column that is ignored. */
type SetCell = ((row: Record<string, unknown>, cell: string) => void) | undefined

const variantOf = (schema: TSchema): ValueShape => {
  const shape = schema as ValueShape
  return shape.anyOf?.find(({ type }) => type !== 'null') ?? shape
}

// A cell that a spreadsheet would take for a formula gets a quote in exports.
const guardedCell = /^'[=+\-@'\t\r]/

/** Returns the value of a cell: null if it is empty; a list or a map is JSON. */
function readCell(cell: string, schema: TSchema): unknown {
  if (cell === '') return null
  const text = guardedCell.test(cell) ? cell.slice(1) : cell
  const { type } = variantOf(schema)
  if (type !== 'object' && type !== 'array') return coerceText(text, schema)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What spreadsheets write between cells in countries where the comma is in numbers. */
const otherSeparator = /[;\t]/

/**
 * Compiles the columns of a CSV file: the result turns the cells of a row into the fields of a body.
 * Throws 422/4221, naming each, for unknown and repeated columns.
 */
export function compileColumns(
  columns: readonly string[],
  bodies: Bodies,
): (cells: readonly string[]) => Record<string, unknown> {
  const issues: FieldIssue[] = []
  const setters: SetCell[] = []
  // A header may have hundreds of thousands of columns.
  const known = new Set<string>()
  for (const column of columns) {
    if (known.has(column)) {
      issues.push({ field: column, message: createMessage('import.repeated_column') })
    } else setters.push(setterOf(column, bodies, issues))
    known.add(column)
    if (issues.length >= maxIssues) break
  }
  if (issues.length > 0) throw fieldProblem(issues)
  return (cells) => {
    const row: Record<string, unknown> = {}
    for (const [at, set] of setters.entries()) set?.(row, cells[at] ?? '')
    return row
  }
}

function setterOf(
  column: string,
  { body: { properties, ignored = {} }, latestBody }: Bodies,
  issues: FieldIssue[],
): SetCell {
  const [name = '', ...rest] = column.split('.')
  if (linkFields.includes(name) || Object.hasOwn(ignored, name)) return undefined
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (schema && rest.length === 0) {
    return (row, cell) => {
      row[name] = readCell(cell, schema)
    }
  }
  const latestSchema = schema && latestBody.properties[name]
  const setMember = latestSchema && memberSetter(name, rest.join('.'), latestSchema)
  if (setMember) return setMember
  const key = otherSeparator.test(column) ? 'import.separator' : 'import.unknown_column'
  issues.push({ field: column, message: createMessage(key) })
  return undefined
}

/** Sets a member of an object: of one with any members, or of one that the latest version has. */
function memberSetter(name: string, member: string, object: TSchema): SetCell {
  const { properties = {}, additionalProperties } = variantOf(object)
  const isKnown = Object.hasOwn(properties, member)
  const schema = isKnown ? properties[member] : additionalProperties
  if (typeof schema !== 'object' || member === '') return undefined
  return (row, cell) => {
    // An empty cell of one member says nothing about the others.
    if (cell !== '') row[name] = { ...(row[name] as object), [member]: readCell(cell, schema) }
    else if (isKnown) row[name] ??= null
  }
}
