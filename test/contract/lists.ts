import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import type { TestResponse } from '#test/support/app.ts'
import { type ContractApp, forEachRoute } from './setup/contract-app.ts'
import { permittedCaller, resolvePath, tokenOf } from './setup/valid-requests.ts'

const isList = ({ kind }: Route): boolean => kind === 'list'

interface Row {
  readonly _links: { readonly self?: { readonly href: string } }
}
interface ListPages {
  /** What identifies each row, in the order of the list. */
  readonly rows: readonly string[]
  readonly pages: readonly TestResponse[]
}

const read = ({ send, fixtures }: ContractApp, route: Route, url: string) =>
  send({ method: 'GET', url, token: tokenOf(fixtures, permittedCaller(route)) })

const urlOf = ({ fixtures }: ContractApp, route: Route, query: Readonly<Record<string, string>>) =>
  `${resolvePath(route, fixtures)}?${new URLSearchParams(query)}`

const relationsOf = ({ headers }: TestResponse): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...(headers['link'] ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(
      ([, target = '', relation = '']) => [relation, target],
    ),
  )

const rowsOf = ({ json }: TestResponse): readonly string[] =>
  (json.data as readonly Row[]).map((row) => row._links.self?.href ?? JSON.stringify(row))

/** Reads all pages of a list; `nextUrl` returns the URL of the next page. */
async function readPages(
  contract: ContractApp,
  route: Route,
  start: string,
  nextUrl: (page: TestResponse) => string | undefined,
): Promise<ListPages> {
  const pages: TestResponse[] = []
  for (let url: string | undefined = start; url !== undefined; ) {
    assert.ok(pages.length < 100, 'the list has no end')
    const page = await read(contract, route, url)
    assert.equal(page.status, 200, page.text)
    pages.push(page)
    url = nextUrl(page)
  }
  return { rows: pages.flatMap(rowsOf), pages }
}

/** A limit that divides a list into a few pages. */
async function limitForFewPages(contract: ContractApp, route: Route): Promise<number> {
  const first = await read(contract, route, resolvePath(route, contract.fixtures))
  const total = first.json.pagination.total_items
  assert.ok(total >= 5, `createFixtures makes only ${total} rows for it, and five are needed`)
  return Math.max(2, Math.ceil(total / 4))
}

/** Every sort of a list, ascending and descending. */
const ordersOf = ({ sortFields = [] }: Route) =>
  sortFields.flatMap((sort) => ['asc', 'desc'].map((order) => ({ sort, order })))

/** Declares the tests of the pages of every list. */
export function testLists(getContract: () => ContractApp): void {
  test('in every order, pages and cursors return each row once, in the same sequence', async () => {
    const contract = getContract()
    await forEachRoute(contract, isList, async (route) => {
      const limit = await limitForFewPages(contract, route)
      for (const order of ordersOf(route)) {
        const start = urlOf(contract, route, { ...order, limit: String(limit) })
        const paged = await readPages(contract, route, start, (page) => relationsOf(page)['next'])
        const cursored = await readPages(contract, route, start, ({ json }) => {
          const { next_cursor: cursor } = json.pagination
          return cursor === null ? undefined : `${start}&cursor=${encodeURIComponent(cursor)}`
        })
        const orderText = JSON.stringify(order)
        assert.equal(new Set(paged.rows).size, paged.rows.length, `duplicate rows by ${orderText}`)
        assert.deepEqual(cursored.rows, paged.rows, `pages and cursors differ by ${orderText}`)
        assertTotals(paged, limit)
        assertTotals(cursored, limit)
      }
    })
  })
  test('every relation of the Link header leads to its page, by page and by cursor', async () => {
    const contract = getContract()
    await forEachRoute(contract, isList, async (route) => {
      const limit = await limitForFewPages(contract, route)
      const start = urlOf(contract, route, { limit: String(limit) })
      const first = await read(contract, route, start)
      const second = await read(contract, route, relationsOf(first)['next'] ?? '')
      const byCursor = `${start}&cursor=${first.json.pagination.next_cursor}`
      await assertRelations(contract, route, first, ['first', 'next', 'last'])
      await assertRelations(contract, route, second, ['first', 'prev', 'next', 'last'])
      await assertRelations(contract, route, await read(contract, route, byCursor), ['next'])
      const { last = '' } = relationsOf(second)
      await assertRelations(contract, route, await read(contract, route, last), ['prev', 'last'])
      const beyond = await read(contract, route, `${start}&page=1000`)
      assert.deepEqual(beyond.json.data, [])
      assert.equal(beyond.json.pagination.next_cursor, null)
      await assertRelations(contract, route, beyond, ['first', 'prev', 'last'])
    })
  })
  testCursors(getContract)
}

/** Asserts that the totals of every page match the rows that were read. */
function assertTotals({ rows, pages }: ListPages, limit: number): void {
  for (const [at, { json }] of pages.entries()) {
    const { next_cursor: cursor, ...pagination } = json.pagination
    assert.deepEqual(pagination, {
      current_page: at + 1,
      total_pages: Math.ceil(rows.length / limit),
      total_items: rows.length,
      limit,
    })
    assert.equal(cursor === null, at === pages.length - 1)
    assert.equal(json.data.length, Math.min(limit, rows.length - at * limit))
  }
}

async function assertRelations(
  contract: ContractApp,
  route: Route,
  page: TestResponse,
  expected: readonly string[],
): Promise<void> {
  const relations = relationsOf(page)
  for (const name of expected)
    assert.ok(relations[name], `${name} is not in ${page.headers['link']}`)
  const { current_page: current, total_pages: total } = page.json.pagination
  const numbers: Readonly<Record<string, number | undefined>> = {
    first: 1,
    prev: Math.min(current - 1, total),
    next: current + 1,
    last: total,
  }
  for (const [name, target] of Object.entries(relations)) {
    const { status, json, text } = await read(contract, route, target)
    assert.equal(status, 200, `${name}: ${text}`)
    if (numbers[name] === undefined) continue
    assert.equal(json.pagination.current_page, numbers[name], `${name} of page ${current}`)
    assert.ok(json.data.length > 0, `${name} of page ${current} is empty`)
  }
}

const malformed: readonly unknown[] = [null, '', 'x', '\u0000', '\ud800', true, {}, 0, -1, 1.5]
const extreme: readonly unknown[] = [1e308, -1e308, 2 ** 53, Number.MAX_SAFE_INTEGER]

function testCursors(getContract: () => ContractApp): void {
  test('a tampered cursor answers 200 or 400', async () => {
    const contract = getContract()
    await forEachRoute(contract, isList, async (route) => {
      for (const sort of route.sortFields ?? []) {
        const start = urlOf(contract, route, { sort, limit: '2' })
        const { json } = await read(contract, route, start)
        const responses = await Promise.all(
          tamper(json.pagination.next_cursor).map((cursor) =>
            read(contract, route, `${start}&cursor=${encodeURIComponent(cursor)}`),
          ),
        )
        for (const { status, text } of responses) assert.ok(status === 200 || status === 400, text)
      }
    })
  })
  test('a cursor is valid only for its own sort and order, and not with a page', async () => {
    const contract = getContract()
    await forEachRoute(contract, isList, async (route) => {
      const [sort = '', other] = route.sortFields ?? []
      const start = urlOf(contract, route, { sort, limit: '2' })
      const { json } = await read(contract, route, start)
      const cursor = `cursor=${encodeURIComponent(json.pagination.next_cursor)}`
      const path = resolvePath(route, contract.fixtures)
      const wrong = [`${start}&order=desc&${cursor}`, `${start}&page=1&${cursor}`]
      if (other !== undefined) wrong.push(`${path}?sort=${other}&${cursor}`)
      for (const url of wrong) {
        const response = await read(contract, route, url)
        assert.equal(response.json.error_code, '4003', `${url} ${response.text}`)
      }
    })
  })
}

/** Cursors that differ slightly from a valid one; their last two parts reach the database. */
function tamper(cursor: string): readonly string[] {
  const parts: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const replacements = parts.flatMap((_, at) =>
    (at < 3 ? [null, -1, 1.5, 2 ** 53, {}, 'x'] : [...malformed, ...extreme]).map((value) =>
      encode(parts.with(at, value)),
    ),
  )
  const truncated = [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, cursor.toLowerCase()]
  return [...replacements, ...truncated, encode(parts.slice(1)), encode([...parts, 1]), encode({})]
}
