import type { TSchema } from 'typebox'
import { createMessage, type Message } from '#i18n/message.ts'
import { fromIsoText, toIsoText } from '#values/instant.ts'
import { type FieldIssue, maxIssues } from '#values/problem.ts'
import { mapCodec } from './map-codec.ts'
import { amountCodec, moneyCodec } from './money-codec.ts'
import { tooFewMessage, validateText } from './text.ts'

/** How the API represents amounts of money. */
export interface CodecOptions {
  /** The shop's currency (ISO 4217). */
  readonly currency: string
  /** The number of decimals of the shop's currency. */
  readonly currencyDigits: number
}

/** Converts the values of one schema between their form in code and their JSON form in the API. */
export interface Codec {
  /** Returns the JSON form of a value, for `JSON.stringify`. */
  readonly encode: (value: unknown) => unknown
  /**
   * Validates and converts a JSON value. Adds a field issue for each error to `issues` and stops
   * after `maxIssues`; the returned value is of use only if there are none. `field` is the path of
   * the value, such as `items[0]`; empty for a whole body.
   */
  readonly decode: (input: unknown, field: string, issues: FieldIssue[]) => unknown
}

/** The supported subset of JSON Schema, with the keywords of `schema/words.ts`. */
interface Shape {
  readonly logical?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly ignored?: object
  readonly additionalProperties?: boolean | Shape
  readonly propertyNames?: { readonly pattern?: string }
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: Shape
  readonly default?: unknown
  /** The value that null stands for in a merge patch. */
  readonly valueWhenNull?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly format?: string
}

const identity = (value: unknown): unknown => value

/** Compiles the codec of a schema. Throws a TypeError for an unsupported schema. */
export const compileCodec = (schema: TSchema, codecOptions: CodecOptions): Codec =>
  compile(schema as Shape, codecOptions)

function compile(shape: Shape, codecOptions: CodecOptions): Codec {
  if (shape.anyOf) return compileUnion(shape, shape.anyOf, codecOptions)
  if (shape.logical === 'money') {
    return shape.type === 'object' ? amountCodec(codecOptions) : moneyCodec(codecOptions)
  }
  if (shape.logical === 'instant') return instantCodec
  if (shape.enum) return enumCodec(shape.enum)
  switch (shape.type) {
    case 'object':
      return typeof shape.additionalProperties === 'object'
        ? mapCodec(
            shape,
            compile(shape.additionalProperties, codecOptions),
            new Map(
              Object.entries(shape.properties ?? {}).map(([name, property]) => [
                name,
                compile(property, codecOptions),
              ]),
            ),
          )
        : objectCodec(shape, codecOptions)
    case 'array':
      return arrayCodec(shape, codecOptions)
    case 'string':
      return {
        encode: identity,
        decode: (input, field, issues) => validateText(shape, input, field, issues),
      }
    case 'integer':
    case 'number':
      return numberCodec(shape)
    case 'boolean':
      return checkedCodec((input) => typeof input === 'boolean', createMessage('field.boolean'))
    default:
      throw new TypeError(`No codec for ${JSON.stringify(shape)}`)
  }
}

const checkedCodec = (isValid: (input: unknown) => boolean, message: Message): Codec => ({
  encode: identity,
  decode: (input, field, issues) => {
    if (!isValid(input)) issues.push({ field, message })
    return input
  },
})

const enumCodec = (words: readonly unknown[]): Codec =>
  checkedCodec(
    (input) => words.includes(input),
    createMessage('field.enum', { values: words.join(', ') }),
  )

/** A value or null; or a text or a value of another type, or null. */
function compileUnion(
  { valueWhenNull = null }: Shape,
  variants: readonly Shape[],
  codecOptions: CodecOptions,
): Codec {
  const inner = compileVariants(
    variants.filter(({ type }) => type !== 'null'),
    codecOptions,
  )
  if (!variants.some(({ type }) => type === 'null')) return inner
  return {
    encode:
      inner.encode === identity
        ? identity
        : (value) => (value === null ? null : inner.encode(value)),
    decode: (input, field, issues) =>
      input === null ? valueWhenNull : inner.decode(input, field, issues),
  }
}

function compileVariants(variants: readonly Shape[], codecOptions: CodecOptions): Codec {
  const [first, second] = variants
  if (first && !second) return compile(first, codecOptions)
  const text = variants.find(({ type }) => type === 'string')
  const other = variants.find(({ type }) => type !== 'string')
  if (!text || !other || variants.length > 2) throw new TypeError('No codec for such a union')
  const textCodec = compile(text, codecOptions)
  const otherCodec = compile(other, codecOptions)
  return {
    encode: (value) => (typeof value === 'string' ? value : otherCodec.encode(value)),
    decode: (input, field, issues) =>
      (typeof input === 'string' ? textCodec : otherCodec).decode(input, field, issues),
  }
}

const instantCodec: Codec = {
  encode: (value) => toIsoText(value as number),
  decode: (input, field, issues) => {
    const instant = typeof input === 'string' ? fromIsoText(input) : undefined
    if (instant === undefined) issues.push({ field, message: createMessage('field.instant') })
    return instant
  },
}

function numberCodec(shape: Shape): Codec {
  const isInteger = shape.type === 'integer'
  return {
    encode: identity,
    decode: (input, field, issues) => {
      const wrongType = isInteger
        ? Number.isSafeInteger(input)
          ? undefined
          : createMessage('field.integer')
        : typeof input === 'number' && Number.isFinite(input)
          ? undefined
          : createMessage('field.number')
      const message = wrongType ?? outOfRange(shape, input as number)
      if (message) issues.push({ field, message })
      return input
    },
  }
}

function outOfRange({ minimum, maximum }: Shape, value: number): Message | undefined {
  if (minimum !== undefined && value < minimum)
    return createMessage('field.minimum', { limit: minimum })
  if (maximum !== undefined && value > maximum)
    return createMessage('field.maximum', { limit: maximum })
  return undefined
}

function arrayCodec(shape: Shape, codecOptions: CodecOptions): Codec {
  const inner = compile(shape.items ?? {}, codecOptions)
  return {
    encode: (value) => (value as unknown[]).map(inner.encode),
    decode: (input, field, issues) => {
      if (!Array.isArray(input)) {
        issues.push({ field, message: createMessage('field.array') })
        return []
      }
      const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = shape
      if (input.length < minItems) {
        issues.push({ field, message: tooFewMessage('field.min_items', minItems) })
      }
      if (input.length > maxItems) {
        issues.push({ field, message: createMessage('field.max_items', { limit: maxItems }) })
        return []
      }
      const decoded: unknown[] = []
      for (const [index, item] of input.entries()) {
        if (issues.length >= maxIssues) break
        decoded.push(inner.decode(item, `${field}[${index}]`, issues))
      }
      return decoded
    },
  }
}

interface Member {
  readonly name: string
  readonly codec: Codec
  readonly isRequired: boolean
  readonly defaultValue: unknown
}

function objectCodec(shape: Shape, codecOptions: CodecOptions): Codec {
  const members = Object.entries(shape.properties ?? {}).map(
    ([name, property]): Member => ({
      name,
      codec: compile(property, codecOptions),
      isRequired: shape.required?.includes(name) ?? false,
      defaultValue: property.default,
    }),
  )
  const isAnyObject = shape.additionalProperties === true && members.length === 0
  const encode = isAnyObject ? identity : objectEncoder(members)
  return { encode, decode: objectDecoder(members, shape) }
}

function objectEncoder(members: readonly Member[]): Codec['encode'] {
  return (value) => {
    const source = value as Readonly<Record<string, unknown>>
    const encoded: Record<string, unknown> = {}
    for (const { name, codec } of members) {
      const inner = source[name]
      if (inner !== undefined) encoded[name] = codec.encode(inner)
    }
    return encoded
  }
}

function objectDecoder(
  members: readonly Member[],
  { ignored = {}, additionalProperties = false }: Shape,
): Codec['decode'] {
  const names = [...members.map(({ name }) => name), ...Object.keys(ignored)]
  const known = new Set([...names, '_links', 'links'])
  return (input, field, issues) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      issues.push({ field: field || 'body', message: createMessage('field.object') })
      return {}
    }
    const prefix = field ? `${field}.` : ''
    const source = input as Record<string, unknown>
    const decoded: Record<string, unknown> = {}
    for (const { name, codec, isRequired, defaultValue } of members) {
      if (Object.hasOwn(source, name)) {
        decoded[name] = codec.decode(source[name], prefix + name, issues)
      } else if (isRequired) {
        const message = createMessage('field.required')
        issues.push({ field: prefix + name, message, missing: true })
      } else if (defaultValue !== undefined) decoded[name] = defaultValue
    }
    if (additionalProperties) return decoded
    for (const name in source) {
      if (issues.length >= maxIssues) break
      if (!known.has(name))
        issues.push({ field: prefix + name, message: createMessage('field.unknown') })
    }
    return decoded
  }
}
