import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type CompiledQuery,
  createQueryId,
  type KyselyPlugin,
  type RootOperationNode,
  sql,
} from 'kysely'
import { addGeneratedData } from '#src/demo/fill.ts'
import { maxRowsToSort } from '#store/query/page.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import type { StoreKind } from '#test/support/services/databases.ts'
import { type ListRequest, listRequests, queryOf, shortLists } from './list-requests.ts'

/** Filters that leave only as many as one person, product or order has, or one name: sorted then. */
const narrow = new Set([
  ...['sku', 'external_id', 'number', 'handle', 'name', 'email', 'phone', 'buyer'],
  ...['user_id', 'product_id', 'order_id'],
])

/**
 * Filters of which no index knows every order, as of several values: what passes is sorted as long as
 * it is few.
 */
const ranges = new Set([
  ...['q', 'brand', 'tag', 'price_min', 'price_max'],
  ...['created_since', 'created_before', 'updated_since', 'updated_before'],
])

/** A request, and how many rows the list has that it asks for. */
interface ListQuery extends ListRequest {
  readonly total: number
}

const isBounded = ({ route, filter = '', value = '', total }: ListQuery): boolean =>
  route.path.includes(':') ||
  narrow.has(filter) ||
  ((ranges.has(filter) || value.includes(',')) && total <= maxRowsToSort)

eachDatabase((kind) => {
  describe('every list', () => {
    let shop: TestApp
    let admin: TestCaller
    let seen: RootOperationNode[] = []
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => {
        seen.push(node)
        return node
      },
      transformResult: async ({ result }) => result,
    }
    before(async () => {
      shop = await startTestApp(kind, { plugin })
      const counts = { products: 2600, users: 300, orders: 2600 } as const
      for (const [definition, count] of Object.entries(counts)) {
        const what = { kind: definition as keyof typeof counts, count, now: shop.now }
        await addGeneratedData(shop.store, { ...what, shop: shop.parts.shop }, () => undefined)
      }
      // More of one category and of one status than are sorted for want of an index.
      await sql`update products set category = 'kitchen' where id % 10 > 0`.execute(shop.db)
      await sql`update orders set status = 'paid' where id % 10 > 0`.execute(shop.db)
      admin = await shop.signInAs('admin')
      if (kind === 'postgres') await sql`analyze`.execute(shop.db)
    })
    after(() => shop.dispose())

    const askings = () =>
      listRequests(
        shop.operations
          .map(({ route }) => route)
          .filter(({ resource }) => !shortLists.has(resource.name)),
      )

    /** What is wrong with the plans of any list, in any of its orders, with any of its filters. */
    async function faultsOfAll(judge: typeof faultOf, how: Parameters<typeof explain>[3]) {
      const wrong: string[] = []
      const owner = await shop.db
        .selectFrom('orders')
        .select('user_id')
        .where('id', '=', 1)
        .execute()
      for (const request of askings()) {
        const path = request.route.path
          .replace('/users/:id', `/users/${owner[0]?.user_id}`)
          .replace(/:\w+/g, '1')
        const query = queryOf(request)
        seen = []
        const { status, text, json } = await admin.request('GET', `${path}?${query}`)
        assert.equal(status, 200, `${path}?${query}: ${text}`)
        const run = seen.map((node) => compile(shop, node)).filter(isRun)
        const asking = { ...request, total: json.pagination.total_items }
        assert.ok(run.length > 0, `${path} ran no statement that could be explained`)
        for (const statement of run) {
          const plan = await explain(shop, kind, statement, how)
          const fault = judge(plan, kind, asking)
          if (fault) wrong.push(`${path}?${query}: ${fault}\n${plan.join('\n')}`)
        }
      }
      return wrong
    }

    test('begins from an index in each of its orders, with each of its filters', async () => {
      const wrong = await faultsOfAll(faultOf, { onlyByIndex: true })
      assert.deepEqual(wrong, [], wrong.join('\n\n'))
    })

    test('is found at fault by this test where no index fits', async () => {
      const { db } = shop
      const list = askings().find(
        ({ sort, route }) => sort === 'name' && route.resource.name === 'products',
      )
      assert.ok(list)
      const asking = { ...list, total: 0 }
      const faults = [
        db.selectFrom('orders').selectAll().orderBy('note'),
        db.selectFrom('orders').selectAll().where('note', '=', 'x'),
      ].map(async (query) =>
        faultOf(await explain(shop, kind, query.compile(), { onlyByIndex: true }), kind, asking),
      )
      for (const fault of await Promise.all(faults)) assert.notEqual(fault, undefined)
    })

    if (kind === 'postgres') {
      test('reads no whole table where PostgreSQL believes there to be a thousand times as many', async (t) => {
        if (!(await isSuperuser(shop))) return t.skip('only a superuser may tell it so')
        // From here on: the other tests are over.
        await sql`update pg_class set reltuples = reltuples * 1000
          where relnamespace = 'public'::regnamespace and reltuples > 0`.execute(shop.db)
        const wrong = await faultsOfAll(wholeReadOf, { onlyByIndex: false })
        assert.deepEqual(wrong, [], wrong.join('\n\n'))
      })
    }
  })
})

const compile = ({ db }: TestApp, node: RootOperationNode): CompiledQuery =>
  db.getExecutor().compileQuery(node, createQueryId())

/** False for what was only prepared, to be run with other values later. */
const isRun = ({ parameters }: CompiledQuery): boolean =>
  parameters.every(
    (value) =>
      typeof value !== 'object' ||
      value === null ||
      Array.isArray(value) ||
      value instanceof Uint8Array,
  )

async function isSuperuser({ db }: TestApp): Promise<boolean> {
  const asked = sql`select 1 from pg_roles where rolname = current_user and rolsuper`
  return (await asked.execute(db)).rows.length === 1
}

/**
 * The lines of the plan of a statement. With `onlyByIndex` PostgreSQL is told to read no whole table
 * and to sort nothing as long as it has any other way, since among few rows it would rightly do both.
 */
async function explain(
  { store }: TestApp,
  kind: StoreKind,
  statement: CompiledQuery,
  { onlyByIndex }: { readonly onlyByIndex: boolean },
): Promise<readonly string[]> {
  return await store.transaction(async (db) => {
    if (kind === 'postgres' && onlyByIndex) {
      for (const way of ['seqscan', 'sort', 'bitmapscan', 'incremental_sort']) {
        await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(db)
      }
    }
    const explained = kind === 'postgres' ? 'explain' : 'explain query plan'
    const { rows } = await db.executeQuery<Record<string, string>>({
      ...statement,
      sql: `${explained} ${statement.sql}`,
    })
    return rows.map((row) => row['QUERY PLAN'] ?? row['detail'] ?? '')
  })
}

/** What is wrong with a plan. */
function faultOf(plan: readonly string[], kind: StoreKind, asking: ListQuery): string | undefined {
  const whole = wholeReadOf(plan, kind, asking)
  if (whole) return whole
  if (asking.filter === 'facets' && plan.every(readsNoRow)) return undefined
  const sorted = plan.find(
    (line, at) =>
      /^\s*(->\s*)?Sort (?!Key:)|TEMP B-TREE FOR .*ORDER BY/.test(line) &&
      // The rows of a page, of one part of a list.
      !/SCAN part\d/.test(plan[at - 1] ?? ''),
  )
  return sorted && !isBounded(asking) ? `sorts: ${sorted.trim()}` : undefined
}

function wholeReadOf(
  plan: readonly string[],
  kind: StoreKind,
  asking: ListQuery,
): string | undefined {
  const whole = plan.find((line) => (kind === 'postgres' ? isSeqScan(line) : isScan(line, asking)))
  return whole && `a whole table is read: ${whole.trim()}`
}

/**
 * True for a line of a plan that reads no table, or counters: there are as many as values are counted,
 * and no index has the order of their sums.
 */
const readsNoRow = (line: string): boolean =>
  !/\b(Scan|SCAN|SEARCH)\b/.test(line) ||
  /^\s*(->\s*)?Index (Only )?Scan using \w+ on \w+_counts\b/.test(line) ||
  /^SEARCH (counter|\w+_counts) USING /.test(line)

/** Nothing is read of a table that is empty. */
const isSeqScan = (line: string): boolean =>
  /Seq Scan on (?!\w*_counts)/.test(line) && !line.includes('cost=0.00..0.00')

/** By id, SQLite goes through the table itself, which is an index by id. */
function isScan(line: string, { sort }: ListRequest): boolean {
  const [, table] = /^SCAN (\w+)(?! (VIRTUAL|USING))/.exec(line) ?? []
  const isOfTable = /^(products|orders|users|purchases|reviews|order_items|payments|cart_items)$/
  return table !== undefined && isOfTable.test(table) && sort !== 'id'
}
