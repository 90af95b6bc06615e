import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { Instant } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'

/**
 * Public shapes are TypeBox schemas. A few kinds of value look different inside and outside
 * (money, instants); they carry the mark `logical`, and the codec converts them.
 */
export type Logical = 'money' | 'instant' | 'identifier'

interface Annotations {
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  /** The name under which equal schemas are one component of the OpenAPI document. */
  readonly component?: string
}

const logical = <T>(kind: Logical, json: object, told: Annotations) =>
  Type.Unsafe<T>({ logical: kind, ...json, ...told })

/** An amount; minor units inside, a number of major units outside. */
export const Money = (told: Annotations = {}) =>
  logical<Minor>('money', { type: 'number', minimum: 0 }, { examples: [19.99], ...told })

/** The same amount as an object of a decimal text and its currency. */
export const amountOf = (money: TSchema): TSchema => {
  const { description } = money as Annotations
  return Type.Unsafe<Minor>({
    logical: 'money',
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: { amount: Type.String(), currency: Type.String() },
    required: ['amount', 'currency'],
  })
}

/** A moment; milliseconds inside, ISO 8601 UTC outside. */
export const Moment = (told: Annotations = {}) =>
  logical<Instant>(
    'instant',
    { type: 'string', format: 'date-time' },
    { examples: ['2026-01-31T12:00:00.000Z'], ...told },
  )

/** The identifier of a resource. */
export const Id = (description: string) =>
  logical<number>('identifier', { type: 'integer', minimum: 1 }, { description, examples: [42] })

/** A value that may be null. */
export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** One of a few words. */
export const oneOf = <const W extends readonly string[]>(words: W, told: Annotations = {}) =>
  Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...told })

/** When a resource came to be and last changed; part of every resource. */
export const stamps = {
  created_at: Moment({ component: 'CreatedAt', description: 'When the resource was created.' }),
  updated_at: Moment({ component: 'UpdatedAt', description: 'When the resource last changed.' }),
}

/**
 * A body made of some fields of a resource. Its other fields are known and ignored, so that what
 * was read can be sent back; any further field is refused.
 */
export const writable = <P extends TProperties>(fields: P, of: TObject) =>
  Type.Object(fields, {
    additionalProperties: false,
    ignored: Object.keys(of.properties).filter((name) => !(name in fields)),
  })

/** Marks a field that is shown once and kept nowhere: the secret of a new credential. */
export const shownOnce = <S extends TSchema>(schema: S): S => ({ ...schema, shownOnce: true })

/** The names of the fields of a schema that are shown once. */
export const secretFieldsOf = ({ properties }: TObject): readonly string[] =>
  Object.entries(properties as Record<string, { readonly shownOnce?: boolean }>).flatMap(
    ([name, field]) => (field.shownOnce === true ? [name] : []),
  )

/** A field of a patch that null removes (RFC 7396 2), so that it has its default from then on. */
export const removable = <S extends TSchema>(schema: S, whenRemoved: unknown): S => {
  const { description } = schema as Annotations
  const told = description === undefined ? {} : { description }
  return { ...nullable(schema), whenRemoved, ...told } as unknown as S
}

/**
 * The partial form of a body, for PATCH; what is not sent stays, so nothing has a default. Null
 * gives what has one back its default; what can be null anyway is null.
 */
export function patchOf<P extends TProperties>(body: TObject<P>) {
  const patch = Type.Partial(body)
  const entries = Object.entries<TSchema & { readonly default?: unknown }>(patch.properties)
  // Partial keeps the fields alone, and the body says more than those.
  const { required: _, ...rest } = body
  const { required = [] } = body as { readonly required?: readonly string[] }
  const properties = entries.map(([name, { default: usual, ...schema }]) => [
    name,
    usual === undefined || required.includes(name) ? schema : removable(schema as TSchema, usual),
  ])
  return { ...rest, properties: Object.fromEntries(properties) } as unknown as typeof patch
}

/** The values of a schema as the rules and the store know them. */
export type ValueOf<S extends TSchema> = Static<S>
