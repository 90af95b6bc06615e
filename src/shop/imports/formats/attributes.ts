import { nameKey } from '#shop/catalogue/products/named-values.ts'
import { isObject } from '../file/columns.ts'
import { wordsOf } from './column-rules.ts'
import type { ColumnRule, Fields } from './format.ts'

/** An attribute of a product of another system. */
export type ForeignAttribute = readonly [name: string, values: readonly string[]]

/** The most values of an attribute, and the longest of several; others are one text. */
const maxValues = 20
const maxValueLength = 200

function attributeValue(values: readonly string[]): string | readonly string[] {
  const [only = ''] = values
  if (values.length === 1) return only
  const isList =
    values.length <= maxValues && values.every(({ length }) => length <= maxValueLength)
  return isList ? values : values.join(', ')
}

/** Returns attributes as the shop has them: those of one name are one, and several values of it are a list. */
export function attributesOf(given: readonly ForeignAttribute[]): Fields {
  const found = new Map<string, { readonly name: string; readonly values: Set<string> }>()
  for (const [column, values] of given) {
    const name = column.trim()
    const present = values.filter((value) => value !== '')
    if (name === '' || present.length === 0) continue
    const known = found.get(nameKey(name))
    if (!known) found.set(nameKey(name), { name, values: new Set(present) })
    else for (const value of present) known.values.add(value)
  }
  if (found.size === 0) return {}
  const attributes = Array.from(found.values(), ({ name, values }) => [
    name,
    attributeValue([...values]),
  ])
  return { attributes: Object.fromEntries(attributes) }
}

/** A column that is an attribute; of several words between separators it is a list. */
export const attribute = (name: string, separator?: string): ColumnRule => ({
  read: (cell) =>
    attributesOf([[name, separator === undefined ? [cell] : wordsOf(cell, separator)]]),
})

/** Returns fields with further attributes, without those of these names. */
export function withAttributes(
  fields: Fields,
  added: readonly ForeignAttribute[],
  without: readonly string[] = [],
): Fields {
  const names = new Set(without.map(nameKey))
  const { attributes } = attributesOf(added.filter(([name]) => !names.has(nameKey(name))))
  if (!isObject(attributes)) return fields
  const own = fields['attributes']
  return { ...fields, attributes: { ...(isObject(own) ? own : {}), ...attributes } }
}
