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
import { StoreMisuseError } from '#store/errors.ts'

/** Runs a compiled query and resolves to its result. */
export type RunQuery = <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>

interface DialectParts {
  readonly compiler: QueryCompiler
  readonly adapter: DialectAdapter
}

/** The one connection on which all queries run. */
class DirectConnection implements ConnectionProvider, DatabaseConnection {
  readonly #run: RunQuery

  constructor(run: RunQuery) {
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
 * Runs queries without acquiring a connection for each, as Kysely's executor does, and without
 * another executor for each transaction.
 */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #run: RunQuery

  constructor({ compiler, adapter }: DialectParts, run: RunQuery) {
    super(compiler, adapter, new DirectConnection(run))
    this.#run = run
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#run<Row>(query)
  }
}

const reject = (): Promise<never> =>
  Promise.reject(new StoreMisuseError('The store manages transactions and connections'))

/** A Kysely driver that rejects every call, since the store manages its connections. */
export const noDriver: Driver = {
  init: reject,
  acquireConnection: reject,
  beginTransaction: reject,
  commitTransaction: reject,
  rollbackTransaction: reject,
  releaseConnection: reject,
  destroy: reject,
}

/** Returns functions that create the query builder of a database and of each transaction. */
export function createQueryBuilders<Tables>(dialect: Dialect) {
  const parts = {
    compiler: dialect.createQueryCompiler(),
    adapter: dialect.createAdapter(),
  }
  const propsOf = (run: RunQuery) => {
    const executor = new DirectExecutor(parts, run)
    return { config: { dialect }, dialect, driver: noDriver, executor }
  }
  return {
    database: (run: RunQuery): Kysely<Tables> => new Kysely(propsOf(run)),
    transaction: (run: RunQuery): Kysely<Tables> => new Transaction(propsOf(run)),
  }
}
