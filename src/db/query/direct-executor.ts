import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type DialectAdapter,
  type Driver,
  Kysely,
  type QueryCompiler,
  type QueryResult,
  Transaction,
} from 'kysely'
import { StoreMisuseError } from '#db/errors.ts'

/** Runs one statement to its end. */
export type Run = <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>

/** What a dialect compiles with and is told by. */
interface Language {
  readonly compiler: QueryCompiler
  readonly adapter: DialectAdapter
}

/** Where every statement goes the same way, that way is the connection. */
class DirectConnection implements ConnectionProvider, DatabaseConnection {
  readonly #run: Run

  constructor(run: Run) {
    this.#run = run
  }

  provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return consumer(this)
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#run<Row>(query)
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.#run<Row>(query)
  }
}

/**
 * Hands a statement over as it is. Kysely's own executor takes a connection for each and gives it
 * back, and in a transaction first makes another executor for it.
 */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #run: Run

  constructor({ compiler, adapter }: Language, run: Run) {
    super(compiler, adapter, new DirectConnection(run))
    this.#run = run
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#run<Row>(query)
  }
}

const refuse = (): Promise<never> =>
  Promise.reject(new StoreMisuseError('Transactions and connections are those of the store'))

/** Stands where Kysely would drive the connections itself. */
export const noDriver: Driver = {
  init: refuse,
  acquireConnection: refuse,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  releaseConnection: refuse,
  destroy: refuse,
}

/** Makes the query builders of a database: one of its own, and one for each transaction. */
export function buildersOf<Tables>(dialect: Dialect) {
  const language = {
    compiler: dialect.createQueryCompiler(),
    adapter: dialect.createAdapter(),
  }
  const over = (run: Run) => {
    const executor = new DirectExecutor(language, run)
    return { config: { dialect }, dialect, driver: noDriver, executor }
  }
  return {
    outside: (run: Run): Kysely<Tables> => new Kysely(over(run)),
    inside: (run: Run): Kysely<Tables> => new Transaction(over(run)),
  }
}
