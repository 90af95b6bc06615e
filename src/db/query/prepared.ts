import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely'
import type { Db } from '#db/database.ts'
import { valuesReader } from '#values/by-name.ts'

/** A query compiled once per dialect and run with the values of its parameters. */
export interface PreparedQuery<P extends object, R> {
  /** Runs the query and returns its rows. */
  all(db: Db, values: P): Promise<R[]>
  /** Runs the query and returns its first row, if any. */
  first(db: Db, values: P): Promise<R | undefined>
  /** Runs the query and returns the number of affected rows. */
  run(db: Db, values: P): Promise<number>
  /** Returns the query for `writeTogether`, with the number of rows that it must affect, if any. */
  write(values: P, rows?: number): PreparedWrite
}

/** A write to be run by `writeTogether`. */
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

interface Plan {
  readonly query: CompiledQuery
  /** The parameters, with placeholders for those that are given later. */
  readonly slots: readonly unknown[]
  /** What is given later, in the order of the slots; undefined for what is fixed. */
  readonly given: ReturnType<typeof valuesReader>
}

function planOf(query: CompiledQuery): Plan {
  const slots = query.parameters
  const names = slots.map((slot) => (slot instanceof Placeholder ? slot.name : ''))
  return { query, slots, given: valuesReader(names) }
}

function fill({ query, slots, given }: Plan, values: Readonly<Record<string, unknown>>) {
  const parameters = given(values)
  for (let at = 0; at < parameters.length; at += 1) {
    if (parameters[at] !== undefined) continue
    const slot = slots[at]
    if (slot instanceof Placeholder) {
      throw new TypeError(`The parameter "${slot.name}" has no value`)
    }
    parameters[at] = slot
  }
  return { ...query, parameters }
}

/**
 * Prepares a query that is built once per dialect. Each property of `param` is a placeholder: it may
 * be used wherever Kysely takes a value, but its own value cannot be read, so the shape of the
 * query cannot depend on it. Running the query throws a TypeError where a value is undefined.
 */
export function prepared<P extends object, R>(
  build: (db: Db, param: P) => Compilable<R>,
): PreparedQuery<P, R> {
  const plans = new WeakMap<DialectAdapter, Plan>()

  function planFor(db: Db): Plan {
    const { adapter } = db.getExecutor()
    const known = plans.get(adapter)
    if (known !== undefined) return known
    const plan = planOf(build(db, placeholders as P).compile())
    plans.set(adapter, plan)
    return plan
  }

  const compiled = (db: Db, values: P) =>
    fill(planFor(db), values as Readonly<Record<string, unknown>>) as CompiledQuery<R>

  const execute = (db: Db, values: P) => db.executeQuery(compiled(db, values))

  return {
    all: async (db, values) => (await execute(db, values)).rows,
    first: async (db, values) => (await execute(db, values)).rows[0],
    run: async (db, values) => Number((await execute(db, values)).numAffectedRows ?? 0),
    write: (values, rows) => ({ compiled: (db) => compiled(db, values), rows }),
  }
}
