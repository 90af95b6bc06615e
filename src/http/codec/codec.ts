import type { TSchema } from 'typebox'
import { createMessage, type Message } from '#i18n/message.ts'
import { fromIsoText, toIsoText } from '#values/instant.ts'
import { type FieldIssue, maxIssues } from '#values/problem.ts'
import { amountCodec, moneyCodec } from './money-codec.ts'
import { readText } from './text.ts'

/** How values look outside. */
export interface CodecOptions {
  /** The shop's currency, ISO 4217. */
  readonly currency: string
  /** Decimals of the shop's currency. */
  readonly currencyDigits: number
}

/** Converts the values of one schema between their inner and their public form. */
export interface Codec {
  /** The public form of an inner value, as JSON.stringify takes it. */
  readonly encode: (value: unknown) => unknown
  /**
   * The inner form of what a client sent; what is wrong with it is added to `issues`. Stops early
   * where there are `mostIssues` of them.
   */
  readonly decode: (input: unknown, field: string, issues: FieldIssue[]) => unknown
}

/** What the codec reads of a schema; the subset of JSON Schema that public shapes are made of. */
interface Shape {
  readonly logical?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly ignored?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: Shape
  readonly default?: unknown
  /** What null stands for, where it is no value of its own. */
  readonly whenRemoved?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly format?: string
}

const same = (value: unknown): unknown => value

/** Compiles the codec of a schema; done at boot, once per version. */
export const compileCodec = (schema: TSchema, codecOptions: CodecOptions): Codec =>
  compile(schema as Shape, codecOptions)

function compile(shape: Shape, codecOptions: CodecOptions): Codec {
  if (shape.anyOf) return compileNullable(shape.anyOf, codecOptions, shape.whenRemoved ?? null)
  if (shape.logical === 'money') {
    return shape.type === 'object' ? amountCodec(codecOptions) : moneyCodec(codecOptions)
  }
  if (shape.logical === 'instant') return instantCodec
  if (shape.enum) return enumCodec(shape.enum)
  switch (shape.type) {
    case 'object':
      return objectCodec(shape, codecOptions)
    case 'array':
      return arrayCodec(shape, codecOptions)
    case 'string':
      return {
        encode: same,
        decode: (input, field, issues) => readText(shape, input, field, issues),
      }
    case 'integer':
    case 'number':
      return numberCodec(shape)
    case 'boolean':
      return checked((input) => typeof input === 'boolean', createMessage('field.boolean'))
    default:
      throw new TypeError(`No codec for ${JSON.stringify(shape)}`)
  }
}

const checked = (holds: (input: unknown) => boolean, message: Message): Codec => ({
  encode: same,
  decode: (input, field, issues) => {
    if (!holds(input)) issues.push({ field, message })
    return input
  },
})

const enumCodec = (words: readonly unknown[]): Codec =>
  checked(
    (input) => words.includes(input),
    createMessage('field.enum', { values: words.join(', ') }),
  )

function compileNullable(
  variants: readonly Shape[],
  codecOptions: CodecOptions,
  absent: unknown,
): Codec {
  const present = variants.find((variant) => variant.type !== 'null')
  if (!present || variants.length !== 2) throw new TypeError('Only "or null" unions have a codec')
  const inner = compile(present, codecOptions)
  return {
    encode: inner.encode === same ? same : (value) => (value === null ? null : inner.encode(value)),
    decode: (input, field, issues) =>
      input === null ? absent : inner.decode(input, field, issues),
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
  const whole = shape.type === 'integer'
  return {
    encode: same,
    decode: (input, field, issues) => {
      const message = whole
        ? Number.isSafeInteger(input)
          ? undefined
          : createMessage('field.integer')
        : typeof input === 'number' && Number.isFinite(input)
          ? undefined
          : createMessage('field.number')
      const wrong = message ?? outOfRange(shape, input as number)
      if (wrong) issues.push({ field, message: wrong })
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
        issues.push({ field, message: createMessage('field.min_items', { limit: minItems }) })
      }
      if (input.length > maxItems) {
        issues.push({ field, message: createMessage('field.max_items', { limit: maxItems }) })
        return []
      }
      const decoded: unknown[] = []
      for (const [at, entry] of input.entries()) {
        if (issues.length >= maxIssues) break
        decoded.push(inner.decode(entry, `${field}[${at}]`, issues))
      }
      return decoded
    },
  }
}

interface Member {
  readonly name: string
  readonly codec: Codec
  readonly required: boolean
  readonly fallback: unknown
}

function objectCodec(shape: Shape, codecOptions: CodecOptions): Codec {
  const members = Object.entries(shape.properties ?? {}).map(
    ([name, property]): Member => ({
      name,
      codec: compile(property, codecOptions),
      required: shape.required?.includes(name) ?? false,
      fallback: property.default,
    }),
  )
  // An object of which nothing is known is told as it is.
  const isAnything = shape.additionalProperties === true && members.length === 0
  const encode = isAnything ? same : objectEncoder(members)
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
  { ignored = [], additionalProperties = false }: Shape,
): Codec['decode'] {
  const known = new Set([...members.map(({ name }) => name), ...ignored, '_links', 'links'])
  return (input, field, issues) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      issues.push({ field: field || 'body', message: createMessage('field.object') })
      return {}
    }
    const at = field ? `${field}.` : ''
    const source = input as Record<string, unknown>
    const decoded: Record<string, unknown> = {}
    for (const { name, codec, required, fallback } of members) {
      if (Object.hasOwn(source, name)) {
        decoded[name] = codec.decode(source[name], at + name, issues)
      } else if (required) {
        issues.push({ field: at + name, message: createMessage('field.required'), missing: true })
      } else if (fallback !== undefined) decoded[name] = fallback
    }
    if (additionalProperties) return decoded
    for (const name in source) {
      if (issues.length >= maxIssues) break
      if (!known.has(name))
        issues.push({ field: at + name, message: createMessage('field.unknown') })
    }
    return decoded
  }
}
