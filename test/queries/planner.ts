import { PostgresClient } from '#store/postgres/client.ts'
import { smallTables } from './grow.ts'
import type { RanStatement } from './statements.ts'

/** A node of a PostgreSQL plan, reduced to what is used. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** The rows of growing tables that a statement visited, and the steps of its plan. */
export interface InteractionRequest {
  readonly rows: number
  readonly isWholeTable: boolean
  readonly steps: readonly string[]
}

/** Whether a connection plans a statement for any values or for the given ones. */
export type PlanMode = 'force_generic_plan' | 'force_custom_plan'

/** Both modes. */
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

/** An SQL literal of a parameter. */
function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`
  const text = typeof value === 'boolean' ? Number(value) : value
  const sent = Array.isArray(text) ? JSON.stringify(text) : String(text)
  return `'${sent.replaceAll("'", "''")}'`
}

/** Runs statements as the server does, prepared on one connection, and returns their plans. */
export class Planner {
  readonly #client: PostgresClient
  readonly #names = new Map<string, string>()

  private constructor(client: PostgresClient) {
    this.#client = client
  }

  /** Opens a connection as the server does; its plans last until the statistics of their tables change. */
  static async open(url: string, mode: PlanMode): Promise<Planner> {
    const client = new PostgresClient(url, 0)
    await client.command(`set plan_cache_mode = ${mode}`)
    return new Planner(client)
  }

  /** Runs a statement, rolls it back, and returns what it visited by the plan of the connection. */
  async visit({ sql, parameters }: RanStatement): Promise<InteractionRequest> {
    const name = this.#names.get(sql) ?? (await this.#prepare(sql))
    const values = parameters.length === 0 ? '' : `(${parameters.map(literalOf).join(', ')})`
    await this.#client.command('begin')
    try {
      return visitOf(await this.#explain(`execute ${name}${values}`, 1))
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

  /** Deletes the rows that the statement inserted before, in the order of their keys, ever more at once. */
  async #explain(statement: string, deleted: number): Promise<PlanNode> {
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
      if (code !== '23505' || columns === undefined || deleted > 10_000) throw error
      await this.#client.command('rollback to savepoint attempt')
      const given = values.split(', ').map(literalOf)
      await this.#client.command(
        `delete from ${table_name} where ctid = any(array(select ctid from ${table_name}
          where (${columns}) >= (${given.join(', ')}) order by ${columns} limit ${deleted}))`,
      )
      return await this.#explain(statement, 2 * deleted)
    }
  }
}
