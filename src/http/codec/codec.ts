import type { TSchema } from 'typebox'
import { createMessage, type Message } from '#i18n/message.ts'
import type { Keywords } from '#schema/keywords.ts'
import { type Member, type ObjectShape, type Shape, shapeOf } from '#schema/shape.ts'
import { fromIsoText, toIsoText } from '#values/instant.ts'
import { maxIssues } from '#values/problem.ts'
import { mapCodec } from './map-codec.ts'
import { amountCodec, moneyCodec } from './money-codec.ts'
import { isAbsent, tooFewMessage, validateText } from './text.ts'
import type { Codec, CodecOptions } from './value-codec.ts'

const identity = (value: unknown): unknown => value

/** Compiles the codec of a schema. Throws a TypeError for an unsupported schema. */
export const compileCodec = (schema: TSchema, codecOptions: CodecOptions): Codec =>
  compile(shapeOf(schema), codecOptions)

function compile(shape: Shape, codecOptions: CodecOptions): Codec {
  const { schema } = shape
  const compileInner = (inner: Shape) => compile(inner, codecOptions)
  switch (shape.kind) {
    case 'nullable':
      return nullableCodec(compileInner(shape.of), schema, shape.of)
    case 'union':
      return unionCodec(shape.variants, compileInner)
    case 'money':
      return moneyCodec(codecOptions)
    case 'amount':
      return amountCodec(codecOptions)
    case 'instant':
      return instantCodec
    case 'enum':
      return enumCodec(shape.values)
    case 'object':
      return objectCodec(shape, compileInner, codecOptions.currency)
    case 'map':
      return mapCodec(
        schema,
        compileInner(shape.values),
        new Map(shape.members.map((member) => [member.name, compileInner(member.shape)])),
      )
    case 'list':
      return listCodec(compileInner(shape.items), schema)
    case 'text':
      return {
        encode: identity,
        decode: (input, field, issues) => validateText(schema, input, field, issues),
      }
    case 'integer':
    case 'identifier':
      return numberCodec(schema, true)
    case 'number':
      return numberCodec(schema, false)
    case 'boolean':
      return checkedCodec((input) => typeof input === 'boolean', createMessage('field.boolean'))
    case 'links':
    case 'any':
      throw new TypeError(`No codec for ${JSON.stringify(schema)}`)
    default:
      return shape satisfies never
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

/** The codec of a value or null, which is also what an absent text stands for. */
function nullableCodec(
  { encode, decode }: Codec,
  { valueWhenNull = null }: Keywords,
  { kind, schema }: Shape,
): Codec {
  const isNull = (input: unknown) => input === null || (kind === 'text' && isAbsent(input, schema))
  return {
    encode: encode === identity ? identity : (value) => (value === null ? null : encode(value)),
    decode: (input, field, issues) =>
      isNull(input) ? valueWhenNull : decode(input, field, issues),
  }
}

/** A value of one of several types, of which only one is a text and only one is a list; the last is any other one. */
function unionCodec(variants: readonly Shape[], compileInner: (shape: Shape) => Codec): Codec {
  const codecs = new Map(variants.map((each) => [typeOfShape(each), compileInner(each)]))
  const other = [...codecs].findLast(([type]) => type !== 'string')?.[1]
  if (!other || codecs.size < variants.length) throw new TypeError('No codec for such a union')
  const codecOf = (value: unknown) => codecs.get(typeOfValue(value)) ?? other
  return {
    encode: (value) => codecOf(value).encode(value),
    decode: (input, field, issues) => codecOf(input).decode(input, field, issues),
  }
}

const typeOfValue = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value)

const typeOfShape = ({ kind }: Shape): string =>
  ({ text: 'string', number: 'number', boolean: 'boolean', list: 'list' })[kind as string] ??
  'other'

const instantCodec: Codec = {
  encode: (value) => toIsoText(value as number),
  decode: (input, field, issues) => {
    const instant = typeof input === 'string' ? fromIsoText(input) : undefined
    if (instant === undefined) issues.push({ field, message: createMessage('field.instant') })
    return instant
  },
}

function numberCodec(limits: Keywords, isInteger: boolean): Codec {
  const wrongType = createMessage(isInteger ? 'field.integer' : 'field.number')
  return {
    encode: identity,
    decode: (input, field, issues) => {
      const isOfType = isInteger ? Number.isSafeInteger(input) : Number.isFinite(input)
      const message = isOfType ? outOfRange(limits, input as number) : wrongType
      if (message) issues.push({ field, message })
      return input
    },
  }
}

function outOfRange({ minimum, maximum }: Keywords, value: number): Message | undefined {
  if (minimum !== undefined && value < minimum)
    return createMessage('field.minimum', { limit: minimum })
  if (maximum !== undefined && value > maximum)
    return createMessage('field.maximum', { limit: maximum })
  return undefined
}

const listCodec = (
  inner: Codec,
  { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Keywords,
): Codec => ({
  encode: (value) => (value as unknown[]).map(inner.encode),
  decode: (input, field, issues) => {
    if (!Array.isArray(input)) {
      issues.push({ field, message: createMessage('field.array') })
      return []
    }
    if (input.length < minItems) {
      issues.push({ field: field || 'body', message: tooFewMessage('field.min_items', minItems) })
    }
    if (input.length > maxItems) {
      const message = createMessage('field.max_items', { limit: maxItems })
      issues.push({ field: field || 'body', message })
      return []
    }
    const decoded: unknown[] = []
    for (const [index, item] of input.entries()) {
      if (issues.length >= maxIssues) break
      decoded.push(inner.decode(item, `${field}[${index}]`, issues))
    }
    return decoded
  },
})

interface MemberCodec extends Omit<Member, 'shape'> {
  readonly codec: Codec
  readonly defaultValue: unknown
}

function objectCodec(
  shape: ObjectShape,
  compileInner: (shape: Shape) => Codec,
  currency: string,
): Codec {
  const members = shape.members.map((member) => ({
    name: member.name,
    codec: compileInner(member.shape),
    isRequired: member.isRequired,
    defaultValue: member.shape.schema.default,
  }))
  const isAnyObject = shape.isOpen && members.length === 0
  const encode = isAnyObject ? identity : objectEncoder(members)
  return { encode, decode: objectDecoder(members, shape, currency) }
}

function objectEncoder(members: readonly MemberCodec[]): Codec['encode'] {
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
  members: readonly MemberCodec[],
  { ignored = [], isOpen }: ObjectShape,
  currency: string,
): Codec['decode'] {
  const ignoresCurrency = ignored.includes('currency')
  const known = new Set([...members.map(({ name }) => name), ...ignored, '_links', 'links'])
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
    // In another currency, the amounts beside it would mean something else.
    if (ignoresCurrency && (source['currency'] ?? currency) !== currency) {
      const message = createMessage('field.currency', { currency })
      issues.push({ field: `${prefix}currency`, message })
    }
    if (isOpen) return decoded
    for (const name in source) {
      if (issues.length >= maxIssues) break
      if (!known.has(name))
        issues.push({ field: prefix + name, message: createMessage('field.unknown') })
    }
    return decoded
  }
}
