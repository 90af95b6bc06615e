import { requireBoundedJson } from '#http/codec/json-bounds.ts'
import { createMessage, type Message } from '#i18n/message.ts'
import { type FieldIssue, fieldProblem } from '#values/problem.ts'
import { columnKey, isKnownColumn, isObject, nearestTo } from './columns.ts'

/** The fields that columns are by their places; null for one that is ignored. */
export type Mapping = Readonly<Record<number, string | null>>

type Bodies = Parameters<typeof isKnownColumn>[1]

const namedColumns = 20

/** Returns what a request says of columns, by their names. Throws 422/4221 for other texts than an object of JSON. */
export function parseMapping(text: string): ReadonlyMap<string, string | null> {
  let value: unknown
  try {
    requireBoundedJson(text)
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  const entries = isObject(value) ? Object.entries(value) : undefined
  if (!entries?.every((entry): entry is [string, string | null] => isField(entry[1]))) {
    throw fieldProblem([{ field: 'mapping', message: createMessage('import.mapping') }])
  }
  return new Map(entries)
}

const isField = (value: unknown): boolean => value === null || typeof value === 'string'

/** Returns a mapping by the places of columns. Throws 422/4221 for unknown columns and fields, with those most like them. */
export function placeMapping(
  named: ReadonlyMap<string, string | null>,
  columns: readonly string[],
  bodies: Bodies,
): Mapping {
  const places = new Map(columns.map((column, at) => [columnKey(column), at]))
  const issues: FieldIssue[] = []
  const add = (column: string, message: Message): void => {
    issues.push({ field: `mapping.${column}`, message })
  }
  const mapping: Record<number, string | null> = {}
  for (const [column, field] of named) {
    const place = places.get(columnKey(column))
    if (place === undefined) {
      const names = columns.slice(0, namedColumns).join(', ')
      add(column, createMessage('import.mapping_column', { columns: names }))
    } else if (field !== null && !isKnownColumn(field, bodies)) {
      const nearest = nearestTo([field], bodies).join(', ')
      add(column, createMessage('import.mapping_field', { field, nearest }))
    } else mapping[place] = field
  }
  if (issues.length > 0) throw fieldProblem(issues)
  return mapping
}
