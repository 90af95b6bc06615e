import type { TSchema } from 'typebox'
import type { NamedComponent } from '#schema/words.ts'
import { amountCeilingMinor, toMajor } from '#values/money.ts'
import type { CodecOptions } from './codec.ts'
import { keywordsOfFormat } from './text.ts'
import { entryNameOf } from './xml/names.ts'

/** A JSON Schema (2020-12), or another part of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>

/** Whether a value is part of a request or of a response. */
export type Direction = 'request' | 'response'

interface Shape extends Json {
  readonly type?: string
  readonly logical?: string
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly ignored?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: boolean | Shape
  /** Groups of properties of which a body has exactly one. */
  readonly alternatives?: readonly PropertyGroup[]
  /** The XML name of an item of an array, if the name of the array is no plural. */
  readonly entry?: string
  /** The component that equal schemas share; a text if the description is the same at every use. */
  readonly component?: string | NamedComponent
  /** Keywords that a rule of the resource enforces, not the codec. */
  readonly documented?: Json
}

interface PropertyGroup extends NamedComponent {
  readonly properties: readonly string[]
  readonly optional?: readonly string[]
}

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
): Json => convert(schema as unknown as Shape, { direction, codecOptions, share })

function convertNested(shape: Shape, options: ConvertOptions): Json {
  const { component } = shape
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
    copiedKeywords.flatMap((keyword) => (keyword in shape ? [[keyword, shape[keyword]]] : [])),
  )
  if (shape.anyOf) return { ...unionSchema(shape.anyOf, options), ...copied }
  if (shape.logical === 'money') {
    return shape.type === 'object'
      ? amountObjectSchema(copied, options)
      : moneySchema(copied, options)
  }
  if (shape.items) return { ...copied, items: convertNested(shape.items, options) }
  if (shape.type === 'object') return convertObject(copied, shape, options)
  const limits = { ...copied, ...impliedLimits(shape, options), ...shape.documented }
  // Enum says it all, and some generators cannot combine the two.
  return 'enum' in limits ? without(limits, ['pattern', 'examples']) : limits
}

// No text may contain NUL, and integers are exact as JSON numbers.
const withoutNul = '^[^\\x00]*$'
const restrictedTexts = ['pattern', 'format', 'enum', 'const']

/** Returns the limits that the codec has without a keyword; most of them for requests only. */
function impliedLimits(shape: Shape, { direction }: ConvertOptions): Json {
  if (shape.format !== undefined) {
    return keywordsOfFormat(shape.format)
  }
  if (direction === 'response') return {}
  if (shape.type === 'integer') {
    const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = shape
    return { minimum, maximum }
  }
  const isFree = shape.type === 'string' && !restrictedTexts.some((keyword) => keyword in shape)
  return isFree ? { pattern: withoutNul } : {}
}

function unionSchema(variants: readonly Shape[], options: ConvertOptions): Json {
  const [variant = {}, ...others] = variants.filter(({ type }) => type !== 'null')
  if (others.length > 0) return { anyOf: variants.map((each) => convertNested(each, options)) }
  const { description = variant.description, ...schema } = convertNested(variant, options)
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
          exclusiveMaximum: toMajor(amountCeilingMinor, currencyDigits),
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
  const upTo = currencyDigits === 0 ? '' : `(\\.\\d{1,${currencyDigits}})?`
  const exactly = currencyDigits === 0 ? '' : `\\.\\d{${currencyDigits}}`
  const whole = String(toMajor(amountCeilingMinor, currencyDigits)).length - 1
  return {
    ...copied,
    properties: {
      amount: {
        type: 'string',
        description: 'In major units, as an exact decimal number.',
        pattern:
          direction === 'request'
            ? `^0{0,${15 - whole}}\\d{1,${whole}}${upTo}$`
            : `^\\d+${exactly}$`,
        examples: [(12.5).toFixed(currencyDigits)],
      },
      currency: { type: 'string', const: currency, description: 'ISO 4217 code.' },
    },
    required: ['amount', 'currency'],
    ...(direction === 'request' ? { additionalProperties: false } : {}),
  }
}

function convertObject(copied: Json, shape: Shape, options: ConvertOptions): Json {
  const { alternatives } = shape
  if (!alternatives) return { ...copied, ...convertProperties(shape, options) }
  const { type: _, ...rest } = copied
  return {
    ...rest,
    oneOf: alternatives.map(({ name, description, properties: names, optional = [] }) => {
      const properties = Object.entries(shape.properties ?? {}).filter(([key]) =>
        [...names, ...optional].includes(key),
      )
      const group = { ...shape, properties: Object.fromEntries(properties), required: names }
      const closed = { type: 'object', description, ...convertProperties(group, options) }
      return options.share(name, closed)
    }),
  }
}

function convertProperties(shape: Shape, options: ConvertOptions): Json {
  const { properties = {}, required = [], ignored, additionalProperties } = shape
  const converted = Object.entries(properties).map(([name, property]) => [
    name,
    withXmlNames(name, property, convertNested(property, options)),
  ])
  return {
    properties: Object.fromEntries(converted),
    ...ignoredProperties(ignored, options),
    ...(required.length > 0 ? { required } : {}),
    ...convertAdditional(shape, options),
    ...(options.direction === 'request' && !additionalProperties
      ? { additionalProperties: false }
      : {}),
  }
}

/**
 * The properties without a name of their own. Beside named ones of another type they have a
 * pattern: the index signature that generators write for `additionalProperties` would also hold for
 * the named ones.
 */
function convertAdditional(
  { properties = {}, additionalProperties }: Shape,
  options: ConvertOptions,
): Json {
  if (!additionalProperties) return {}
  if (additionalProperties === true) return { additionalProperties }
  const schema = convertNested(additionalProperties, options)
  const names = Object.keys(properties)
  return names.length === 0
    ? { additionalProperties: schema }
    : { patternProperties: { [`^(?!(${names.join('|')})$)`]: schema } }
}

function withXmlNames(name: string, { entry, anyOf }: Shape, schema: Json): Json {
  const { items } = schema as { items?: Json }
  if (!items) return schema
  const [variant] = anyOf?.filter(({ type }) => type !== 'null') ?? []
  return xmlWrappedArray(schema, items, entryNameOf(name, entry ?? variant?.entry))
}

/** An array that is one XML element which contains an element `entry` for each item. */
export const xmlWrappedArray = (array: Json, items: Json, entry: string): Json => ({
  ...array,
  items: { ...items, xml: { name: entry } },
  xml: { wrapped: true },
})

/** The read-only properties of a body, which a client may send back as it read them. */
const ignoredProperties = (ignored: Shape['ignored'], { codecOptions }: ConvertOptions): Json =>
  ignored
    ? {
        patternProperties: {
          [`^(${[...Object.keys(ignored), codecOptions.linksField].join('|')})$`]: {},
        },
      }
    : {}
