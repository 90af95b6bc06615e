import type { TObject, TSchema } from 'typebox'
import type { Keywords, Schema } from './keywords.ts'

/** A field of an object. */
export interface Member {
  readonly name: string
  readonly shape: Shape
  readonly isRequired: boolean
}

/** What a schema describes. Whoever reads schemas switches over `kind`. */
export type Shape = { readonly schema: Keywords } & (
  | {
      readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'money' | 'instant' | 'identifier'
    }
  /** The links of a resource, and a value without a type. */
  | { readonly kind: 'links' | 'any' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  /** A value or null. */
  | { readonly kind: 'nullable'; readonly of: Shape }
  | { readonly kind: 'union'; readonly variants: readonly Shape[] }
  | { readonly kind: 'list'; readonly items: Shape }
  /** An object of known fields; an `amount` is that of an amount of money and its currency. */
  | ({ readonly kind: 'object' | 'amount' } & Members)
  /** An object of any names, besides those of its members. */
  | ({ readonly kind: 'map'; readonly values: Shape } & Members)
)

interface Members {
  readonly members: readonly Member[]
  /** The names of fields that are accepted and ignored; undefined but for a `requestBody`. */
  readonly ignored: readonly string[] | undefined
  /** True if there may be any other field. */
  readonly isOpen: boolean
}

/** The shape of an object. */
export type ObjectShape = Extract<Shape, Members>

const shapes = new WeakMap<TSchema, Shape>()

/** Returns the shape of an object. Throws a TypeError for any other schema. */
export function objectShapeOf(schema: TObject): ObjectShape {
  const shape = shapeOf(schema)
  if ('members' in shape) return shape
  throw new TypeError(`A ${shape.kind} is no object`)
}

/** Returns the shape of a value that is not null. */
export const withoutNull = (shape: Shape): Shape => (shape.kind === 'nullable' ? shape.of : shape)

/** Returns the shape of a schema, which is read once. */
export function shapeOf(schema: TSchema): Shape {
  const known = shapes.get(schema)
  if (known) return known
  const shape = readShape(schema as Schema)
  shapes.set(schema, shape)
  return shape
}

function readShape(schema: Schema): Shape {
  const { type, logical, anyOf, items = {}, additionalProperties } = schema
  if (anyOf) return readUnion(schema, anyOf)
  if (logical === 'money' && type === 'object') return { kind: 'amount', ...readMembers(schema) }
  if (logical) return { kind: logical, schema }
  if (schema.enum) return { kind: 'enum', schema, values: schema.enum }
  switch (type) {
    case 'string':
      return { kind: 'text', schema }
    case 'integer':
    case 'number':
    case 'boolean':
      return { kind: type, schema }
    case 'array':
      return { kind: 'list', schema, items: shapeOf(items) }
    case 'object':
      return typeof additionalProperties === 'object'
        ? { kind: 'map', ...readMembers(schema), values: shapeOf(additionalProperties) }
        : { kind: 'object', ...readMembers(schema) }
    default:
      return { kind: 'any', schema }
  }
}

function readUnion(schema: Schema, anyOf: readonly Schema[]): Shape {
  const variants = anyOf.filter(({ type }) => type !== 'null').map(shapeOf)
  const [first, second] = variants
  const value: Shape = first && !second ? first : { kind: 'union', schema, variants }
  return variants.length < anyOf.length ? { kind: 'nullable', schema, of: value } : value
}

const readMembers = (schema: Schema) => ({
  schema,
  members: Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    shape: shapeOf(property),
    isRequired: schema.required?.includes(name) ?? false,
  })),
  ignored: schema.ignored && Object.keys(schema.ignored),
  isOpen: schema.additionalProperties !== undefined && schema.additionalProperties !== false,
})
