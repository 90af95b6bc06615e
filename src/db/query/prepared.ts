import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely'
import type { Db } from '#db/database.ts'
import { finalStatement } from './deferred.ts'

/** A query compiled once per dialect and run with the values of its parameters. */
export interface PreparedQuery<P extends object, R> {
  /** Runs the query and returns its rows. */
  all(db: Db, values: P): Promise<R[]>
  /** Runs the query and returns its first row, if any. */
  first(db: Db, values: P): Promise<R | undefined>
  /**
   * The same, as the last statement of a transaction if it has changed something, by that row:
   * after it nothing may be asked nor refused then.
   */
  executeFinal(db: Db, values: P, hasChanged: (row: R) => boolean): Promise<R | undefined>
  /** Runs the query and returns how many rows it affected. */
  run(db: Db, values: P): Promise<number>
  /** The query with its values, for `writeTogether`; where given, it has to affect so many rows. */
  write(values: P, rows?: number): PreparedWrite
}

/** A write that has still to be run. */
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

// Whatever is asked of it is a placeholder, which Kysely takes for a value and puts, untouched,
// among the parameters of the compiled query.
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
 * Prepares a query that is built once per dialect, with `param` handing out a placeholder for
 * each name of `P`. A placeholder is opaque while the query is built: it may stand wherever
 * Kysely takes a value, but not be looked into, and the shape of the query cannot depend on it.
 */
export function prepared<P extends object, R>(
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
    executeFinal: async (db, values, hasChanged) => {
      const query = finalStatement(compiled(db, values), (row) => hasChanged(row as R))
      return (await db.executeQuery(query)).rows[0]
    },
    run: async (db, values) => Number((await execute(db, values)).numAffectedRows ?? 0),
    write: (values, rows) => ({ compiled: (db) => compiled(db, values), rows }),
  }
}
