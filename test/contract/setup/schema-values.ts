import fc from 'fast-check'
import { Compile } from 'typebox/schema'
import type { OpenApiDocument } from '#http/openapi/document.ts'
import { type Node, resolve } from '#test/support/openapi.ts'

interface Schema extends Node {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly format?: string
}

/** Values made from the schemas of a document alone. */
export interface SchemaValues {
  /** Returns values that the schema allows, its limits among them. */
  readonly valid: (schema: Node) => readonly unknown[]
  /** Returns values that the schema rejects: other types, beyond limits, in another form. */
  readonly invalid: (schema: Node) => readonly unknown[]
  /** Returns whether a value is valid for a schema. */
  readonly check: (schema: Node, value: unknown) => boolean
}

/** Creates the values of a document; `seed` makes them repeatable. */
export function createSchemaValues(document: OpenApiDocument, seed: number): SchemaValues {
  const validators = new Map<string, ReturnType<typeof Compile>>()
  const check = (schema: Node, value: unknown): boolean => {
    const key = JSON.stringify(schema)
    const validator = validators.get(key) ?? Compile({ ...document, ...schema })
    validators.set(key, validator)
    return validator.Check(value)
  }
  const distinct = (values: readonly unknown[]): unknown[] => [
    ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
  ]
  const read = (schema: Node): Schema => resolve(document, schema)
  const valid = (schema: Node): unknown[] =>
    distinct(candidates(read(schema), valid, seed)).filter((value) => check(schema, value))
  const invalid = (schema: Node): unknown[] =>
    distinct(wrongValues(read(schema), invalid)).filter((value) => !check(schema, value))
  return { valid, invalid, check }
}

type Values = (schema: Node) => unknown[]

const typesOf = ({ type = [] }: Schema): readonly string[] => [type].flat()

function candidates(schema: Schema, valid: Values, seed: number): unknown[] {
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return variants.flatMap(valid)
  if (schema.enum) return schema.enum.slice(0, 4)
  if (schema.const !== undefined) return [schema.const]
  return typesOf(schema).flatMap((type): unknown[] => {
    if (type === 'null') return [null]
    if (type === 'boolean') return [true, false]
    if (type === 'integer' || type === 'number') return numbers(schema)
    if (type === 'string') return texts(schema, seed)
    if (type === 'array') return lists(schema, valid)
    return [objectOf(schema, valid)]
  })
}

function numbers({ minimum = 0, maximum, exclusiveMaximum = 1e6, multipleOf = 1 }: Schema) {
  const last = maximum ?? exclusiveMaximum - multipleOf
  return [minimum, minimum + multipleOf, 35 * multipleOf, last]
}

const exampleOfFormat: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2036-01-31T12:00:00.000Z', '2036-01-31T12:00:00+02:00'],
  email: ['someone@example.com'],
  uri: ['https://example.com/a?b=c'],
}

function texts(
  { format, pattern, minLength = 0, maxLength = 300 }: Schema,
  seed: number,
): string[] {
  const known = exampleOfFormat[format ?? '']
  if (known) return [...known]
  const repeated = [
    'é'.repeat(Math.max(minLength, 1)),
    'x'.repeat(maxLength),
    '🫖'.repeat(minLength),
  ]
  if (pattern === undefined) return repeated
  const matching = fc.stringMatching(new RegExp(pattern, 'u'), { maxLength })
  return [...repeated, ...fc.sample(matching, { numRuns: 4, seed })].filter((text) => {
    const { length } = [...text]
    return text.isWellFormed() && length >= minLength && length <= maxLength
  })
}

function lists({ items = {}, minItems = 0 }: Schema, valid: Values): unknown[] {
  const entries = valid(items)
  return [[], entries.slice(0, 1), entries.slice(0, Math.max(minItems, 2))]
}

/** Every property with its first valid value. */
const objectOf = ({ properties = {} }: Schema, valid: Values): unknown =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      valid(property)
        .slice(0, 1)
        .map((value) => [name, value]),
    ),
  )

const ofEveryType = [null, true, 5, 'text that no enum has', [], {}, [[]], { unknown: 1 }]

function wrongValues(schema: Schema, invalid: Values): unknown[] {
  const { minimum, maximum, exclusiveMaximum, multipleOf, minLength, maxLength, maxItems } = schema
  const { items } = schema
  return [
    ...ofEveryType,
    ...[-1, 0.123456, 1.5, 1e300],
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(exclusiveMaximum === undefined ? [] : [exclusiveMaximum]),
    ...(multipleOf === undefined ? [] : [multipleOf / 10]),
    ...['', ' ', 'a\0b', 'no date\n'],
    ...(minLength ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, (_, at) => at + 1)]),
    ...(items === undefined ? [] : invalid(items).map((entry) => [entry])),
  ]
}
