import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryCompiler,
  type QueryResult,
} from 'kysely'

/** A driver that also runs a statement without a connection being taken for it first. */
export interface DirectDriver extends Driver {
  readonly run: <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>
}

type Run = DirectDriver['run']

/** What a dialect compiles with and is told by. */
interface Language {
  readonly compiler: QueryCompiler
  readonly adapter: DialectAdapter
}

/**
 * Hands a statement to the driver as it is, in a transaction to its connection. Kysely's own
 * executor takes and gives back the connection around each, and keeps those of a transaction from
 * overtaking one another, which a driver that runs each to its end at once has no use for.
 */
export class DirectExecutor extends DefaultQueryExecutor {
  readonly #language: Language
  readonly #run: Run

  private constructor(language: Language, provider: ConnectionProvider, run: Run) {
    super(language.compiler, language.adapter, provider)
    this.#language = language
    this.#run = run
  }

  static over(dialect: Dialect, driver: DirectDriver): DirectExecutor {
    const compiler = dialect.createQueryCompiler()
    const adapter = dialect.createAdapter()
    return new DirectExecutor({ compiler, adapter }, leading(driver), (query) => driver.run(query))
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#run<Row>(query)
  }

  /** The executor of a transaction, to whose connection the provider leads. */
  override withConnectionProvider(provider: ConnectionProvider): DirectExecutor {
    let connection: DatabaseConnection | undefined
    return new DirectExecutor(this.#language, provider, async (query) => {
      connection ??= await provider.provideConnection(async (held) => held)
      return connection.executeQuery(query)
    })
  }
}

function leading(driver: Driver): ConnectionProvider {
  return {
    provideConnection: async (consumer) => {
      const connection = await driver.acquireConnection()
      try {
        return await consumer(connection)
      } finally {
        await driver.releaseConnection(connection)
      }
    },
  }
}
