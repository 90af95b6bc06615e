import type { TSchema } from 'typebox'
import { amountCeilingMinor, toMajor } from '#values/money.ts'
import type { CodecOptions } from './codec.ts'
import { singularOf } from './xml/names.ts'

/** A schema of JSON Schema 2020-12, or another part of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>

/** Whether a value is what a client sends or what it is told. */
export type Direction = 'sent' | 'told'

interface Shape extends Json {
  readonly type?: string
  readonly logical?: string
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly ignored?: readonly string[]
  readonly additionalProperties?: boolean
  /** What one entry of an array is called in XML, where the array's name has no singular. */
  readonly entry?: string
  /** The name under which equal schemas are one component. */
  readonly component?: string
}

/** Returns what stands for a named schema wherever it is used. */
type Share = (name: string, schema: Json) => Json

interface Form {
  readonly direction: Direction
  readonly codecOptions: CodecOptions
  readonly share: Share
}

/** The keywords that mean the same inside and outside; whatever else a schema carries is ours. */
const plain = [
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
 * The schema of the public form of a value, as the codec of the same dialect makes and takes it;
 * where schemas inside it have a name, `share` says what stands for them.
 */
export const wireSchema = (
  schema: TSchema,
  direction: Direction,
  codecOptions: CodecOptions,
  share: Share = (_, inside) => inside,
): Json => convert(schema as unknown as Shape, { direction, codecOptions, share })

function convertInside(shape: Shape, form: Form): Json {
  const schema = convert(shape, form)
  return shape.component === undefined ? schema : form.share(shape.component, schema)
}

function convert(shape: Shape, form: Form): Json {
  const kept = Object.fromEntries(
    plain.flatMap((keyword) => (keyword in shape ? [[keyword, shape[keyword]]] : [])),
  )
  if (form.direction === 'told') delete kept['default']
  if (shape.anyOf) return { ...orNull(shape.anyOf, form), ...kept }
  if (shape.logical === 'money') {
    const tell = shape.type === 'object' ? amount : money
    return tell(kept, form)
  }
  if (shape.items) return { ...kept, items: convertInside(shape.items, form) }
  if (shape.type !== 'object') return kept
  return { ...kept, ...members(shape, form) }
}

/** A value or null, in the short form of 2020-12. */
function orNull(variants: readonly Shape[], form: Form): Json {
  const present = variants.find(({ type }) => type !== 'null') ?? {}
  const schema = convert(present, form)
  const { type, enum: words } = schema as { type?: string; enum?: readonly unknown[] }
  return { ...schema, type: [type, 'null'], ...(words ? { enum: [...words, null] } : {}) }
}

function money(kept: Json, { direction, codecOptions: { currencyDigits } }: Form): Json {
  const { description, examples, ...rest } = kept as { description?: string; examples?: number[] }
  const precision =
    direction === 'sent' ? [`A number with at most ${currencyDigits} decimals.`] : []
  const words = [...(description === undefined ? [] : [description]), ...precision].join(' ')
  return {
    ...rest,
    ...(direction === 'sent'
      ? { exclusiveMaximum: toMajor(amountCeilingMinor, currencyDigits) }
      : {}),
    ...(words === '' ? {} : { description: words }),
    examples: examples?.map((amount) => Number(amount.toFixed(currencyDigits))),
  }
}

function amount(kept: Json, { direction, codecOptions: { currency, currencyDigits } }: Form): Json {
  const decimals = currencyDigits === 0 ? '' : `(\\.\\d{1,${currencyDigits}})?`
  const exact = currencyDigits === 0 ? '' : `\\.\\d{${currencyDigits}}`
  return {
    ...kept,
    properties: {
      amount: {
        type: 'string',
        description: 'In major units, as an exact decimal number.',
        pattern: `^\\d+${direction === 'sent' ? decimals : exact}$`,
        examples: [(19.99).toFixed(currencyDigits)],
      },
      currency: { type: 'string', const: currency, description: 'ISO 4217 code.' },
    },
    required: ['amount', 'currency'],
    ...(direction === 'sent' ? { additionalProperties: false } : {}),
  }
}

function members(shape: Shape, form: Form): Json {
  const { properties = {}, required = [], ignored = [], additionalProperties } = shape
  const converted = Object.entries(properties).map(([name, property]) => [
    name,
    inXml(name, property, convertInside(property, form)),
  ])
  return {
    properties: { ...Object.fromEntries(converted), ...known(ignored) },
    ...(required.length > 0 ? { required } : {}),
    ...(form.direction === 'sent' && additionalProperties !== true
      ? { additionalProperties: false }
      : {}),
  }
}

/** The schema of a member that is an array: one element, with one in it for each entry. */
function inXml(name: string, { entry, anyOf }: Shape, schema: Json): Json {
  const { items } = schema as { items?: Json }
  if (!items) return schema
  const [present] = anyOf?.filter(({ type }) => type !== 'null') ?? []
  return wrapped(schema, items, singularOf(name, entry ?? present?.entry))
}

/** The schema of an array in the words of XML: an element of its own, and one for each entry. */
export const wrapped = (list: Json, items: Json, entry: string): Json => ({
  ...list,
  items: { ...items, xml: { name: entry } },
  xml: { wrapped: true },
})

/** What was read may be sent back with all that is in it. */
const known = (ignored: readonly string[]): Json =>
  Object.fromEntries(
    (ignored.length === 0 ? [] : [...ignored, '_links', 'links']).map((name) => [
      name,
      { readOnly: true, description: 'Ignored here.' },
    ]),
  )
