import type { Schema } from '../api/document.ts'
import type { Body } from '../api/json.ts'

/** A field of a form and its schema. */
export type FormField = readonly [name: string, schema: Schema]

type Choice = (schema: Schema, body: Body) => Schema | undefined

/** The value of a discount: a share as text, an amount, or nothing for free shipping. */
const discountValue: Choice = ({ anyOf = [] }, { kind }) => {
  const type = kind === 'percent' ? 'string' : kind === 'amount' ? 'number' : undefined
  return type && anyOf.find((each) => each.type === type)
}

/** Fields whose schema depends on another field of the same body, by path and name. */
const choices: Readonly<Record<string, Choice>> = {
  '/discounts value': discountValue,
  '/discounts/{discountId} value': discountValue,
}

/** The fields that the body has a place for, with the schemas that its other fields select. */
export const selectFields = (
  template: string,
  fields: readonly FormField[],
  body: Body,
): readonly FormField[] =>
  fields.flatMap(([name, schema]) => {
    const choose = choices[`${template} ${name}`]
    const chosen = choose ? choose(schema, body) : schema
    return chosen ? [[name, chosen] as const] : []
  })

/** The body with dependent fields in the type of their selected schema; null where they have no place. */
export function convertFields(template: string, fields: readonly FormField[], body: Body): Body {
  const selected = new Map(selectFields(template, fields, body))
  const dependent = fields.filter(([name]) => `${template} ${name}` in choices)
  const converted = dependent.map(([name]) => {
    const value = body[name] ?? null
    const type = selected.get(name)?.type
    if (type === undefined || value === null || value === '') return [name, null]
    return [
      name,
      type === 'number' && Number.isFinite(Number(value)) ? Number(value) : String(value),
    ]
  })
  return { ...body, ...Object.fromEntries(converted) }
}
