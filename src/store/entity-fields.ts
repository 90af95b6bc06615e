import { type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  type Static,
  type TNull,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
  type TUnsafe,
  Type,
} from 'typebox'
import type { MessageKey } from '#i18n/message.ts'
import { nullable, resettable } from '#schema/words.ts'
import { follows, nullableSortColumn, sortColumn, text } from './columns.ts'

/** A field that has this value where a body leaves it out. */
export const withDefault = <S extends TSchema>(schema: S, value: Static<S>) =>
  ({ ...schema, default: value }) as S & { readonly default: Static<S> }

/**
 * A text that is compared, found, sorted and unique by another form of it, which has a column of its own
 * named `…_key`.
 */
export const keyed = <S extends TSchema, K extends string | null>(
  schema: S,
  keyOf: (value: Static<S>) => K,
): S & { readonly keyOf: (value: Static<S>) => K } => ({ ...schema, keyOf })

/** A field whose value only one row has, by its key if it has one; `duplicate` is the message of 409/4092 for another. */
export const unique = <S extends TSchema>(schema: S, duplicate: MessageKey): S => ({
  ...schema,
  duplicate,
})

/** A long text, whose column comes after all others: SQLite reads a row up to the last column that is needed. */
export const long = <S extends TSchema>(schema: S): S & { readonly isLong: true } => ({
  ...schema,
  isLong: true,
})

/** A condition in SQL; values in it are parameters. */
export const condition = (text: TemplateStringsArray, ...values: readonly (string | number)[]) =>
  sql<SqlBool>(text, ...values)

/** A field by which lists are sorted: a text by its key, a column named `…_sort`; or by another column. */
export const sortable = <S extends TSchema, const B extends string | true = true>(
  schema: S,
  sortedBy: B = true as B,
): S & { readonly sortedBy: B } => ({ ...schema, sortedBy })

/** A field of which lists have a filter, with this description, that finds the rows with a value. */
export const filterable = <S extends TSchema>(
  schema: S,
  filter: string,
): S & { readonly filter: string } => ({ ...schema, filter })

/** A filter with a condition of its own; by default, a filter compares the field of its name. */
export const matching = <S extends TSchema>(
  schema: S,
  condition: (value: Static<S>) => RawBuilder<SqlBool>,
): S => ({ ...schema, condition })

/** The form of a text by which it is compared. */
export type KeyOf = (value: never) => string | null

/** The body of POST and PUT: fields that may be null or have a default can be left out. */
export type BodyFields<F extends TProperties> = {
  [K in keyof F]: F[K] extends { readonly default: unknown }
    ? TOptional<F[K]>
    : null extends Static<F[K]>
      ? TOptional<F[K]>
      : F[K]
}

/** The filters of fields that are filterable. */
export type FieldFilters<F extends TProperties> = {
  [K in keyof F as F[K] extends { readonly filter: string } ? K : never]: TOptional<
    TUnsafe<NonNullable<Static<F[K]>>>
  >
}

interface FieldSchema {
  readonly type?: string
  readonly default?: unknown
  readonly anyOf?: readonly { readonly type?: string }[]
  readonly keyOf?: KeyOf
  readonly sortedBy?: string | true
  readonly filter?: string
  readonly duplicate?: MessageKey
  readonly isLong?: true
}

/** The fields of an entity with the words of their declarations. */
const fieldsOf = (fields: TProperties) =>
  Object.entries(fields) as [string, TSchema & FieldSchema][]

/** True for a field that may be null. */
const isNullable = ({ anyOf }: FieldSchema): boolean =>
  anyOf?.some(({ type }) => type === 'null') ?? false

/** True for a field that lists are sorted by its key: a text that is no word of a list. */
const hasSortKey = ({ sortedBy, ...field }: FieldSchema): boolean => {
  const { type, ...shape } = field.anyOf?.find((each) => each.type !== 'null') ?? field
  return sortedBy === true && type === 'string' && !('enum' in shape) && !('logical' in shape)
}

/** The columns that follow from the fields. */
export type FollowingFields<F extends TProperties> = {
  [K in keyof F & string as F[K] extends { readonly keyOf: KeyOf }
    ? `${K}_key`
    : never]: F[K] extends { readonly keyOf: (value: never) => infer V }
    ? ReturnType<typeof follows<null extends V ? TUnion<[TString, TNull]> : TString>>
    : never
} & {
  [K in keyof F & string as F[K] extends { readonly sortedBy: true }
    ? string extends Static<F[K]>
      ? `${K}_sort`
      : never
    : never]: ReturnType<null extends Static<F[K]> ? typeof nullableSortColumn : typeof sortColumn>
}

/** Returns the columns that follow from the fields: the keys by which texts are compared and sorted. */
export const followingColumnsOf = <F extends TProperties>(fields: F): FollowingFields<F> =>
  Object.fromEntries(
    fieldsOf(fields).flatMap(([name, field]) => {
      const { keyOf } = field
      const canBeNull = isNullable(field)
      const key = canBeNull && keyOf?.(null as never) === null ? nullable(text) : text
      const sort = canBeNull ? nullableSortColumn(name) : sortColumn(name)
      return [
        ...(keyOf ? [[`${name}_key`, follows(key, name, keyOf)] as const] : []),
        ...(hasSortKey(field) ? [[`${name}_sort`, sort] as const] : []),
      ]
    }),
  ) as unknown as FollowingFields<F>

/** The fields that have keys. */
export const keysOf = (fields: TProperties): readonly (readonly [string, KeyOf])[] =>
  fieldsOf(fields).flatMap(([name, { keyOf }]) => (keyOf ? [[name, keyOf] as const] : []))

/** A field that is unique, the column that is, and the message for a duplicate. */
export interface UniqueField {
  readonly name: string
  readonly column: string
  /** Returns what a value is in the column. */
  readonly keyOf: (value: string) => string | null
  readonly duplicate: MessageKey
}

/** The fields that are unique. */
export const uniqueFieldsOf = (fields: TProperties): readonly UniqueField[] =>
  fieldsOf(fields).flatMap(([name, { duplicate, keyOf }]) =>
    duplicate === undefined
      ? []
      : [
          {
            name,
            duplicate,
            column: keyOf ? `${name}_key` : name,
            keyOf: (keyOf ?? ((value) => value)) as UniqueField['keyOf'],
          },
        ],
  )

/** The unique indexes of these fields. */
export const uniqueIndexesOf = (fields: TProperties): readonly string[] =>
  uniqueFieldsOf(fields).map(({ column }) => `${column} where ${column} is not null`)

/** The fields that are long texts, or those that are not. */
type LongFields<F extends TProperties, Is extends boolean> = {
  [K in keyof F as (F[K] extends { readonly isLong: true } ? true : false) extends Is
    ? K
    : never]: F[K]
}

/** Returns the fields that are no long texts, and those that are. */
export function splitLong<F extends TProperties>(
  fields: F,
): { readonly short: LongFields<F, false>; readonly long: LongFields<F, true> } {
  const { true: long = [], false: short = [] } = Object.groupBy(fieldsOf(fields), ([, field]) =>
    field.isLong ? 'true' : 'false',
  )
  return {
    short: Object.fromEntries(short) as unknown as LongFields<F, false>,
    long: Object.fromEntries(long) as unknown as LongFields<F, true>,
  }
}

/** The values of fields that a body leaves out: their default, or null. */
export const defaultsOf = (fields: TProperties): Readonly<Record<string, unknown>> =>
  Object.fromEntries(fieldsOf(fields).map(([name, { default: value = null }]) => [name, value]))

/** A field with a default, which null stands for as well. */
const orDefault = (field: TSchema & FieldSchema): TSchema =>
  field.default === undefined || isNullable(field)
    ? field
    : ({ ...resettable(field, field.default), default: field.default } as unknown as TSchema)

/** The fields of the body of POST and PUT. */
export const bodyFieldsOf = <F extends TProperties>(fields: F): BodyFields<F> =>
  Object.fromEntries(
    fieldsOf(fields).map(([name, field]) => [
      name,
      field.default !== undefined || isNullable(field) ? Type.Optional(orDefault(field)) : field,
    ]),
  ) as BodyFields<F>

/** The columns by which lists are sorted, by the names of sortable fields. */
export const sortColumnsOf = (
  fields: TProperties,
): Readonly<Record<string, string | { readonly nullable: string }>> =>
  Object.fromEntries(
    fieldsOf(fields).flatMap(([name, field]) => {
      if (field.sortedBy === undefined) return []
      const own = hasSortKey(field) ? `${name}_sort` : name
      const column = field.sortedBy === true ? own : field.sortedBy
      return [[name, isNullable(field) ? { nullable: column } : column]]
    }),
  )

/** What a filter has of the schema of its field: no lengths, since any other text finds nothing. */
const filterKeywords = ['type', 'logical', 'enum', 'format', 'minimum', 'maximum', 'component']

/** The filters of lists by filterable fields. */
export const filtersOf = <F extends TProperties>(fields: F): FieldFilters<F> =>
  Object.fromEntries(
    fieldsOf(fields).flatMap(([name, field]) => {
      const { filter: description, anyOf } = field
      if (description === undefined) return []
      const shape: object = anyOf?.find(({ type }) => type !== 'null') ?? field
      const kept = Object.entries(shape).filter(([keyword]) => filterKeywords.includes(keyword))
      const schema = Type.Unsafe({ ...Object.fromEntries(kept), description })
      return [[name, Type.Optional(schema)]]
    }),
  ) as FieldFilters<F>
