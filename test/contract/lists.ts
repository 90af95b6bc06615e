import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import type { TestResponse } from '#test/support/app.ts'
import { placeOf, tokenOf, writerOf } from './setup/fixtures.ts'
import { everyRoute, type Watched } from './setup/watched-app.ts'

const isList = ({ kind }: Route): boolean => kind === 'list'

interface Row {
  readonly _links: { readonly self: { readonly href: string } }
}
interface Walk {
  /** What each row calls itself, in the order met. */
  readonly rows: readonly string[]
  readonly pages: readonly TestResponse[]
}

/** Reads a list as who may do so. */
const read = ({ ask, fixtures }: Watched, route: Route, url: string) =>
  ask({ method: 'GET', url, token: tokenOf(fixtures, writerOf(route)) })

const urlOf = ({ fixtures }: Watched, route: Route, query: Readonly<Record<string, string>>) =>
  `${placeOf(route, fixtures)}?${new URLSearchParams(query)}`

const relationsOf = ({ headers }: TestResponse): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...(headers['link'] ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(
      ([, target = '', relation = '']) => [relation, target],
    ),
  )

const rowsOf = ({ json }: TestResponse): readonly string[] =>
  (json.data as readonly Row[]).map((row) => row._links.self.href)

/** Follows a list to its end; `onward` tells where the next page is. */
async function walk(
  watched: Watched,
  route: Route,
  start: string,
  onward: (page: TestResponse) => string | undefined,
): Promise<Walk> {
  const pages: TestResponse[] = []
  for (let url: string | undefined = start; url !== undefined; ) {
    assert.ok(pages.length < 100, 'the list has no end')
    const page = await read(watched, route, url)
    assert.equal(page.status, 200, page.text)
    pages.push(page)
    url = onward(page)
  }
  return { rows: pages.flatMap(rowsOf), pages }
}

/** A limit that makes a few pages of a list. */
async function fewPages(watched: Watched, route: Route): Promise<number> {
  const first = await read(watched, route, placeOf(route, watched.fixtures))
  const total = first.json.pagination.total_items
  assert.ok(total >= 5, `the scene has ${total} rows for it: give it five in promises-scene.ts`)
  return Math.max(2, Math.ceil(total / 4))
}

/** Every order that a list can be read in. */
const ordersOf = ({ sorts = [] }: Route) =>
  sorts.flatMap((sort) => ['asc', 'desc'].map((order) => ({ sort, order })))

/** Declares the tests of how every list is read. */
export function testLists(watchedOf: () => Watched): void {
  test('by page and by cursor, in every order, each row is seen once, in the same place', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isList, async (route) => {
      const limit = await fewPages(watched, route)
      for (const order of ordersOf(route)) {
        const start = urlOf(watched, route, { ...order, limit: String(limit) })
        const paged = await walk(watched, route, start, (page) => relationsOf(page)['next'])
        const cursored = await walk(watched, route, start, ({ json }) => {
          const { next_cursor: cursor } = json.pagination
          return cursor === null ? undefined : `${start}&cursor=${encodeURIComponent(cursor)}`
        })
        const said = JSON.stringify(order)
        assert.equal(new Set(paged.rows).size, paged.rows.length, `twice, by ${said}`)
        assert.deepEqual(cursored.rows, paged.rows, `pages and cursors differ by ${said}`)
        requireTotals(paged, limit)
        requireTotals(cursored, limit)
      }
    })
  })
  test('every relation of the Link header leads where it says, by page and by cursor', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isList, async (route) => {
      const limit = await fewPages(watched, route)
      const start = urlOf(watched, route, { limit: String(limit) })
      const first = await read(watched, route, start)
      const second = await read(watched, route, relationsOf(first)['next'] ?? '')
      const byCursor = `${start}&cursor=${first.json.pagination.next_cursor}`
      await requireRelations(watched, route, first, ['first', 'next', 'last'])
      await requireRelations(watched, route, second, ['first', 'prev', 'next', 'last'])
      await requireRelations(watched, route, await read(watched, route, byCursor), ['next'])
      const { last = '' } = relationsOf(second)
      await requireRelations(watched, route, await read(watched, route, last), ['prev', 'last'])
      const far = await read(watched, route, `${start}&page=1000`)
      assert.deepEqual(far.json.data, [])
      assert.equal(far.json.pagination.next_cursor, null)
      await requireRelations(watched, route, far, ['first', 'prev', 'last'])
    })
  })
  testCursors(watchedOf)
}

/** Fails unless every page tells how many rows the walk has met. */
function requireTotals({ rows, pages }: Walk, limit: number): void {
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

async function requireRelations(
  watched: Watched,
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
    const { status, json, text } = await read(watched, route, target)
    assert.equal(status, 200, `${name}: ${text}`)
    if (numbers[name] === undefined) continue
    assert.equal(json.pagination.current_page, numbers[name], `${name} of page ${current}`)
    assert.ok(json.data.length > 0, `${name} of page ${current} is empty`)
  }
}

const strange: readonly unknown[] = [null, '', 'x', '\u0000', '\ud800', true, {}, 0, -1, 1.5]
const extreme: readonly unknown[] = [1e308, -1e308, 2 ** 53, Number.MAX_SAFE_INTEGER]

function testCursors(watchedOf: () => Watched): void {
  test('a cursor that was tampered with is refused or used, and never fails', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isList, async (route) => {
      for (const sort of route.sorts ?? []) {
        const start = urlOf(watched, route, { sort, limit: '2' })
        const { json } = await read(watched, route, start)
        for (const cursor of tampered(json.pagination.next_cursor)) {
          const url = `${start}&cursor=${encodeURIComponent(cursor)}`
          const { status, text } = await read(watched, route, url)
          assert.ok(status === 200 || status === 400, text)
        }
      }
    })
  })
  test('a cursor is good for its own list, sort and order alone, and not with a page', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isList, async (route) => {
      const [sort = '', other] = route.sorts ?? []
      const start = urlOf(watched, route, { sort, limit: '2' })
      const { json } = await read(watched, route, start)
      const cursor = `cursor=${encodeURIComponent(json.pagination.next_cursor)}`
      const place = placeOf(route, watched.fixtures)
      const wrong = [`${start}&order=desc&${cursor}`, `${start}&page=1&${cursor}`]
      if (other !== undefined) wrong.push(`${place}?sort=${other}&${cursor}`)
      for (const url of wrong) {
        const answer = await read(watched, route, url)
        assert.equal(answer.json.error_code, '4003', `${url} ${answer.text}`)
      }
    })
  })
}

/** Cursors that are nearly right: of their parts, the last two go as far as the database. */
function tampered(cursor: string): readonly string[] {
  const dependencies: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const replaced = dependencies.flatMap((_, at) =>
    (at < 3 ? [null, -1, 1.5, 2 ** 53, {}, 'x'] : [...strange, ...extreme]).map((value) =>
      encoded(dependencies.with(at, value)),
    ),
  )
  const cut = [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, cursor.toLowerCase()]
  return [
    ...replaced,
    ...cut,
    encoded(dependencies.slice(1)),
    encoded([...dependencies, 1]),
    encoded({}),
  ]
}
