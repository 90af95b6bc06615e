import type { Generated, GeneratedAlways } from 'kysely'
import { type Static, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox'
import { nullable } from '#schema/words.ts'
import { type SortKey, sortKey } from '#values/sort-key.ts'

/** The type of a column: integers have 64 bits, reals are of double precision. */
export type ColumnKind = 'integer' | 'real' | 'text'

/** How a column holds a value that is no text and no number, or that it holds in another form. */
export interface StoredForm<V, C extends string | number = string | number> {
  readonly kind: ColumnKind
  toColumn(value: V): C
  fromColumn(stored: C): V
}

/** A required integer: a count, an amount in minor units, milliseconds since 1970, an ID. */
export const integer = Type.Integer()
/** A required text. */
export const text = Type.String()
/** A required number with fractions. */
export const real = Type.Number()

/** A required text of which TypeScript knows the values. */
export const textOf = <T extends string>() => Type.Unsafe<T>({ type: 'string' })

/** Holds a field in another form than its value. */
export const storedAs = <S extends TSchema, C extends string | number>(
  schema: S,
  form: StoredForm<Static<S>, C>,
): S & { readonly form: StoredForm<Static<S>, C> } => ({ ...schema, form })

/** A column with this value unless a statement sets it. */
export const columnDefault = <S extends TSchema>(
  schema: S,
  value: string | number,
): S & { readonly columnDefault: string | number } => ({ ...schema, columnDefault: value })

/** A column that the database computes from others of the row. */
export const computed = <S extends TSchema>(
  schema: S,
  expression: string,
): S & { readonly expression: string } => ({ ...schema, expression })

/** Where the value of a column comes from: the column of which it is another form. */
export interface Origin {
  readonly column: string
  /** Returns the value for the stored one of the other column. */
  readonly derive: (value: never) => string | null
}

/** The row of another table from which a key is copied when its row is written. */
interface Copy {
  readonly table: string
  /** A column there that follows from others. */
  readonly column: string
  /** The column that has the ID of that row. */
  readonly by: string
}

/** A key that is copied from another table: derived anew with that as long as both are equal. */
export const copied = <S extends TSchema>(schema: S, copy: Copy): S & { readonly copy: Copy } => ({
  ...schema,
  copy,
})

/** A text column that `Table` fills whenever it writes the one from which it follows. */
export const follows = <S extends TSchema>(
  schema: S,
  column: string,
  derive: Origin['derive'],
): S & { readonly origin: Origin } => ({ ...schema, origin: { column, derive } })

/** The column by which lists are sorted by a text; its name is that of the text with `_sort`. */
export const sortColumn = (column: string) =>
  follows(columnDefault(Type.Unsafe<SortKey>({ type: 'string' }), ''), column, sortKey)

/** The same for a text that may be null. */
export const nullableSortColumn = (column: string) =>
  follows(nullable(Type.Unsafe<SortKey>({ type: 'string' })), column, (value: string | null) =>
    value === null ? null : sortKey(value),
  )

/** The primary key of most tables, which the database generates and never reuses. */
export const identity = { ...Type.Integer(), isIdentity: true, columnDefault: 0 } as const

/** The columns of rows that change; `revision` increases with each change. */
export const revised = {
  id: identity,
  revision: columnDefault(integer, 1),
  created_at: integer,
  updated_at: integer,
} as const

/** The columns of rows that stay when they are removed. */
export const removable = {
  ...revised,
  deleted_at: Type.Union([integer, Type.Null()]),
} as const

/** A row as the code has it: booleans, lists and objects as such. */
export type Row<C extends TProperties> = { readonly [K in keyof C]: ReadonlyList<Static<C[K]>> }

type ReadonlyList<V> = V extends readonly (infer E)[] ? readonly E[] : V

/** The columns that a new row may leave out. */
type OptionalColumns<C extends TProperties> = {
  [K in keyof C]: C[K] extends
    | { readonly columnDefault: unknown }
    | { readonly expression: string }
    | { readonly origin: Origin }
    ? K
    : null extends Static<C[K]>
      ? K
      : never
}[keyof C]

/** A new row: columns that may be null or have a default can be left out. */
export type NewRow<C extends TProperties> = {
  readonly [K in Exclude<keyof C, OptionalColumns<C>>]: Row<C>[K]
} & { readonly [K in OptionalColumns<C>]?: Row<C>[K] }

type Stored<V> = V extends boolean ? number : V extends string | number | null ? V : string

type StoredOf<S extends TSchema> = S extends {
  readonly form: { toColumn(value: never): infer C }
}
  ? C
  : Stored<Static<S>>

/** The columns as the database has them, for queries by Kysely. */
export type ColumnsOf<C extends TProperties> = {
  [K in keyof C]: C[K] extends { readonly expression: string }
    ? GeneratedAlways<StoredOf<C[K]>>
    : C[K] extends { readonly columnDefault: unknown }
      ? Generated<StoredOf<C[K]>>
      : StoredOf<C[K]>
}

/** The columns as the database has them, for a table without conversion. */
export type StoredColumns<C extends TProperties> = {
  [K in keyof C]: TUnsafe<StoredOf<C[K]>> &
    Pick<C[K], Extract<keyof C[K], 'columnDefault' | 'expression' | 'origin'>>
}

/** The columns that follow from others. */
export type FollowingColumns<C extends TProperties> = {
  [K in keyof C]: C[K] extends { readonly origin: Origin } ? K : never
}[keyof C]

interface ColumnSchema {
  readonly type?: string
  readonly logical?: string
  readonly anyOf?: readonly ColumnSchema[]
  readonly form?: StoredForm<never>
  readonly columnDefault?: string | number
  readonly isIdentity?: boolean
  readonly expression?: string
  readonly origin?: Origin
  readonly copy?: Copy
}

/** A column of both databases. */
export interface Column {
  readonly name: string
  readonly kind: ColumnKind
  readonly isIdentity: boolean
  readonly isNullable: boolean
  readonly default: string | number | undefined
  readonly expression: string | undefined
  /** Undefined where the database has the value itself. */
  readonly form: StoredForm<never> | undefined
  /** The column from which it follows, if any. */
  readonly origin: Origin | undefined
  /** From where it is copied, if it is. */
  readonly copy: Copy | undefined
}

const asBit: StoredForm<boolean, number> = {
  kind: 'integer',
  toColumn: Number,
  fromColumn: (bit) => bit === 1,
}
/** Holds any value as JSON. */
export const asJson = {
  kind: 'text' as const,
  toColumn: (value: unknown): string => JSON.stringify(value),
  fromColumn: (json: string) => JSON.parse(json),
}

function formOf({ type, logical }: ColumnSchema): StoredForm<never> | undefined {
  if (type === 'boolean') return asBit as StoredForm<never>
  const isJson = type === 'array' || (type === 'object' && logical === undefined)
  return isJson ? (asJson as unknown as StoredForm<never>) : undefined
}

/** Amounts, times and IDs are numbers in the API or texts, and integers in the code. */
function kindOf(name: string, { type, logical }: ColumnSchema): ColumnKind {
  if (logical !== undefined || type === 'integer') return 'integer'
  if (type === 'number') return 'real'
  if (type === 'string') return 'text'
  throw new TypeError(`No column can hold the schema of ${name}`)
}

/** Returns the column of a field. Throws a TypeError for a schema that no column can hold. */
export function columnOf(name: string, schema: TSchema): Column {
  const declared = schema as ColumnSchema
  const isNullable = declared.anyOf?.some(({ type }) => type === 'null') ?? false
  const shape = declared.anyOf?.find(({ type }) => type !== 'null') ?? declared
  const form = declared.form ?? shape.form ?? formOf(shape)
  const { isIdentity = false, columnDefault: byDefault, expression, origin, copy } = declared
  return {
    ...{ name, isNullable, isIdentity, expression, form, origin, copy },
    kind: form?.kind ?? kindOf(name, shape),
    default: isIdentity ? undefined : byDefault,
  }
}
