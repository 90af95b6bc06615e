import { type TObject, type TProperties, Type } from 'typebox'
import type { ErrorCode } from '#i18n/error-codes.ts'
import { createMessage, type MessageKey } from '#i18n/message.ts'
import { Id, mergePatch, requestBody, timestamps } from '#schema/words.ts'
import type { Instant } from '#values/instant.ts'
import { fieldProblem } from '#values/problem.ts'
import { type NewRow, type Row, removable, revised } from './columns.ts'
import type { Db } from './database.ts'
import type { TableOptions } from './declaration.ts'
import {
  type BodyFields,
  bodyFieldsOf,
  defaultsOf,
  type FollowingFields,
  followingColumnsOf,
  type KeyOf,
  keysOf,
  sortColumnsOf,
} from './entity-fields.ts'
import { type PageRequest, type PageResult, paginate } from './query/page.ts'
import { rejectDuplicate } from './reject-duplicate.ts'
import { type Changes, Table, type Where } from './table.ts'
import { isUnchanged } from './unchanged.ts'

/** No further fields. */
type NoFields = Record<never, never>

/** The columns of an entity. */
export type EntityColumns<
  F extends TProperties,
  S extends TProperties = NoFields,
  C extends TProperties = NoFields,
> = typeof removable & F & S & C & FollowingFields<F>

interface EntityOptions<F extends TProperties, S extends TProperties, C extends TProperties>
  extends Omit<TableOptions<EntityColumns<F, S, C>>, 'columns'> {
  /** The name of one in links, problems and operation IDs, in snake case. */
  readonly name: string
  /** The description of its OpenAPI schema. */
  readonly description: string
  /** What clients set, in the order of representations. */
  readonly fields: F
  /** What only the server sets, and representations have. */
  readonly shown?: S
  /** What representations have besides, which no column holds. */
  readonly derived?: TProperties
  /** What only the server sets and sees. */
  readonly columns?: C
  /** True if removed rows are deleted; they stay, marked, by default. */
  readonly deletes?: true
  /** Fields that a change must repeat or leave out. */
  readonly fixed?: readonly (keyof F & string)[]
  /** Brings new values into their canonical form; throws the Problem of values that are not allowed. */
  readonly check?: (values: Row<F>, given: Readonly<Record<string, unknown>>) => Row<F>
  /** Compares given values with the database; throws the Problem of those that are not allowed. */
  readonly verify?: (db: Db, given: Readonly<Record<string, unknown>>) => Promise<void>
  /** The message of 409/4092 for a duplicate of a unique index. */
  readonly duplicate?: MessageKey
  /** The filters of lists. */
  readonly filters?: TProperties
}

/** A list: its filters by name, its page, and values that all its rows have, such as their owner. */
export interface ListRequest<C extends TProperties> {
  readonly filters: Readonly<Record<string, unknown>>
  readonly page: PageRequest
  readonly where?: Partial<Row<C>>
  /** True for a list that is short whatever the filters, such as that of one user. */
  readonly isShort?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: only the declaration of an entity knows its columns
type Any = any
type Values = Readonly<Record<string, unknown>>

/** An entity: a table with its bodies, its representation, and what creates and changes its rows. */
export class Entity<F extends TProperties, C extends TProperties> extends Table<C> {
  readonly name: string
  readonly description: string
  /** The schema of its representation. */
  readonly schema: TObject
  /** The body of POST and PUT. */
  readonly body: TObject<BodyFields<F>>
  /** The body of PATCH, a merge patch. */
  readonly patch: TObject
  /** The filters of its lists. */
  readonly filters: TObject
  /** The sorts of its lists besides the times. */
  readonly sorts: readonly string[]
  readonly #options: EntityOptions<F, Any, Any>
  readonly #keys: ReadonlyMap<string, KeyOf>
  readonly #sortColumns: Values
  readonly #defaults: Values

  constructor(tableName: string, columns: C, options: EntityOptions<F, Any, Any>) {
    super(tableName, { ...options, columns } as unknown as TableOptions<C>)
    const { name, description, fields, shown, derived, filters = {} } = options
    this.#options = options
    this.#keys = new Map(keysOf(fields))
    this.#defaults = defaultsOf(fields)
    this.name = name
    this.description = description
    this.schema = Type.Object({ id: Id(), ...fields, ...shown, ...derived, ...timestamps })
    this.body = requestBody(bodyFieldsOf(fields), this.schema)
    this.patch = mergePatch(this.body as unknown as TObject)
    this.filters = Type.Object(filters)
    this.#sortColumns = { id: 'id', ...sortColumnsOf(fields) }
    this.sorts = Object.keys(this.#sortColumns)
  }

  /** Creates one with the fields of a body and other columns. Throws 409/4092 for a duplicate. */
  async create(db: Db, body: object, now: Instant, others: Partial<Row<C>> = {}): Promise<Row<C>> {
    const times = { created_at: now, updated_at: now }
    const row = { ...this.#next(this.#defaults, body), ...others, ...times }
    await this.#options.verify?.(db, body as Values)
    return await this.#unique(this.insert(db, row as unknown as NewRow<C>))
  }

  /** Replaces the fields and sets other columns, if any changes. Throws 409/4092 for a duplicate, and a StaleWriteError. */
  async replace(
    db: Db,
    current: Row<C>,
    body: object,
    now: Instant,
    others: Partial<Row<C>> = {},
  ): Promise<Row<C>> {
    const next = { ...this.#next(this.#defaults, body), ...others }
    await this.#options.verify?.(db, body as Values)
    return await this.#change(db, current, next, now)
  }

  /** Changes the fields of a patch and other columns, if any changes. Throws as `replace`. */
  async modify(
    db: Db,
    current: Row<C>,
    patch: object,
    now: Instant,
    others: Partial<Row<C>> = {},
  ): Promise<Row<C>> {
    const next = { ...this.#next(current, patch), ...others }
    await this.#options.verify?.(db, patch as Values)
    return await this.#change(db, current, next, now)
  }

  /** Removes one: marks its row, or deletes it. */
  async remove(db: Db, { id }: { readonly id: number }, now: Instant): Promise<void> {
    const one = { id, ...(this.#marks && { deleted_at: null }) } as unknown as Where<C>
    if (this.#marks) await this.revise(db, one, { deleted_at: now } as unknown as Changes<C>, now)
    else await this.delete(db, one)
  }

  /** Returns a page of those that are not removed and match every filter. */
  async list(
    db: Db,
    { filters, page, where = {}, isShort = false }: ListRequest<C>,
  ): Promise<PageResult<Row<C>>> {
    const { table } = this.declaration
    const conditions = { ...where, ...(this.#marks && { deleted_at: null }) }
    const all = Object.entries(conditions).reduce(
      (rows, [column, value]) => rows.where(column, value === null ? 'is' : '=', value),
      (db as Any).selectFrom(table),
    )
    const query = this.filtered(all, filters)
    const times = { created_at: 'created_at', updated_at: 'updated_at' }
    const columns = { ...this.#sortColumns, ...times }
    const select = (rows: Any) => rows.selectAll(table)
    const found = await paginate(db, query, columns as Any, page, select, { isFew: isShort })
    return { ...found, rows: found.rows.map((row) => this.fromDatabase(row as object)) }
  }

  /** Adds the conditions of filters to a query of the table. */
  filtered<Q>(query: Q, filters: Values): Q {
    return Object.entries(filters).reduce((rows: Any, filter) => this.#filter(rows, filter), query)
  }

  /** The problems of a duplicate: a change throws none where what must be unique is fixed. */
  get duplicateProblems(): {
    readonly create: readonly ErrorCode[]
    readonly change: readonly ErrorCode[]
  } {
    const { duplicate, fixed } = this.#options
    const create = duplicate ? (['4092'] as const) : []
    return { create, change: fixed ? [] : create }
  }

  /** True where removed rows stay. */
  get #marks(): boolean {
    return 'deleted_at' in this.schemas
  }

  /** The column by which a field is compared. */
  #comparedColumn(field: string): string {
    return this.#keys.has(field) ? `${field}_key` : field
  }

  #filter(rows: Any, [name, value]: readonly [string, unknown]): Any {
    if (value === undefined) return rows
    const { condition } = this.filters.properties[name] as { condition?: (value: unknown) => Any }
    if (condition) return rows.where(() => condition(value))
    const keyOf = this.#keys.get(name)
    const column = this.#comparedColumn(name)
    return rows.where(
      column,
      '=',
      keyOf ? keyOf(value as never) : this.stored({ [name]: value })[name],
    )
  }

  /** The values of all fields after a body or patch, in canonical form. */
  #next(current: object, given: object): Values {
    const { fields, check = (values) => values } = this.#options
    const all = { ...current, ...given } as Values
    const values = Object.fromEntries(Object.keys(fields).map((name) => [name, all[name]]))
    return check(values as Row<F>, given as Values)
  }

  async #change(db: Db, current: Row<C>, values: Values, now: Instant): Promise<Row<C>> {
    const next: Record<string, unknown> = { ...values }
    for (const field of this.#options.fixed ?? []) {
      const keyOf = this.#keys.get(field) ?? ((value) => value)
      const isSame = keyOf((current as Values)[field] as never) === keyOf(next[field] as never)
      if (!isSame) throw fieldProblem([{ field, message: createMessage('field.fixed') }])
      next[field] = (current as Values)[field]
    }
    if (isUnchanged(current as Values, next)) return current
    const revision = current as unknown as { readonly id: number; readonly revision: number }
    return await this.#unique(this.save(db, revision, next as unknown as Changes<C>, now))
  }

  #unique<T>(write: Promise<T>): Promise<T> {
    const { duplicate } = this.#options
    return duplicate ? rejectDuplicate(write, duplicate) : write
  }
}

/** Declares an entity. */
export function entity<
  const F extends TProperties,
  const S extends TProperties = NoFields,
  const C extends TProperties = NoFields,
>(tableName: string, options: EntityOptions<F, S, C>): Entity<F, EntityColumns<F, S, C>> {
  const { fields, shown, columns, deletes } = options
  const all = {
    ...(deletes ? revised : removable),
    ...fields,
    ...shown,
    ...followingColumnsOf(fields),
    ...columns,
  }
  return new Entity(tableName, all as unknown as EntityColumns<F, S, C>, options)
}
