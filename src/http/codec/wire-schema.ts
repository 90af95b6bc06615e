import type { TSchema } from 'typebox'
import { type Member, type ObjectShape, type Shape, shapeOf, withoutNull } from '#schema/shape.ts'
import { maximumAmount, toMajor } from '#values/money.ts'
import { keywordsOfFormat } from './text.ts'
import type { CodecOptions } from './value-codec.ts'
import { entryNameOf } from './xml/names.ts'

/** A JSON Schema (2020-12), or another part of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>

/** Whether a value is part of a request or of a response. */
export type Direction = 'request' | 'response'

/** Returns what replaces a schema that has a component name. */
type ShareComponent = (name: string, schema: Json) => Json

/** How schemas are described besides the codec. */
export interface WireSchemaOptions extends CodecOptions {
  /** The name of the field that contains the links of a resource. */
  readonly linksField: string
}

interface ConvertOptions {
  readonly direction: Direction
  readonly codecOptions: WireSchemaOptions
  readonly share: ShareComponent
}

/** The keywords to copy; all others are internal. */
const copiedKeywords = [
  ...['type', 'description', 'const', 'enum', 'minimum', 'maximum', 'writeOnly', 'examples'],
  ...['default', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['minProperties', 'maxProperties', 'propertyNames'],
]

// What the API accepts says nothing to a reader of a response, and stored values may predate it.
const requestKeywords = ['default', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems']

/**
 * Returns the JSON Schema of the API form of a value, as `compileCodec` with the same options reads
 * and writes it. `share` replaces nested schemas that have a component name.
 */
export const wireSchema = (
  schema: TSchema,
  direction: Direction,
  codecOptions: WireSchemaOptions,
  share: ShareComponent = (_, nested) => nested,
): Json => convert(shapeOf(schema), { direction, codecOptions, share })

function convertNested(shape: Shape, options: ConvertOptions): Json {
  const { component } = shape.schema
  const { default: defaultValue, ...schema } = convert(shape, options)
  const described = describeDefault(schema, defaultValue)
  if (component === undefined) return described
  if (typeof component === 'string') return options.share(component, described)
  const { description, ...rest } = described
  const shared = options.share(component.name, { ...rest, description: component.description })
  return description === undefined ? shared : { ...shared, description }
}

/**
 * Appends the default to the description: generators take a property with `default` for a required
 * one.
 */
function describeDefault({ description, ...schema }: Json, value: unknown): Json {
  const sentences = [
    ...(description === undefined ? [] : [description]),
    ...(value === undefined ? [] : [`Default: \`${JSON.stringify(value)}\`.`]),
  ]
  return sentences.length === 0 ? schema : { ...schema, description: sentences.join(' ') }
}

/** Returns the schema without these keywords. */
const without = (schema: Json, keywords: readonly string[]): Json =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !keywords.includes(name)))

function convert(shape: Shape, options: ConvertOptions): Json {
  const converted = convertShape(shape, options)
  return options.direction === 'response' ? without(converted, requestKeywords) : converted
}

function convertShape(shape: Shape, options: ConvertOptions): Json {
  const copied = Object.fromEntries(
    copiedKeywords.flatMap((keyword) =>
      keyword in shape.schema ? [[keyword, (shape.schema as Json)[keyword]]] : [],
    ),
  )
  switch (shape.kind) {
    case 'nullable':
      return { ...nullableSchema(shape.of, options), ...copied }
    case 'union':
      return { anyOf: shape.variants.map((each) => convertNested(each, options)), ...copied }
    case 'money':
      return moneySchema(copied, options)
    case 'amount':
      return amountObjectSchema(copied, options)
    case 'list':
      return { ...copied, items: convertNested(shape.items, options) }
    case 'object':
    case 'map':
      return convertObject(copied, shape, options)
    default: {
      const limits = { ...copied, ...impliedLimits(shape, options), ...shape.schema.documented }
      // Enum says it all, and some generators cannot combine the two.
      return 'enum' in limits ? without(limits, ['pattern', 'examples']) : limits
    }
  }
}

// No text may contain NUL, and integers are exact as JSON numbers.
const withoutNul = '^[^\\x00]*$'

/** Returns the limits that the codec has without a keyword; most of them for requests only. */
function impliedLimits({ kind, schema }: Shape, { direction }: ConvertOptions): Json {
  if (schema.format !== undefined) return keywordsOfFormat(schema.format)
  if (direction === 'response') return {}
  if (kind === 'integer' || kind === 'identifier') {
    const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema
    return { minimum, maximum }
  }
  const isFree = kind === 'text' && !('pattern' in schema) && !('const' in schema)
  return isFree ? { pattern: withoutNul } : {}
}

function nullableSchema(shape: Shape, options: ConvertOptions): Json {
  if (shape.kind === 'union') {
    const variants = shape.variants.map((each) => convertNested(each, options))
    return { anyOf: [...variants, { type: 'null' }] }
  }
  const { description = shape.schema.description, ...schema } = convertNested(shape, options)
  const described = description === undefined ? {} : { description }
  // Generators handle a list of types well only for texts, numbers and lists.
  if ('$ref' in schema || 'enum' in schema || 'properties' in schema) {
    return { anyOf: [schema, { type: 'null' }], ...described }
  }
  return { ...schema, type: [schema['type'], 'null'], ...described }
}

function moneySchema(
  copied: Json,
  { direction, codecOptions: { currencyDigits } }: ConvertOptions,
): Json {
  const { examples, ...rest } = copied as { examples?: number[] }
  return {
    ...rest,
    ...(direction === 'request'
      ? {
          maximum: maximumAmount,
          // Exact by the standard; validators that divide binary fractions need a tolerance.
          multipleOf: toMajor(1, currencyDigits),
        }
      : {}),
    examples: examples?.map((amount) => Number(amount.toFixed(currencyDigits))),
  }
}

function amountObjectSchema(
  copied: Json,
  { direction, codecOptions: { currency, currencyDigits } }: ConvertOptions,
): Json {
  const decimals = (digit: string) =>
    currencyDigits === 0 ? '' : `(\\.${digit}{1,${currencyDigits}})?`
  const exactly = currencyDigits === 0 ? '' : `\\.\\d{${currencyDigits}}`
  const zeros = String(maximumAmount).length - 1
  return {
    ...copied,
    properties: {
      amount: {
        type: 'string',
        description: 'In major units, as an exact decimal number.',
        pattern:
          direction === 'request'
            ? `^0{0,2}(\\d{1,${zeros}}${decimals('\\d')}|10{${zeros}}${decimals('0')})$`
            : `^\\d+${exactly}$`,
        examples: [(12.5).toFixed(currencyDigits)],
      },
      currency: { type: 'string', const: currency, description: 'ISO 4217 code.' },
    },
    required: ['amount', 'currency'],
    ...(direction === 'request' ? { additionalProperties: false } : {}),
  }
}

function convertObject(copied: Json, shape: ObjectShape, options: ConvertOptions): Json {
  const { alternatives } = shape.schema
  if (!alternatives) return { ...copied, ...convertMembers(shape, options) }
  const { type: _, ...rest } = copied
  return {
    ...rest,
    oneOf: alternatives.map(({ name, description, properties, optional = [] }) => {
      const members = shape.members
        .filter((member) => [...properties, ...optional].includes(member.name))
        .map((member) => ({ ...member, isRequired: properties.includes(member.name) }))
      const group = {
        type: 'object',
        description,
        ...convertMembers({ ...shape, members }, options),
      }
      return options.share(name, group)
    }),
  }
}

function convertMembers(shape: ObjectShape, options: ConvertOptions): Json {
  const { members, ignored, isOpen } = shape
  const required = members.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const properties = members.map((member) => [member.name, convertMember(member, options)])
  return {
    properties: Object.fromEntries(properties),
    ...ignoredProperties(ignored, options),
    ...(required.length > 0 ? { required } : {}),
    ...(isOpen ? convertOthers(shape, options) : {}),
    ...(options.direction === 'request' && !isOpen ? { additionalProperties: false } : {}),
  }
}

/**
 * The properties without a name of their own. Beside named ones of another type they have a
 * pattern: the index signature that generators write for `additionalProperties` would also hold for
 * the named ones.
 */
function convertOthers(shape: ObjectShape, options: ConvertOptions): Json {
  if (shape.kind !== 'map') return { additionalProperties: true }
  const schema = convertNested(shape.values, options)
  const names = shape.members.map(({ name }) => name)
  return names.length === 0
    ? { additionalProperties: schema }
    : { patternProperties: { [`^(?!(${names.join('|')})$)`]: schema } }
}

function convertMember({ name, shape }: Member, options: ConvertOptions): Json {
  const schema = convertNested(shape, options)
  const wrap = (part: Json): Json => {
    const { items } = part as { items?: Json }
    if (!items) return part
    return xmlWrappedArray(part, items, entryNameOf(name, withoutNull(shape).schema.entry))
  }
  const { anyOf } = schema as { anyOf?: readonly Json[] }
  return anyOf ? { ...schema, anyOf: anyOf.map(wrap) } : wrap(schema)
}

/** An array that is one XML element which contains an element `entry` for each item. */
export const xmlWrappedArray = (array: Json, items: Json, entry: string): Json => ({
  ...array,
  items: { ...items, xml: { name: entry } },
  xml: { wrapped: true },
})

/** The read-only properties of a body, which a client may send back as it read them. */
const ignoredProperties = (
  ignored: readonly string[] | undefined,
  { codecOptions }: ConvertOptions,
): Json =>
  ignored
    ? { patternProperties: { [`^(${[...ignored, codecOptions.linksField].join('|')})$`]: {} } }
    : {}
