import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Db } from '#store/database.ts'
import type { TableDeclaration } from '#store/declaration.ts'
import { deletionBatchSize } from './deletion-batch.ts'
import { dialectOf, idIn, idInQuery, rowsFromJson, textIn, withoutIndex } from './dialect.ts'
import { type PreparedQuery, prepareQuery } from './prepared.ts'

// biome-ignore lint/suspicious/noExplicitAny: only the declaration of a table knows its columns
type Any = any

/** The values of columns by name. */
export type Values = Readonly<Record<string, unknown>>

/** Stands for any value but null. */
export const notNull: unique symbol = Symbol('not null')

/** How rows are read. */
export interface ReadOptions<Column extends string = string> {
  /** Locks the rows until the transaction ends. */
  readonly locks?: boolean
  /** The column to sort by; `-id` is descending. */
  readonly order?: Column | `-${Column}`
  readonly limit?: number
  /** Reads the rows by their values only, and sorts them. */
  readonly sortsMatches?: boolean
}

/** How rows are changed. */
export interface ChangeOptions {
  /** Makes the change the next revision of each row. */
  readonly revises?: boolean
  /** Returns the changed rows. */
  readonly returns?: boolean
}

type Statement = PreparedQuery<Values, Any>

/** The name of the parameter that holds the wanted value of a column. */
const wanted = (column: string): string => `wanted ${column}`

/** The parameters of conditions. */
export function wantedValues(where: Values): Values {
  const values: Record<string, unknown> = {}
  for (const column of Object.keys(where)) values[wanted(column)] = where[column]
  return values
}

const kindOfValue = (value: unknown): string => {
  if (value === null) return ' null'
  if (value === notNull) return ' not null'
  return Array.isArray(value) ? ' list' : ''
}

const isSame = (names: readonly string[], others: readonly string[]): boolean =>
  names.length === others.length && names.every((name, at) => name === others[at])

/** What tells apart conditions that need statements of their own. */
const shapeOf = (where: Values): string =>
  Object.entries(where)
    .map(([column, value]) => column + kindOfValue(value))
    .join()

/**
 * The statements on one table by the values of columns. A condition on null and one on a list, which
 * is one parameter, are told apart; each combination is prepared at its first use.
 */
export class Statements {
  readonly #table: string
  readonly #key: readonly string[]
  readonly #kinds: Readonly<Record<string, 'integer' | 'real' | 'text'>>
  readonly #prepared = new Map<string, Statement>()
  /** Rows of one table mostly have the same columns; joining dozens of names for each takes longer. */
  #lastInsert:
    | {
        readonly names: readonly string[]
        readonly returns: boolean
        readonly statement: Statement
      }
    | undefined

  constructor({ table, key, columns }: TableDeclaration) {
    this.#table = table
    this.#key = key
    this.#kinds = Object.fromEntries(columns.map(({ name, kind }) => [name, kind]))
  }

  select(where: Values, options: ReadOptions): Statement {
    const { locks = false, order, limit, sortsMatches = false } = options
    const isLimited = limit !== undefined
    const shape = `select ${shapeOf(where)} ${locks} ${order} ${isLimited} ${sortsMatches}`
    return this.#prepare(shape, (db, param) => {
      const rows = this.#where(db, db.selectFrom(this.#table).selectAll(), where, param)
      const column = order?.replace('-', '') ?? ''
      const direction = column === order ? 'asc' : 'desc'
      return rows
        .$if(order !== undefined, (q: Any) =>
          q.orderBy(withoutIndex(column, sortsMatches), direction),
        )
        .$if(isLimited, (q: Any) => q.limit(param.limit))
        .$if(locks && dialectOf(db) === 'postgres', (q: Any) => q.forNoKeyUpdate())
    })
  }

  /** The next rows in the order of the key, after the row whose key is given, without null in a column. */
  selectAfter(column: string, after: Values | undefined): Statement {
    return this.#prepare(`select after ${column} ${after !== undefined}`, (db, param) => {
      const key = sql.join(this.#key.map((name) => sql.ref(name)))
      const last = sql.join(this.#key.map((name) => param[name]))
      return db
        .selectFrom(this.#table)
        .selectAll()
        .where(column, 'is not', null)
        .$if(after !== undefined, (q: Any) => q.where(sql<SqlBool>`(${key}) > (${last})`))
        .orderBy(sql`${key}`)
        .limit(param.limit)
    })
  }

  count(where: Values): Statement {
    return this.#prepare(`count ${shapeOf(where)}`, (db, param) => {
      const rows = db.selectFrom(this.#table).select((eb) => eb.fn.countAll<number>().as('number'))
      return this.#where(db, rows, where, param)
    })
  }

  insert(row: Values, { returns = false }: ChangeOptions = {}): Statement {
    const names = Object.keys(row)
    const last = this.#lastInsert
    if (last?.returns === returns && isSame(last.names, names)) return last.statement
    const statement = this.#prepare(`insert ${names} ${returns}`, (db, param) =>
      db
        .insertInto(this.#table)
        .values(Object.fromEntries(names.map((name) => [name, param[name]])))
        .$if(returns, (q: Any) => q.returningAll()),
    )
    this.#lastInsert = { names, returns, statement }
    return statement
  }

  /** Inserts the rows of the parameter `rows`; with `ignores`, those that conflict with no other. */
  insertAll(row: Values, ignores = false): Statement {
    const names = Object.keys(row)
    return this.#prepare(`insert all ${names} ${ignores}`, (db, param) => {
      const kinds = Object.fromEntries(names.map((name) => [name, this.#kinds[name]]))
      const rows = rowsFromJson(db, param.rows, kinds as never).as('rows')
      const selection = db.selectFrom(rows as never).select(names as never)
      const inserted = db.insertInto(this.#table).columns(names)
      if (!ignores) return inserted.expression(selection)
      // Without a condition, SQLite parses `on conflict` after a table as a join constraint.
      const all = selection.where(sql.lit(true), '=', sql.lit(true))
      return inserted.expression(all).onConflict((conflict: Any) => conflict.doNothing())
    })
  }

  update(where: Values, changes: Values, options: ChangeOptions): Statement {
    const { revises = false, returns = false } = options
    const names = Object.keys(changes)
    const shape = `update ${names} ${shapeOf(where)} ${revises} ${returns}`
    return this.#prepare(shape, (db, param) => {
      const set = Object.fromEntries(names.map((name) => [name, param[name]]))
      const rows = db.updateTable(this.#table).set((eb: Any) => ({
        ...set,
        ...(revises && { revision: eb('revision', '+', eb.lit(1)), updated_at: param.updated_at }),
      }))
      return this.#where(db, rows, where, param).$if(returns, (q: Any) => q.returningAll())
    })
  }

  /** Changes the rows of the parameter `rows` by their IDs; with `revises`, those that still have their revision. */
  updateAll(row: Values, { revises = false }: ChangeOptions): Statement {
    const names = Object.keys(row)
    return this.#prepare(`update all ${names} ${revises}`, (db, param) => {
      const kinds = Object.fromEntries(names.map((name) => [name, this.#kinds[name]]))
      const rows = rowsFromJson(db, param.rows, kinds as never).as('changed')
      const keys: readonly string[] = revises ? ['id', 'revision'] : ['id']
      const set = names.filter((name) => !keys.includes(name))
      return keys.reduce(
        (update, key) => update.whereRef(`${this.#table}.${key}`, '=', `changed.${key}`),
        db
          .updateTable(this.#table)
          .from(rows as never)
          .set((eb: Any) => ({
            ...Object.fromEntries(set.map((name) => [name, eb.ref(`changed.${name}`)])),
            ...(revises && {
              revision: eb(`${this.#table}.revision`, '+', eb.lit(1)),
              updated_at: param.updated_at,
            }),
          })) as Any,
      )
    })
  }

  delete(where: Values, { returns = false }: ChangeOptions = {}): Statement {
    return this.#prepare(`delete ${shapeOf(where)} ${returns}`, (db, param) =>
      this.#where(db, db.deleteFrom(this.#table), where, param).$if(returns, (q: Any) =>
        q.returningAll(),
      ),
    )
  }

  /** Claims the first due rows, at most `limit`, until the time in `leased_until`. */
  claim(where: Values): Statement {
    return this.#prepare(`claim ${shapeOf(where)}`, (db, param) => {
      const due = this.#where(db, this.#due(db, param), where, param)
        .orderBy('due_at')
        .limit(param.limit)
        .$if(dialectOf(db) === 'postgres', (rows: Any) => rows.forUpdate().skipLocked())
      return db
        .updateTable(this.#table)
        .set({ leased_until: param.leased_until })
        .where(idInQuery(db, `${this.#table}.id`, due))
        .returningAll()
    })
  }

  /** Reads one row that is due. */
  anyDue(where: Values): Statement {
    return this.#prepare(`any due ${shapeOf(where)}`, (db, param) =>
      this.#where(db, this.#due(db, param), where, param).limit(sql.lit(1)),
    )
  }

  #due(db: Kysely<Any>, param: Any): Any {
    return db
      .selectFrom(this.#table)
      .select('id')
      .where('due_at', '<=', param.now)
      .where('leased_until', '<=', param.now)
  }

  /** Deletes at most `deletionBatchSize` rows whose time in a column is not after the one in `time`. */
  deleteExpired(column: string): Statement {
    return this.#prepare(`delete expired ${column}`, (db, param) => {
      const expired = db
        .selectFrom(this.#table)
        .select(this.#key)
        .where(column, '<=', param.time)
        .orderBy(column)
        .limit(sql.lit(deletionBatchSize))
      const [key = '', ...others] = this.#key
      const isExpired =
        others.length === 0
          ? idInQuery(db, `${this.#table}.${key}`, expired)
          : sql<SqlBool>`(${sql.join(this.#key.map((name) => sql.ref(name)))}) in ${expired}`
      return (
        db
          .deleteFrom(this.#table)
          .where(isExpired)
          // Checked again, so that a row prolonged in the meantime stays.
          .where(column, '<=', param.time)
      )
    })
  }

  #prepare(shape: string, build: (db: Kysely<Any>, param: Any) => Any): Statement {
    const known = this.#prepared.get(shape)
    if (known) return known
    const statement: Statement = prepareQuery((db: Db, param: Values) => build(db, param))
    this.#prepared.set(shape, statement)
    return statement
  }

  #where(db: Kysely<Any>, query: Any, where: Values, param: Any): Any {
    return Object.entries(where).reduce((rows, [column, value]) => {
      const kind = this.#kinds[column]
      if (kind === undefined) throw new TypeError(`${this.#table} has no column ${column}`)
      if (value === null) return rows.where(column, 'is', null)
      if (value === notNull) return rows.where(column, 'is not', null)
      if (!Array.isArray(value)) return rows.where(column, '=', param[wanted(column)])
      const isIn = kind === 'text' ? textIn : idIn
      return rows.where(isIn(db, `${this.#table}.${column}`, param[wanted(column)]))
    }, query)
  }
}
