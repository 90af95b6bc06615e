import type { TObject } from 'typebox'
import { removeFormulaQuote } from '#http/codec/csv/cells.ts'
import { coerceText } from '#http/codec/wire-text.ts'
import { createMessage } from '#i18n/message.ts'
import { type ObjectShape, objectShapeOf, type Shape, withoutNull } from '#schema/shape.ts'
import { type FieldIssue, fieldProblem, maxIssues } from '#values/problem.ts'

const linkFields: readonly string[] = ['_links', 'links']

/** The bodies whose fields the columns are: in the first and in the latest version of the API. */
interface Bodies {
  readonly body: TObject
  readonly latestBody: TObject
}

/** A column, and what sets the value of a cell; undefined for a column that is ignored. */
type SetCell = ((row: Record<string, unknown>, cell: string) => void) | undefined

/** Returns the value of a cell: null if it is empty; a list or an object is JSON. */
function readCell(cell: string, shape: Shape): unknown {
  if (cell === '') return null
  const text = removeFormulaQuote(cell)
  const value = withoutNull(shape)
  if (value.kind !== 'list' && !('members' in value)) return coerceText(text, value)
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

function setterOf(column: string, { body, latestBody }: Bodies, issues: FieldIssue[]): SetCell {
  const [name = '', ...rest] = column.split('.')
  const shape = objectShapeOf(body)
  if (linkFields.includes(name) || shape.ignored?.includes(name)) return undefined
  const field = fieldOf(shape, name)
  if (field && rest.length === 0) {
    return (row, cell) => {
      row[name] = readCell(cell, field)
    }
  }
  const latestField = field && fieldOf(objectShapeOf(latestBody), name)
  const setMember = latestField && memberSetter(name, rest.join('.'), latestField)
  if (setMember) return setMember
  const key = otherSeparator.test(column) ? 'import.separator' : 'import.unknown_column'
  issues.push({ field: column, message: createMessage(key) })
  return undefined
}

/** The shape of a field of an object; undefined if the object does not name it. */
const fieldOf = ({ members }: ObjectShape, name: string): Shape | undefined =>
  members.find((member) => member.name === name)?.shape

/** Sets a member of an object: of one with any members, or of one that the latest version has. */
function memberSetter(name: string, member: string, shape: Shape): SetCell {
  const object = withoutNull(shape)
  if (!('members' in object) || member === '') return undefined
  const known = fieldOf(object, member)
  const field = known ?? (object.kind === 'map' ? object.values : undefined)
  if (!field) return undefined
  return (row, cell) => {
    // An empty cell of one member says nothing about the others.
    if (cell !== '') row[name] = { ...(row[name] as object), [member]: readCell(cell, field) }
    else if (known) row[name] ??= null
  }
}
