import type { Compilable, CompiledQuery, DialectAdapter, RawBuilder, Selectable } from 'kysely'
import type { TProperties } from 'typebox'
import type { ColumnsOf } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { noteKindOfText } from './statement-kind.ts'

/** A query compiled once per dialect and run with the values of its parameters. */
export interface PreparedQuery<P extends object, R> {
  /** Runs the query and returns its rows. */
  all(db: Db, values: P): Promise<R[]>
  /** Runs the query and returns its first row, if any. */
  first(db: Db, values: P): Promise<R | undefined>
  /** Runs the query and returns the number of affected rows. */
  run(db: Db, values: P): Promise<number>
  /** Returns the query for `writeBatch`, with the number of rows that it must affect, if any. */
  write(values: P, rows?: number): PreparedWrite
}

/** A write to be run by `writeBatch`. */
export interface PreparedWrite {
  readonly compiled: (db: Db) => CompiledQuery
  readonly rows: number | undefined
}

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

// Every property is a placeholder, which Kysely copies as a value into the parameters of the
// compiled query.
const placeholders = new Proxy(
  {},
  { get: (_target, name) => (typeof name === 'string' ? new Placeholder(name) : undefined) },
)

function fill<R>(
  query: CompiledQuery<R>,
  values: Readonly<Record<string, unknown>>,
): CompiledQuery<R> {
  const parameters = query.parameters.map((parameter) => {
    if (!(parameter instanceof Placeholder)) return parameter
    const value = values[parameter.name]
    if (value === undefined) {
      throw new TypeError(`The parameter "${parameter.name}" has no value`)
    }
    return value
  })
  return { ...query, parameters }
}

/**
 * Prepares a query that is built once per dialect. Each property of `param` is a placeholder: it may
 * be used wherever Kysely takes a value, but its own value cannot be read, so the shape of the
 * query cannot depend on it. Running the query throws a TypeError where a value is undefined.
 */
export function prepareQuery<P extends object, R>(
  build: (db: Db, param: P) => Compilable<R>,
): PreparedQuery<P, R> {
  const queries = new WeakMap<DialectAdapter, CompiledQuery<R>>()

  function queryFor(db: Db): CompiledQuery<R> {
    const { adapter } = db.getExecutor()
    const known = queries.get(adapter)
    if (known !== undefined) return known
    const query = build(db, placeholders as P).compile()
    queries.set(adapter, query)
    return query
  }

  const compiled = (db: Db, values: P) =>
    fill(queryFor(db), values as Readonly<Record<string, unknown>>)

  const execute = (db: Db, values: P) => db.executeQuery(compiled(db, values))

  return {
    all: async (db, values) => (await execute(db, values)).rows,
    first: async (db, values) => (await execute(db, values)).rows[0],
    run: async (db, values) => Number((await execute(db, values)).numAffectedRows ?? 0),
    write: (values, rows) => ({ compiled: (db) => compiled(db, values), rows }),
  }
}

/** A query written in SQL with the names of the columns that its rows have. */
interface SqlQuery {
  readonly columns: readonly string[]
  readonly query: PreparedQuery<object, object>
}

/** Every query that `prepareSql` has prepared; a test compares each with both databases. */
export const sqlQueries: SqlQuery[] = []

/**
 * Prepares a query that is written in SQL: `build` returns its text by the tag `sql` of Kysely, with the
 * placeholders of `prepareQuery`. `columns` declares its rows, which have the values of the database.
 * The text has no comments, and no texts with more than a blank between two words.
 */
export function prepareSql<P extends object, const C extends TProperties = Record<never, never>>(
  build: (db: Db, param: P) => RawBuilder<unknown>,
  columns: C = {} as C,
): PreparedQuery<P, Selectable<ColumnsOf<C>>> {
  const query = prepareQuery<P, Selectable<ColumnsOf<C>>>((db, param) => ({
    compile: () => {
      const compiled = build(db, param).compile(db)
      noteKindOfText(compiled)
      const text = compiled.sql.trim().replaceAll(/\s+/g, ' ')
      return { ...(compiled as CompiledQuery<never>), sql: text }
    },
  }))
  sqlQueries.push({
    columns: Object.keys(columns),
    query: query as unknown as SqlQuery['query'],
  })
  return query
}
