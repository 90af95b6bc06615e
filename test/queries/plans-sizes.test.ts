import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { openStore } from '#store/database.ts'
import { PostgresClient } from '#store/postgres/client.ts'
import { maxRowsToSort } from '#store/query/page.ts'
import { type ContractApp, startContractApp } from '#test/contract/setup/contract-app.ts'
import { startTestApp } from '#test/support/app.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { exercise, listAll } from './exercise.ts'
import { grow, stopAutovacuum } from './grow.ts'
import { Planner, planModes } from './planner.ts'
import { isOfTrade, type RanStatement, recordStatements } from './statements.ts'

const isLarge = process.env['TEST_LARGE'] !== undefined
/** Filling this many rows of each table takes minutes. */
const largest = 1_000_000

/** The rows of every table, and whether ANALYZE runs then. */
type Step = readonly [rows: number, isAnalyzed: boolean]

interface Course {
  readonly name: string
  readonly steps: readonly Step[]
  /** The lists whose filters and sorts are included. */
  readonly lists: (route: Route) => boolean
  /** Statements that need statistics. */
  readonly but?: RegExp
}

const large: readonly Step[] = [
  [largest, false],
  [largest, true],
]

const courses: readonly Course[] = [
  {
    name: 'without statistics',
    steps: [100, 2000, 20_000].map((rows) => [rows, false]),
    lists: () => false,
    but: /"page_id"|\brelated as/,
  },
  {
    name: 'with the statistics of a hundred rows',
    steps: [[100, true], [2000, false], [20_000, false], ...(isLarge ? large : [])],
    // The list of all orders is for administrators too.
    lists: ({ access, path }) => access.kind !== 'admin' && path !== '/orders',
  },
  {
    name: 'with fresh statistics',
    steps: [100, 2000, 20_000].map((rows) => [rows, true]),
    lists: () => true,
  },
]

/** A statement may visit at most a few times the rows it visited in a small shop. */
const limitAfter = (rowsAtFirst: number): number => 3 * rowsAtFirst + 300
/** A sorted list reads its rows by its conditions, by an index, and for the count. */
const limitOfLists = 3 * maxRowsToSort

describe('on PostgreSQL, in a shop of any size,', { skip: skipReason('postgres') }, () => {
  let contractApp: ContractApp
  let statements: readonly RanStatement[]
  let administrator: PostgresClient
  const copies: string[] = []

  before(async () => {
    administrator = new PostgresClient(process.env['TEST_DATABASE_URL'] ?? '', 0)
    contractApp = await startContractApp('postgres')
    // Copies inherit it. An ANALYZE of its own would give them statistics of a shop without rows.
    await stopAutovacuumOf(contractApp.shop.url)
    statements = (await recordStatements(() => exercise(contractApp))).filter(isOfTrade)
    assert.ok(statements.length > 100, 'the exercise runs hardly any statement')
    // A database cannot be copied while it has connections.
    await contractApp.shop.app.close()
    await contractApp.shop.store.close()
  })
  after(async () => {
    for (const name of copies) await administrator.command(`drop database ${name} with (force)`)
    await administrator.close()
    await contractApp.shop.dispose()
  })

  /** Copies the database of the small shop. */
  async function copyShop(): Promise<string> {
    const source = new URL(contractApp.shop.url).pathname.slice(1)
    const name = `${source}_${copies.length}`
    await administrator.command(`create database ${name} template ${source}`)
    copies.push(name)
    return contractApp.shop.url.replace(source, name)
  }

  /** The statements by which a server on this database reads its lists. */
  async function recordLists(url: string, lists: Course['lists']) {
    const store = await openStore(url)
    const temporary = { store, url, dispose: () => store.close() }
    const { dispose, ...app } = await startTestApp('postgres', { temporary })
    const routes = contractApp.routes.filter(lists)
    const ask: ContractApp['send'] = ({ method, url: path, token }) =>
      app.request(method, path, undefined, { authorization: `Bearer ${token}` })
    try {
      const ran = await recordStatements(() => listAll({ ...contractApp, routes, send: ask }))
      return ran.filter(isOfTrade)
    } finally {
      await dispose()
    }
  }

  for (const { name, steps, lists, but } of courses) {
    test(`every statement visits few rows besides its own, ${name}`, async () => {
      const url = await copyShop()
      const client = new PostgresClient(url, 0)
      await prepareToRepeat(client)
      const old = await Planner.open(url, 'force_generic_plan')
      const limits = new Map<RanStatement, number>()
      for (const each of statements.filter(({ sql }) => !but?.test(sql))) {
        limits.set(each, limitAfter((await old.visit(each)).rows))
      }
      const faults: string[] = []
      const judge = async (planner: Planner, limited: ReadonlyMap<RanStatement, number>) => {
        for (const [statement, limit] of limited) {
          const { rows, isWholeTable, steps } = await planner.visit(statement)
          if (isWholeTable || rows > limit) faults.push(`${statement.sql}\n${steps.join('\n')}`)
        }
      }
      let from = 0
      for (const [rows, isAnalyzed] of steps) {
        await grow(client, from, rows)
        from = rows
        if (isAnalyzed) await client.command('analyze')
        await judge(old, limits)
        const listed = await recordLists(url, lists)
        const limitedLists = listed.map((each) => [each, limitOfLists] as const)
        for (const mode of planModes) {
          const planner = await Planner.open(url, mode)
          await judge(planner, new Map([...limits, ...limitedLists]))
          await planner.close()
        }
        assert.equal(faults.length, 0, `${rows} rows: ${faults.join('\n\n')}`)
      }
      await old.close()
      await client.close()
    })
  }
})

async function stopAutovacuumOf(url: string): Promise<void> {
  const client = new PostgresClient(url, 0)
  await stopAutovacuum(client)
  await client.close()
}

/** Removes constraints that would keep a statement from running again. */
async function prepareToRepeat(client: PostgresClient): Promise<void> {
  await client.command(`create or replace function require_rows(changed bigint, wanted bigint)
    returns bigint language sql as 'select changed'`)
  const { rows } = await client.query<{ readonly table: string; readonly name: string }>(
    `select conrelid::regclass as table, conname as name from pg_constraint where contype = 'f'`,
    [],
  )
  for (const { table, name } of rows) {
    await client.command(`alter table ${table} drop constraint ${name}`)
  }
}
