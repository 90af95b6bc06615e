import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { Instant } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'
import type { FieldProtection, Keywords, LogicalType, NamedComponent } from './keywords.ts'
import { objectShapeOf } from './shape.ts'

type Annotations = Pick<Keywords, 'description' | 'default' | 'examples' | 'component'>

const moneyComponent: NamedComponent = {
  name: 'Money',
  description: 'An amount of money, in the currency of the shop.',
}
/** The component of IDs. */
export const identifierComponent: NamedComponent = {
  name: 'Id',
  description: 'Identifies a resource.',
}

const logical = <T>(type: LogicalType, json: object, annotations: Annotations) =>
  Type.Unsafe<T>({ logical: type, ...json, ...annotations })

/** The filters of a list that has none. */
export const NoFilters = Type.Object({})

/** An amount of money: integer minor units in code; in the API a number of major units, from 0. */
export const Money = (annotations: Annotations = {}) =>
  logical<Minor>(
    'money',
    { type: 'number', minimum: 0, component: moneyComponent },
    { examples: [12.5], ...annotations },
  )

/** A `Money` schema whose API form is an object of a decimal text and its currency (ISO 4217). */
export const moneyObject = (money: TSchema): TSchema => {
  const { description } = money as Annotations
  return Type.Unsafe<Minor>({
    logical: 'money',
    type: 'object',
    component: moneyComponent,
    ...(description === undefined ? {} : { description }),
    properties: { amount: Type.String(), currency: Type.String() },
    required: ['amount', 'currency'],
  })
}

/** An instant: milliseconds since 1970 in code; in the API an RFC 3339 text in UTC. */
export const DateTime = (annotations: Annotations = {}) =>
  logical<Instant>('instant', { type: 'string', format: 'date-time' }, annotations)

/** The ID of an entity: an integer from 1; without a description, that of the field's name. */
export const Id = (description?: string) =>
  logical<number>(
    'identifier',
    {
      type: 'integer',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      component: identifierComponent,
    },
    { ...(description === undefined ? {} : { description }), examples: [1] },
  )

/** A country: a code of ISO 3166-1 alpha-2. */
export const Country = (description: string) =>
  Type.String({
    format: 'country',
    component: { name: 'CountryCode', description: 'A country (ISO 3166-1 alpha-2).' },
    description,
    examples: ['GB'],
  })

/** An e-mail address of at most 320 characters. */
export const EmailAddress = (description: string) =>
  Type.String({
    maxLength: 320,
    format: 'email',
    component: { name: 'EmailAddress', description: 'An e-mail address.' },
    description,
    examples: ['ada@example.com', 'grace@example.com'],
  })

/** A value of the schema, or null. */
export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** A text that is one of `words` (`enum` of JSON Schema). */
export const stringEnum = <const W extends readonly string[]>(
  words: W,
  annotations: Annotations = {},
) => Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...annotations })

/** The maximum number of values of a list parameter. */
const maxListValues = 50

/** A filter by words: several may be sent, and an entry needs any of them. */
export const listOf = <S extends TSchema>(schema: S, description: string) => {
  const { description: _, ...word } = schema as S & Annotations
  return Type.Array(word as unknown as S, {
    maxItems: maxListValues,
    description: `${description} Several values mean any of them.`,
  })
}

/** The fields `created_at` and `updated_at`, which every stored resource has. */
export const timestamps = {
  created_at: DateTime({ component: 'CreatedAt', description: 'When the resource was created.' }),
  updated_at: DateTime({ component: 'UpdatedAt', description: 'When the resource last changed.' }),
}

/**
 * A request body with these fields. Other fields of `resource` are accepted and ignored, so that a
 * client can send back what it has read; any further field is 422/4221.
 */
export const requestBody = <P extends TProperties>(fields: P, resource: TObject) =>
  Type.Object(fields, {
    additionalProperties: false,
    ignored: Object.fromEntries(
      Object.entries(resource.properties).filter(([name]) => !(name in fields)),
    ),
  })

/**
 * An object of which a request has exactly one group of fields, all of them; each group is an
 * OpenAPI component. The codec treats every field as optional.
 */
export const oneOfGroups = <P extends TProperties>(
  fields: P,
  alternatives: readonly (NamedComponent & {
    readonly properties: readonly (keyof P)[]
    /** Fields that the group may have besides. */
    readonly optional?: readonly (keyof P)[]
  })[],
) => Type.Object(fields, { additionalProperties: false, alternatives })

/** An object with any members of such names. */
export const mapOf = <S extends TSchema>(
  values: S,
  {
    names,
    maxProperties,
  }: {
    readonly names: NonNullable<Keywords['propertyNames']>
    readonly maxProperties: number
  },
  description: string,
) =>
  Type.Unsafe<Readonly<Record<string, Static<S>>>>({
    type: 'object',
    description,
    propertyNames: names,
    minProperties: 1,
    maxProperties,
    additionalProperties: values,
  })

/** Marks a field that only the response to its creation contains: the secret of a credential. */
export const shownOnce = <S extends TSchema>(schema: S): S => ({ ...schema, shownOnce: true })

/** Returns the names of the fields marked by `shownOnce`. */
export const shownOnceFields = (schema: TObject): readonly string[] =>
  objectShapeOf(schema).members.flatMap(({ name, shape }) => (shape.schema.shownOnce ? [name] : []))

/** Marks a field of a body that only some callers may set. */
export const protectedField = <S extends TSchema>(
  schema: S,
  protection: FieldProtection,
  { clearedByPut = false }: Pick<Keywords, 'clearedByPut'> = {},
): S => ({ ...schema, protection, clearedByPut })

/** A field of a merge patch that null sets back to `valueWhenNull` (RFC 7396 section 2). */
export const resettable = <S extends TSchema>(schema: S, valueWhenNull: unknown): S => {
  const { description } = schema as Annotations
  const described = description === undefined ? {} : { description }
  return { ...nullable(schema), valueWhenNull, ...described } as unknown as S
}

/**
 * The body of a PATCH (RFC 7396) for the body of a PUT: every field is optional, and an absent one
 * stays as it is. Null sets an optional field with a default back to that default.
 */
export function mergePatch<P extends TProperties>(body: TObject<P>) {
  const patch = Type.Partial(body)
  const entries = Object.entries<TSchema & { readonly default?: unknown }>(patch.properties)
  // Type.Partial drops the other keywords of the body, such as additionalProperties.
  const { required: _, ...rest } = body
  const { required = [] } = body as { readonly required?: readonly string[] }
  const properties = entries.map(([name, { default: defaultValue, ...schema }]) => [
    name,
    defaultValue === undefined || required.includes(name) || 'valueWhenNull' in schema
      ? schema
      : resettable(schema as TSchema, defaultValue),
  ])
  return { ...rest, properties: Object.fromEntries(properties) } as unknown as typeof patch
}

/** The type of the values of a schema in code; `Static` of TypeBox. */
export type ValueOf<S extends TSchema> = Static<S>
