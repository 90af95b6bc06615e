import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SqliteConnection } from '#store/sqlite/connection.ts'
import { type ContractApp, startContractApp } from '#test/contract/setup/contract-app.ts'
import { exercise, listAll } from './exercise.ts'
import { smallTables } from './grow.ts'
import { isOfTrade, type RanStatement, recordStatements } from './statements.ts'

/** Indexes of open payments, of pending mails and of unpaid items only. */
const smallIndexes: ReadonlySet<string> = new Set([
  'payments_order_id_due_at_index',
  'mails_due_at_index',
  'order_items_order_block_product_id_order_id_unpaid_index',
])

describe('SQLite, whose plans do not depend on the size of tables,', () => {
  let contractApp: ContractApp
  let database: SqliteConnection
  let statements: readonly RanStatement[]
  let growing: ReadonlySet<string>
  before(async () => {
    contractApp = await startContractApp('sqlite')
    const ran = await recordStatements(async () => {
      await exercise(contractApp)
      await listAll(contractApp)
    })
    statements = ran.filter(isOfTrade)
    assert.ok(statements.length > 300, 'the exercise runs hardly any statement')
    database = new SqliteConnection(contractApp.shop.url.slice('sqlite:'.length), {
      readOnly: true,
    })
    const names = tablesLike('%').map(({ name }) => name)
    // `sqlite_sequence` has a row for each table.
    const few = [...smallTables, 'user_counts', 'sqlite_sequence']
    growing = new Set(names.filter((name) => !few.includes(name)))
  })
  after(async () => {
    database.close()
    await contractApp.shop.dispose()
  })

  const tablesLike = (name: string) =>
    database.execute("select name from sqlite_schema where type = 'table' and name like ?", [name])
      .rows as readonly { readonly name: string }[]

  test('keeps no statistics, which could change its plans', () => {
    assert.deepEqual(tablesLike('sqlite_stat%'), [])
  })

  const planOf = ({ sql, parameters }: RanStatement): readonly string[] =>
    database
      .execute<{ readonly detail: string }>(`explain query plan ${sql}`, parameters)
      .rows.map(({ detail }) => detail)

  /** Scans a growing table, other than in the order of a page until the page is full. */
  function readsWholeTable(statement: RanStatement): boolean {
    const plan = planOf(statement)
    const isScan = (step: string) => {
      const [, table = '', index = ''] =
        /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(step) ?? []
      return growing.has(table) && !smallIndexes.has(index)
    }
    const stopsAtPage = /\blimit \?( offset \?)?$/.test(statement.sql)
    // The rows of a page that was found by an offset are sorted once more.
    const isDeferred = /\blimit \? offset \?\)\) as page\)/.test(statement.sql)
    const sorts = plan.filter((step) => step.startsWith('USE TEMP B-TREE')).length
    const isSorted = sorts > (isDeferred ? 1 : 0)
    return plan.some(isScan) && (isSorted || !stopsAtPage)
  }

  test('looks up the rows of every statement, or reads them in the order of a page', () => {
    const faults = statements.filter(readsWholeTable)
    assert.deepEqual(
      faults.map(({ sql }) => sql),
      [],
    )
  })

  test('fails this test where no index fits', () => {
    for (const sql of [
      'select id from orders where note = ?',
      'select id from orders order by note limit ?',
    ]) {
      assert.ok(readsWholeTable({ sql, parameters: [1] }), sql)
    }
  })
})
