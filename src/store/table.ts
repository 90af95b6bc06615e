import type { TProperties } from 'typebox'
import type { Instant } from '#values/instant.ts'
import type {
  Column,
  ColumnKind,
  FollowingColumns,
  NewRow,
  Row,
  StoredColumns,
  StoredForm,
} from './columns.ts'
import type { Db } from './database.ts'
import { declareTable, type TableDeclaration, type TableOptions } from './declaration.ts'
import { dialectOf } from './query/dialect.ts'
import type { PreparedWrite } from './query/prepared.ts'
import {
  type ChangeOptions,
  notNull,
  type ReadOptions,
  Statements,
  type Values,
  wantedValues,
} from './query/statements.ts'
import { requireWrittenRow, StaleWriteError } from './stale-write.ts'

/** The values that columns of the wanted rows have: a value, null, any but null, or any of a list. */
export type Where<C extends TProperties> = {
  readonly [K in keyof Row<C>]?: Row<C>[K] | readonly NonNullable<Row<C>[K]>[] | typeof notNull
}

/** Changes of columns. */
export type Changes<C extends TProperties> = Partial<Row<C>>

type Options<C extends TProperties> = ReadOptions<keyof C & string>

interface RevisedRow {
  readonly id: number
  readonly revision: number
}

// biome-ignore lint/suspicious/noExplicitAny: tables of all columns are listed alike
export type AnyTable = Table<any>

/** The table that its declaration describes, and queries on it by the values of columns. */
export class Table<C extends TProperties> {
  readonly declaration: TableDeclaration
  /** The schemas of the columns. */
  readonly schemas: C
  /** The columns that follow from others. */
  readonly following: readonly FollowingColumns<C>[]
  protected readonly statements: Statements
  readonly #options: TableOptions<C>
  readonly #formed: readonly Column[]
  readonly #following: readonly Column[]

  constructor(name: string, options: TableOptions<C>, converts = true) {
    this.#options = options
    this.declaration = declareTable(name, options)
    this.schemas = options.columns
    this.statements = new Statements(this.declaration)
    this.#formed = this.declaration.columns.filter(({ form }) => converts && form !== undefined)
    this.#following = this.declaration.columns.filter(({ origin }) => origin !== undefined)
    this.following = this.#following.map(({ name }) => name as FollowingColumns<C>)
  }

  /** Returns this table with values as the database has them: numbers for booleans, JSON as text. */
  withoutConversion(): Table<StoredColumns<C>> {
    const { table: name } = this.declaration
    return new Table(name, this.#options, false) as unknown as Table<StoredColumns<C>>
  }

  /** Returns the first row with these values. */
  async find(db: Db, where: Where<C>, options: Options<C> = {}): Promise<Row<C> | undefined> {
    const wanted = this.stored(where)
    const statement = this.statements.select(wanted, options)
    const row = await statement.first(db, { ...wantedValues(wanted), limit: options.limit })
    return row && this.fromDatabase(row)
  }

  /** Returns the rows with these values. */
  async findAll(db: Db, where: Where<C>, options: Options<C> = {}): Promise<Row<C>[]> {
    const wanted = this.stored(where)
    const statement = this.statements.select(wanted, options)
    const rows = await statement.all(db, { ...wantedValues(wanted), limit: options.limit })
    return this.#formed.length === 0 ? rows : rows.map((row) => this.fromDatabase(row))
  }

  /** Returns the next rows by key, after a row or from the first one on, that have a value in a column. */
  async findAfter(
    db: Db,
    column: keyof C & string,
    after: Partial<Row<C>> | undefined,
    limit: number,
  ): Promise<Row<C>[]> {
    const rows = await this.statements.selectAfter(column, after).all(db, { ...after, limit })
    return rows.map((row) => this.fromDatabase(row))
  }

  /** Returns the newest rows with these values, newest first, without reading the latest of the table. */
  findNewest(db: Db, where: Where<C>, limit: number): Promise<Row<C>[]> {
    return this.findAll(db, where, { order: '-id', limit, sortsMatches: true } as Options<C>)
  }

  /** Returns the number of rows with these values. */
  async count(db: Db, where: Where<C>): Promise<number> {
    const wanted = this.stored(where)
    return Number((await this.statements.count(wanted).first(db, wantedValues(wanted))).number)
  }

  /** Inserts a row and returns it. */
  async insert(db: Db, row: NewRow<C>): Promise<Row<C>> {
    const stored = this.#written(row)
    const statement = this.statements.insert(stored, { returns: true })
    return this.fromDatabase(requireWrittenRow(await statement.first(db, stored)))
  }

  /** `insert` for `writeBatch`. */
  insertWrite(row: NewRow<C>): PreparedWrite {
    const stored = this.#written(row)
    return this.statements.insert(stored).write(stored, 1)
  }

  /** Inserts rows that have the same columns, in one statement. */
  async insertAll(db: Db, rows: readonly NewRow<C>[]): Promise<void> {
    const stored = rows.map((row) => this.#written(row))
    const [first] = stored
    if (first) await this.statements.insertAll(first).run(db, { rows: stored })
  }

  /** Inserts rows that were read from a database, but for those whose key, or what is unique, is there. */
  async insertMissing(db: Db, rows: readonly Row<C>[]): Promise<void> {
    const computed = this.declaration.columns.filter(({ expression }) => expression !== undefined)
    const stored = rows.map((row) => {
      const values: Record<string, unknown> = { ...this.stored(row) }
      for (const { name } of computed) delete values[name]
      return values
    })
    const [first] = stored
    if (first) await this.statements.insertAll(first, true).run(db, { rows: stored })
  }

  /**
   * `insertAll` for `writeBatch`: one statement on PostgreSQL, and one for each row on SQLite, where a
   * statement costs no round trip.
   */
  insertWrites(db: Db, rows: readonly NewRow<C>[]): readonly PreparedWrite[] {
    const stored = rows.map((row) => this.#written(row))
    const [first] = stored
    if (first === undefined || dialectOf(db) === 'sqlite') {
      return rows.map((row) => this.insertWrite(row))
    }
    return [this.statements.insertAll(first).write({ rows: stored }, rows.length)]
  }

  /** Sets columns of the rows with these values; returns their number. */
  update(db: Db, where: Where<C>, changes: Changes<C>): Promise<number> {
    const { statement, values } = this.#change(where, changes, {})
    return statement.run(db, values)
  }

  /** Sets columns of the row with these values and returns it; undefined if there is none. */
  async updateRow(db: Db, where: Where<C>, changes: Changes<C>): Promise<Row<C> | undefined> {
    const { statement, values } = this.#change(where, changes, { returns: true })
    const row = await statement.first(db, values)
    return row && this.fromDatabase(row)
  }

  /** `update` for `writeBatch`. */
  updateWrite(where: Where<C>, changes: Changes<C>): PreparedWrite {
    const { statement, values } = this.#change(where, changes, {})
    return statement.write(values)
  }

  /** As `update`; makes the change the next revision of each row. */
  revise(db: Db, where: Where<C>, changes: Changes<C>, now: Instant): Promise<number> {
    const { statement, values } = this.#change(where, changes, { revises: true })
    return statement.run(db, { ...values, updated_at: now })
  }

  /** As `revise`; returns the changed rows. */
  async reviseRows(db: Db, where: Where<C>, changes: Changes<C>, now: Instant): Promise<Row<C>[]> {
    const { statement, values } = this.#change(where, changes, { revises: true, returns: true })
    const rows = await statement.all(db, { ...values, updated_at: now })
    return rows.map((row) => this.fromDatabase(row))
  }

  /** `revise` for `writeBatch`, with the number of rows that it must change, if any. */
  reviseWrite(where: Where<C>, changes: Changes<C>, now: Instant, rows?: number): PreparedWrite {
    const { statement, values } = this.#change(where, changes, { revises: true })
    return statement.write({ ...values, updated_at: now }, rows)
  }

  /** As `reviseRows`, for one row; undefined if there is none. */
  async reviseRow(...change: Parameters<Table<C>['reviseRows']>): Promise<Row<C> | undefined> {
    return (await this.reviseRows(...change))[0]
  }

  /**
   * Stores columns of a row as its next revision and returns the row. Throws a StaleWriteError if it
   * has changed since it was read.
   */
  async save(db: Db, row: RevisedRow, changes: Changes<C>, now: Instant): Promise<Row<C>> {
    const unchanged = { id: row.id, revision: row.revision } as unknown as Where<C>
    return requireWrittenRow(await this.reviseRow(db, unchanged, changes, now))
  }

  /** As `save`, for many rows, of which the same columns change, in one statement. */
  async saveAll(db: Db, rows: readonly (RevisedRow & Changes<C>)[], now: Instant): Promise<void> {
    const changes = rows.map((row) => this.#written(row))
    const [first] = changes
    if (first === undefined) return
    const statement = this.statements.updateAll(first, { revises: true })
    const saved = await statement.run(db, { rows: changes, updated_at: now })
    if (saved < rows.length) throw new StaleWriteError('A row has changed since it was read')
  }

  /** Sets columns of rows by their IDs, the same columns of each, in one statement. */
  async updateAll(db: Db, rows: readonly ({ readonly id: number } & Changes<C>)[]): Promise<void> {
    const changes = rows.map((row) => this.#written(row))
    const [first] = changes
    if (first) await this.statements.updateAll(first, {}).run(db, { rows: changes })
  }

  /** Deletes the rows with these values; returns their number. */
  delete(db: Db, where: Where<C>): Promise<number> {
    const wanted = this.stored(where)
    return this.statements.delete(wanted).run(db, wantedValues(wanted))
  }

  /** `delete` for `writeBatch`. */
  deleteWrite(where: Where<C>): PreparedWrite {
    const wanted = this.stored(where)
    return this.statements.delete(wanted).write(wantedValues(wanted))
  }

  /** Deletes the rows with these values and returns them. */
  async take(db: Db, where: Where<C>): Promise<Row<C>[]> {
    const wanted = this.stored(where)
    const statement = this.statements.delete(wanted, { returns: true })
    const rows = await statement.all(db, wantedValues(wanted))
    return rows.map((row) => this.fromDatabase(row))
  }

  /**
   * Deletes at most `deletionBatchSize` rows whose time, until or since which they are kept, is not after
   * this one, the oldest first; returns their number. Throws a TypeError for a table that keeps its rows
   * otherwise.
   */
  deleteExpired(db: Db, time: Instant): Promise<number> {
    const { table: name, kept } = this.declaration
    if (typeof kept === 'string') throw new TypeError(`${name} keeps its rows ${kept}`)
    const column = 'until' in kept ? kept.until : kept.since
    return this.statements.deleteExpired(column).run(db, { time })
  }

  /** Returns a row that a query has read as the code has it: booleans, lists and objects as such. */
  fromDatabase<R extends object>(row: R): R & Row<C> {
    return this.#converted(row, 'fromColumn') as R & Row<C>
  }

  /** Returns the schemas of some columns, for the rows of `prepareSql`. */
  schemasOf<const N extends readonly (keyof C & string)[]>(names: N): Pick<C, N[number]> {
    return Object.fromEntries(names.map((name) => [name, this.schemas[name]])) as Pick<C, N[number]>
  }

  /** Returns the kinds of columns, for `rowsFromJson`. */
  kindsOf<K extends keyof C & string>(names: readonly K[]): Readonly<Record<K, ColumnKind>> {
    const kinds = new Map(this.declaration.columns.map(({ name, kind }) => [name, kind]))
    return Object.fromEntries(names.map((name) => [name, kinds.get(name)])) as Record<K, ColumnKind>
  }

  /** Returns values as the database has them. */
  stored(values: object): Values {
    return this.#converted(values, 'toColumn') as Values
  }

  /** Returns values with the columns that follow from them, for statements that are not the table's. */
  withFollowing<V extends Changes<C>>(values: V): V & Pick<Row<C>, FollowingColumns<C>> {
    let following: Record<string, unknown> | undefined
    for (const { name, origin } of this.#following) {
      const value = origin && (values as Values)[origin.column]
      if (value === undefined || name in values) continue
      following ??= { ...values }
      following[name] = origin?.derive(value as never)
    }
    return (following ?? values) as V & Pick<Row<C>, FollowingColumns<C>>
  }

  #change(where: Where<C>, changes: Changes<C>, options: ChangeOptions) {
    const [wanted, stored] = [this.stored(where), this.#written(changes)]
    const statement = this.statements.update(wanted, stored, options)
    return { statement, values: { ...stored, ...wantedValues(wanted) } }
  }

  /** Returns values to be written as the database has them. */
  #written(values: object): Values {
    const stored = this.stored(values)
    return this.following.length === 0 ? stored : this.withFollowing(stored as never)
  }

  #converted(values: object, direction: Exclude<keyof StoredForm<unknown>, 'kind'>): object {
    let converted: Record<string, unknown> | undefined
    for (const { name, form } of this.#formed) {
      const value = (values as Values)[name]
      if (value === null || value === undefined || value === notNull) continue
      converted ??= { ...values }
      converted[name] = form?.[direction](value as never)
    }
    return converted ?? values
  }
}

/** Declares a table. */
export const table = <const C extends TProperties>(
  name: string,
  options: TableOptions<C>,
): Table<C> => new Table(name, options)
