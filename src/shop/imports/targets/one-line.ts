import type { TSchema } from 'typebox'
import { createMessage } from '#i18n/message.ts'
import { type Shape, shapeOf, withoutNull } from '#schema/shape.ts'
import { type FieldIssue, fieldProblem } from '#values/problem.ts'
import { isObject } from '../file/columns.ts'

/** The longest text that is a name or the like: it has one line in a file, where an open quote would add others. */
const maxNameLength = 200

const hasBreak = (text: string): boolean => /[\r\n]/.test(text.trim())

function brokenFields(value: unknown, shape: Shape, field: string): readonly string[] {
  const of = withoutNull(shape)
  if (of.kind === 'union') {
    return [...new Set(of.variants.flatMap((each) => brokenFields(value, each, field)))]
  }
  if (of.kind === 'text' && typeof value === 'string') {
    return (of.schema.maxLength ?? Infinity) <= maxNameLength && hasBreak(value) ? [field] : []
  }
  if (of.kind === 'list' && Array.isArray(value)) {
    return value.flatMap((each, at) => brokenFields(each, of.items, `${field}[${at}]`))
  }
  if (!('members' in of) || !isObject(value)) return []
  const pathOf = (name: string) => (field === '' ? name : `${field}.${name}`)
  return Object.entries(value).flatMap(([name, each]) => {
    const member = of.members.find((known) => known.name === name)?.shape
    const inner = member ?? (of.kind === 'map' ? of.values : undefined)
    if (!inner) return []
    return !member && hasBreak(name) ? [pathOf(name)] : brokenFields(each, inner, pathOf(name))
  })
}

/** Returns an issue for each name and the like of fields that has line breaks. */
export const lineBreakIssues = (schema: TSchema, fields: object): readonly FieldIssue[] =>
  brokenFields(fields, shapeOf(schema), '').map((field) => ({
    field,
    message: createMessage('import.line_break'),
  }))

/** Throws 422/4221 for names and the like of fields that have line breaks, unless they are stored so. */
export function requireOneLine(
  schema: TSchema,
  fields: object,
  isStored: (field: string) => boolean,
): void {
  const issues = lineBreakIssues(schema, fields).filter(({ field }) => !isStored(field))
  if (issues.length > 0) throw fieldProblem(issues)
}
