import { PostgresClient } from '#db/postgres/pool.ts'
import { smallTables } from './grow.ts'
import type { RanStatement } from './statements.ts'

/** A node of a plan of PostgreSQL, as far as it is looked at. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** What came of a statement: how many rows of growing tables it visited, and how. */
export interface InteractionRequest {
  readonly rows: number
  readonly isWholeTable: boolean
  readonly steps: readonly string[]
}

/** Which plans a connection makes: of a statement for any values, or for those that it is run with. */
export type PlanMode = 'force_generic_plan' | 'force_custom_plan'

/** Both. */
export const planModes: readonly PlanMode[] = ['force_generic_plan', 'force_custom_plan']

const nodesOf = (node: PlanNode): readonly PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(nodesOf),
]

const rowsOf = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']

function visitOf(root: PlanNode): InteractionRequest {
  const visiting = nodesOf(root).filter((node) => {
    const table = node['Relation Name']
    const isChanging = node['Node Type'] === 'ModifyTable'
    return table !== undefined && !isChanging && !smallTables.includes(table)
  })
  return {
    rows: visiting.reduce((sum, node) => sum + rowsOf(node), 0),
    isWholeTable: visiting.some((node) => node['Node Type'] === 'Seq Scan'),
    steps: visiting.map(
      (node) =>
        `${node['Node Type']} on ${node['Relation Name']} ${node['Index Cond'] ?? ''}: ${rowsOf(node)}`,
    ),
  }
}

/** A value as SQL has it, of the same meaning as the driver sends it. */
function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`
  const text = typeof value === 'boolean' ? Number(value) : value
  const sent = Array.isArray(text) ? JSON.stringify(text) : String(text)
  return `'${sent.replaceAll("'", "''")}'`
}

/** Runs statements as the server does, prepared on one of its connections, and tells of their plans. */
export class Planner {
  readonly #client: PostgresClient
  readonly #names = new Map<string, string>()

  private constructor(client: PostgresClient) {
    this.#client = client
  }

  /** Opens a connection as the server does; plans made on it last until the statistics of their tables change. */
  static async open(url: string, mode: PlanMode): Promise<Planner> {
    const client = new PostgresClient(url, 0)
    await client.command(`set plan_cache_mode = ${mode}`)
    return new Planner(client)
  }

  /** Runs a statement, undoes it, and tells what it visited by the plan that the connection has of it. */
  async visit({ sql, parameters }: RanStatement): Promise<InteractionRequest> {
    const name = this.#names.get(sql) ?? (await this.#prepare(sql))
    const values = parameters.length === 0 ? '' : `(${parameters.map(literalOf).join(', ')})`
    await this.#client.command('begin')
    try {
      return visitOf(await this.#explain(`execute ${name}${values}`, 10))
    } finally {
      await this.#client.command('rollback')
    }
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  async #prepare(sql: string): Promise<string> {
    const name = `statement_${this.#names.size}`
    await this.#client.command(`prepare ${name} as ${sql}`)
    this.#names.set(sql, name)
    return name
  }

  /** What the statement has inserted before is in its way, and removed. */
  async #explain(statement: string, attempts: number): Promise<PlanNode> {
    await this.#client.command('savepoint attempt')
    try {
      const { rows } = await this.#client.query<{
        readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[]
      }>(`explain (analyze, timing off, format json) ${statement}`, [])
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
      if (plan === undefined) throw new Error('PostgreSQL tells no plan')
      return plan
    } catch (error) {
      const { code, detail = '', table_name } = error as Record<string, string>
      const [, columns, values = ''] = /^Key \((.*)\)=\((.*)\) already exists/.exec(detail) ?? []
      if (code !== '23505' || columns === undefined || attempts === 0) throw error
      await this.#client.command('rollback to savepoint attempt')
      const given = values.split(', ').map(literalOf)
      await this.#client.command(
        `delete from ${table_name} where (${columns}) = (${given.join(', ')})`,
      )
      return await this.#explain(statement, attempts - 1)
    }
  }
}
