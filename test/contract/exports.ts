import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeFormulaQuote } from '#http/codec/csv/cells.ts'
import type { Route } from '#http/declare/route.ts'
import { csvType, ndjsonType } from '#http/message/media-type.ts'
import { isNegotiated } from '#http/message/vary.ts'
import type { TestResponse } from '#test/support/app.ts'
import { startGuest } from '#test/support/callers/guest.ts'
import { scopedToken } from '#test/support/callers/narrow-caller.ts'
import { csvColumns, parseCsv } from '#test/support/csv.ts'
import { includesOf } from './queries.ts'
import { type ContractApp, exportTypes, forEachRoute } from './setup/contract-app.ts'
import { permittedCaller, resolvePath, tokenOf } from './setup/valid-requests.ts'

type Entity = Readonly<Record<string, unknown>>

const isList = ({ kind }: Route): boolean => kind === 'list'
const isCollection = ({ kind }: Route): boolean => kind === 'list' || kind === 'follow'

/** The entities on all pages of a list. */
async function readPages(
  { send }: ContractApp,
  url: string,
  token: string | undefined,
): Promise<readonly Entity[]> {
  const entities: Entity[] = []
  const separator = url.includes('?') ? '&' : '?'
  for (let page = 1; ; page++) {
    const { status, json, text } = await send({
      method: 'GET',
      url: `${url}${separator}limit=3&page=${page}`,
      token,
    })
    assert.equal(status, 200, text)
    entities.push(...json.data)
    if (page >= json.pagination.total_pages) return entities
  }
}

const linesOf = ({ text }: TestResponse): readonly Entity[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** The cells that an entity must have, by column; a value that may be an object is one or several. */
function cellsOf(value: unknown, columns: ReadonlySet<string>, path = ''): [string, string][] {
  const isNested = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isNested && !columns.has(path)) {
    return Object.entries(value)
      .filter(([name]) => name !== '_links')
      .flatMap(([name, inner]) => cellsOf(inner, columns, path === '' ? name : `${path}.${name}`))
  }
  const text = value === null ? '' : typeof value === 'object' ? withoutLinks(value) : String(value)
  // Null stands for an object whose fields all are empty.
  const isKnown = columns.has(path) || value !== null
  return isKnown ? [[path, text]] : []
}

const withoutLinks = (value: object): string =>
  JSON.stringify(value, (name, inner: unknown) => (name === '_links' ? undefined : inner))

/** The names of the fields that only exports of a collection have. */
const exportedNames = ({ resource }: Route): readonly string[] =>
  resource.kind === 'collection' ? Object.keys(resource.item.exported?.schema.properties ?? {}) : []

const without = (entity: Entity, names: readonly string[]): Entity =>
  Object.fromEntries(Object.entries(entity).filter(([name]) => !names.includes(name)))

function assertCsv(
  response: TestResponse,
  expected: readonly Entity[],
  ignored: readonly string[],
): void {
  const columns = csvColumns(response.text).filter((name) => !ignored.includes(name))
  assert.equal(new Set(columns).size, columns.length)
  const rows = parseCsv(response.text).map((row) =>
    Object.fromEntries(
      Object.entries(without(row, ignored)).map(([name, cell]) => [
        name,
        removeFormulaQuote(String(cell)),
      ]),
    ),
  )
  const empty = Object.fromEntries(columns.map((name) => [name, '']))
  const cells = expected.map((entity) => ({
    ...empty,
    ...Object.fromEntries(cellsOf(entity, new Set(columns))),
  }))
  assert.deepEqual(rows, cells)
}

/** Declares the tests of the exports of every collection. */
export function testExports(getContract: () => ContractApp): void {
  test('an export has what all pages have, in each version, order and with includes', async () => {
    const contract = getContract()
    await forEachRoute(contract, isList, async (route) => {
      const { fixtures, send } = contract
      const token = tokenOf(fixtures, permittedCaller(route))
      const path = resolvePath(route, fixtures)
      const includes = includesOf(route).join()
      const sort = route.sortFields?.at(-1)
      for (const url of [
        path,
        `/v2${path}`,
        `${path}?sort=${sort}&order=desc`,
        ...(includes === ''
          ? []
          : [`${path}?include=${includes}`, `/v2${path}?include=${includes}`]),
      ]) {
        const expected = await readPages(contract, url, token)
        assert.ok(expected.length > 0)
        const ask = (accept: string) => send({ method: 'GET', url, token, headers: { accept } })
        const added = exportedNames(route)
        const lines = linesOf(await ask(ndjsonType))
        assert.deepEqual(
          lines.map((line) => without(line, added)),
          expected,
          url,
        )
        // The rows that failed are a table of their own.
        if (!route.table) assertCsv(await ask(csvType), expected, added)
      }
    })
  })
  test('page, limit and cursor have no effect on an export', async () => {
    const contract = getContract()
    await forEachRoute(contract, isList, async (route) => {
      const { fixtures, send } = contract
      const token = tokenOf(fixtures, permittedCaller(route))
      const url = resolvePath(route, fixtures)
      const first = await send({ method: 'GET', url: `${url}?limit=1`, token })
      const cursor = encodeURIComponent(first.json.pagination.next_cursor)
      const ask = (query: string) =>
        send({ method: 'GET', url: `${url}?${query}`, token, headers: { accept: ndjsonType } })
      const whole = await ask('')
      for (const query of ['page=2&limit=2', 'page=0&limit=1000', `cursor=${cursor}`]) {
        assert.equal((await ask(query)).text, whole.text, query)
      }
      assert.equal((await ask('sort=colour')).status, 400)
    })
  })
  test('an export is a private download without ETag, and HEAD has the same header fields', async () => {
    const contract = getContract()
    await forEachRoute(contract, isCollection, async (route) => {
      const { fixtures, send } = contract
      const token = tokenOf(fixtures, permittedCaller(route))
      const url = resolvePath(route, fixtures)
      for (const accept of route.kind === 'list' ? exportTypes : [ndjsonType]) {
        const got = await send({ method: 'GET', url, token, headers: { accept } })
        const head = await send({ method: 'HEAD', url, token, headers: { accept } })
        const { name } = route.resource as { readonly name: string }
        const extension = accept === csvType ? 'csv' : 'ndjson'
        assert.deepEqual([got.status, head.status, head.text], [200, 200, ''])
        assert.equal(got.headers['content-type'], `${accept}; charset=utf-8`)
        assert.equal(
          got.headers['content-disposition'],
          `attachment; filename="${name}.${extension}"`,
        )
        assert.equal(got.headers['etag'], undefined)
        assert.match(got.headers['vary'] ?? '', /^Accept, Accept-Encoding/)
        const compared = (response: TestResponse) => {
          const {
            'x-request-id': _,
            date: __,
            'transfer-encoding': ___,
            ...rest
          } = response.headers
          const names = Object.keys(rest).filter((each) => !/ratelimit/i.test(each))
          return names.map((each) => [each, rest[each]])
        }
        assert.deepEqual(compared(head), compared(got))
      }
    })
  })
  test('an export answers each caller as the list does', async () => {
    const contract = getContract()
    const { shop, stranger, fixtures, send } = contract
    const guest = await startGuest(shop)
    const tokens = [
      undefined,
      guest.token,
      stranger.token,
      fixtures.owner.token,
      await scopedToken(shop, fixtures.owner, []),
      await scopedToken(shop, fixtures.admin, []),
    ]
    await forEachRoute(contract, isList, async (route) => {
      const path = resolvePath(route, fixtures)
      const filters = ['buyer', 'user_id'].filter(
        (name) => name in (route.filters?.properties ?? {}),
      )
      const urls = [path, ...filters.map((name) => `${path}?${name}=${fixtures.owner.id}`)]
      for (const [url, token] of urls.flatMap((each) =>
        tokens.map((token) => [each, token] as const),
      )) {
        const list = await send({ method: 'GET', url, token })
        const headers = { accept: ndjsonType }
        const exported = await send({ method: 'GET', url, token, headers })
        assert.equal(exported.status, list.status, url)
        if (list.status === 200) {
          const added = exportedNames(route)
          assert.deepEqual(
            linesOf(exported).map((line) => without(line, added)),
            await readPages(contract, url, token),
          )
        } else assert.equal(exported.json.error_code, list.json.error_code, url)
      }
    })
  })
  test('a resource that is no list has no export', async () => {
    const contract = getContract()
    const isOther = ({ method, kind, resource }: Route): boolean =>
      method === 'GET' && kind === 'read' && isNegotiated(resource)
    await forEachRoute(contract, isOther, async (route) => {
      const token = tokenOf(contract.fixtures, permittedCaller(route))
      const url = resolvePath(route, contract.fixtures)
      for (const accept of exportTypes) {
        const { status } = await contract.send({ method: 'GET', url, token, headers: { accept } })
        assert.equal(status, 406, accept)
      }
    })
  })
}
