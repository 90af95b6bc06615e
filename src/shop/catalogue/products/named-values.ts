import type { TSchema } from 'typebox'
import { createMessage } from '#i18n/message.ts'
import { mapOf, nullable } from '#schema/words.ts'
import { fieldProblem } from '#values/problem.ts'
import { textKey } from '#values/text-key.ts'

/** The maximum length of the name of an option or the like. */
const maxNameLength = 50

/** The names of options and the like: any text with something to read. */
export const valueNames = { minLength: 1, maxLength: maxNameLength, pattern: '^(?!__proto__$)' }

/** Values by name, or a change of them; null for none. `example` is a name, and `component` that of the map in OpenAPI. */
export const valuesByName = <S extends TSchema>(
  values: S,
  maxProperties: number,
  description: string,
  example: string,
  component?: string,
) => {
  const names = { ...valueNames, examples: [example] }
  const map = mapOf(values, { names, maxProperties }, description)
  return nullable(component === undefined ? map : { ...map, component })
}

/** The pattern of parameters that are a prefix, a dot and a name. */
export const parameterPattern = (prefix: string): string =>
  `${prefix}\\.[\\s\\S]{1,${maxNameLength}}`

/** The form in which names are compared. */
export const nameKey = (name: string): string => textKey(name.toWellFormed())

/** Throws 422/4221 where two names are the same, however they are written. */
export function requireDistinctNames(field: string, names: readonly string[]): void {
  const repeated = names.filter(
    (name, at) => names.findIndex((other) => nameKey(other) === nameKey(name)) < at,
  )
  if (repeated.length === 0) return
  const message = createMessage('field.repeated_name')
  throw fieldProblem(repeated.map((name) => ({ field: `${field}.${name}`, message })))
}

/**
 * Merges a change into values by name, where null removes one. A name keeps the spelling in which it was first
 * written. Throws 422/4221 where two names of the change are the same.
 */
export function mergeByName<V>(
  field: string,
  before: Readonly<Record<string, V>>,
  change: Readonly<Record<string, V | null>>,
): Readonly<Record<string, V>> {
  requireDistinctNames(field, Object.keys(change))
  const merged = new Map(
    Object.entries(before).map(([name, value]) => [nameKey(name), { name, value }]),
  )
  for (const [given, value] of Object.entries(change)) {
    const key = nameKey(given)
    const name = merged.get(key)?.name ?? given
    if (value === null) merged.delete(key)
    else merged.set(key, { name, value })
  }
  return Object.fromEntries(Array.from(merged.values(), ({ name, value }) => [name, value]))
}
