import type { TSchema } from 'typebox'
import { amountCeilingMinor, toMajor } from '#values/money.ts'
import type { CodecOptions } from './codec.ts'
import { entryNameOf } from './xml/names.ts'

/** A JSON Schema (2020-12), or another part of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>

/** Whether a value is part of a request or of a response. */
export type Direction = 'request' | 'response'

interface Shape extends Json {
  readonly type?: string
  readonly logical?: string
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly ignored?: readonly string[]
  readonly additionalProperties?: boolean
  /** The XML name of an item of an array, if the name of the array is no plural. */
  readonly entry?: string
  /** The name of the OpenAPI component that equal schemas share. */
  readonly component?: string
}

/** Returns what replaces a schema that has a component name. */
type ShareComponent = (name: string, schema: Json) => Json

interface ConvertOptions {
  readonly direction: Direction
  readonly codecOptions: CodecOptions
  readonly share: ShareComponent
}

/** The keywords to copy; all others are internal. */
const copiedKeywords = [
  'type',
  'description',
  'const',
  'enum',
  'format',
  'pattern',
  'default',
  'minimum',
  'maximum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'readOnly',
  'writeOnly',
  'examples',
]

/**
 * Returns the JSON Schema of the API form of a value, as `compileCodec` with the same options reads
 * and writes it. `share` replaces nested schemas that have a component name.
 */
export const wireSchema = (
  schema: TSchema,
  direction: Direction,
  codecOptions: CodecOptions,
  share: ShareComponent = (_, nested) => nested,
): Json => convert(schema as unknown as Shape, { direction, codecOptions, share })

function convertNested(shape: Shape, options: ConvertOptions): Json {
  const schema = convert(shape, options)
  return shape.component === undefined ? schema : options.share(shape.component, schema)
}

function convert(shape: Shape, options: ConvertOptions): Json {
  const copied = Object.fromEntries(
    copiedKeywords.flatMap((keyword) => (keyword in shape ? [[keyword, shape[keyword]]] : [])),
  )
  if (options.direction === 'response') delete copied['default']
  if (shape.anyOf) return { ...nullableSchema(shape.anyOf, options), ...copied }
  if (shape.logical === 'money') {
    return shape.type === 'object'
      ? amountObjectSchema(copied, options)
      : moneySchema(copied, options)
  }
  if (shape.items) return { ...copied, items: convertNested(shape.items, options) }
  if (shape.type !== 'object') return copied
  return { ...copied, ...convertProperties(shape, options) }
}

function nullableSchema(variants: readonly Shape[], options: ConvertOptions): Json {
  const variant = variants.find(({ type }) => type !== 'null') ?? {}
  const schema = convert(variant, options)
  const { type, enum: values } = schema as { type?: string; enum?: readonly unknown[] }
  return { ...schema, type: [type, 'null'], ...(values ? { enum: [...values, null] } : {}) }
}

function moneySchema(
  copied: Json,
  { direction, codecOptions: { currencyDigits } }: ConvertOptions,
): Json {
  const { description, examples, ...rest } = copied as { description?: string; examples?: number[] }
  const isRequest = direction === 'request'
  const sentences = [
    ...(description === undefined ? [] : [description]),
    ...(isRequest ? [`A number with at most ${currencyDigits} decimals.`] : []),
  ]
  return {
    ...rest,
    ...(isRequest ? { exclusiveMaximum: toMajor(amountCeilingMinor, currencyDigits) } : {}),
    ...(sentences.length === 0 ? {} : { description: sentences.join(' ') }),
    examples: examples?.map((amount) => Number(amount.toFixed(currencyDigits))),
  }
}

function amountObjectSchema(
  copied: Json,
  { direction, codecOptions: { currency, currencyDigits } }: ConvertOptions,
): Json {
  const upTo = currencyDigits === 0 ? '' : `(\\.\\d{1,${currencyDigits}})?`
  const exactly = currencyDigits === 0 ? '' : `\\.\\d{${currencyDigits}}`
  return {
    ...copied,
    properties: {
      amount: {
        type: 'string',
        description: 'In major units, as an exact decimal number.',
        pattern: `^\\d+${direction === 'request' ? upTo : exactly}$`,
        examples: [(19.99).toFixed(currencyDigits)],
      },
      currency: { type: 'string', const: currency, description: 'ISO 4217 code.' },
    },
    required: ['amount', 'currency'],
    ...(direction === 'request' ? { additionalProperties: false } : {}),
  }
}

function convertProperties(shape: Shape, options: ConvertOptions): Json {
  const { properties = {}, required = [], ignored = [], additionalProperties } = shape
  const converted = Object.entries(properties).map(([name, property]) => [
    name,
    withXmlNames(name, property, convertNested(property, options)),
  ])
  return {
    properties: { ...Object.fromEntries(converted), ...ignoredProperties(ignored) },
    ...(required.length > 0 ? { required } : {}),
    ...(options.direction === 'request' && additionalProperties !== true
      ? { additionalProperties: false }
      : {}),
  }
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
const ignoredProperties = (names: readonly string[]): Json =>
  Object.fromEntries(
    (names.length === 0 ? [] : [...names, '_links', 'links']).map((name) => [
      name,
      { readOnly: true, description: 'Ignored here.' },
    ]),
  )
