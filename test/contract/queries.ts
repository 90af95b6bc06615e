import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { timeParameters } from '#http/declare/times.ts'
import {
  assertErrorCode,
  assertFieldError,
  type ContractApp,
  computedIncludesOf,
  forEachRoute,
  type RequestSpec,
  validRequest,
} from './setup/contract-app.ts'

const isList = ({ kind }: Route): boolean => kind === 'list'
const isRead = ({ method }: Route): boolean => method === 'GET'

/** The values of `include` that a read of this route accepts, without the computed ones. */
export function includesOf({ resource, method }: Route): readonly string[] {
  if (resource.kind === 'document' || method !== 'GET') return []
  const definition = resource.kind === 'collection' ? resource.item : resource
  return [...Object.keys(definition.includes ?? {}), ...Object.keys(definition.includeGroups ?? {})]
}

const allIncludesOf = (route: Route) => [...includesOf(route), ...computedIncludesOf(route)]

/** A read of a route twice: plain, and with every include at once where the route has includes. */
export function withIncludes(route: Route, spec: RequestSpec): readonly RequestSpec[] {
  const includes = includesOf(route).join()
  return includes === '' ? [spec] : [spec, { ...spec, url: `${spec.url}?include=${includes}` }]
}

/** Sends the valid request of a route with a query. */
const sendQuery = ({ send, fixtures }: ContractApp, route: Route, query: string) => {
  const spec = validRequest(route, fixtures)
  // An upload needs some of its parameters, and they must not be repeated.
  const [path = '', required = ''] = spec.url.split('?', 2)
  const kept = required.split('=', 1)[0] === query.split('=', 1)[0] ? '' : required
  return send({ ...spec, url: `${path}?${[kept, query].filter(Boolean).join('&')}` })
}

async function assertRefused(contract: ContractApp, route: Route, query: string, name: string) {
  const response = await sendQuery(contract, route, query)
  assertErrorCode(response, '4003', query)
  assertFieldError(response, name)
}

/** Declares the tests of how every query is validated. */
export function testQueries(getContract: () => ContractApp): void {
  test('an unknown parameter answers 400 and is named', async () => {
    const contract = getContract()
    await forEachRoute(
      contract,
      () => true,
      async (route) => {
        for (const name of ['no_such', '__proto__', 'constructor', 'Page', 'page[]', '']) {
          await assertRefused(contract, route, `${encodeURIComponent(name)}=1`, name)
        }
        if (!isList(route) && route.kind !== 'follow') {
          await assertRefused(contract, route, 'limit=1', 'limit')
        }
      },
    )
  })
  test('a repeated parameter answers 400 and is named', async () => {
    const contract = getContract()
    await forEachRoute(contract, isRead, async (route) => {
      for (const [name, value] of validParameters(route)) {
        if (isListParameter(route, name)) continue
        const pair = `${name}=${encodeURIComponent(value)}`
        await assertRefused(contract, route, `${pair}&${pair}`, name)
      }
    })
  })
  test('a list parameter takes any of several values, by comma or repeated', async () => {
    const contract = getContract()
    await forEachRoute(contract, isList, async (route) => {
      for (const [name, { items }] of filtersOf(route)) {
        // Facets choose what is counted, not rows.
        if (!items || name === 'facets') continue
        const [one = '', other = ''] = items.enum ?? ['kitchen', 'a, b']
        const count = async (query: string): Promise<number> => {
          const { status, json, text } = await sendQuery(contract, route, `${query}&limit=100`)
          assert.equal(status, 200, text)
          assert.equal(json.data.length, Math.min(json.pagination.total_items, 100), query)
          return json.pagination.total_items
        }
        const encoded = encodeURIComponent(other)
        const escaped = encodeURIComponent(other.replaceAll(',', '\\,'))
        const both = (await count(`${name}=${one}`)) + (await count(`${name}=${escaped}`))
        for (const query of [
          ...(items.enum ? [`${name}=${one},${escaped}`, `${name}=${one},${escaped},${one}`] : []),
          `${name}=${one}&${name}=${encoded}`,
          `${name}=${one}&${name}=${escaped}`,
        ]) {
          assert.equal(await count(query), both, query)
        }
        if (items.enum) {
          const many = Array.from({ length: 51 }, (_, at) => `value${at}`).join()
          await assertRefused(contract, route, `${name}=${many}`, name)
          await assertRefused(contract, route, `${name}=${one},no_such`, name)
          await assertRefused(contract, route, `${name}=${one},${other}&${name}=${one}`, name)
        } else assert.equal(await count(`${name}=`), 0)
      }
    })
  })
  test('paging, sort, order and cursor of a list answer 400 outside their range', async () => {
    const contract = getContract()
    await forEachRoute(contract, isList, async (route) => {
      for (const [name, values] of Object.entries(wrongPaging)) {
        for (const value of values) {
          await assertRefused(contract, route, `${name}=${encodeURIComponent(value)}`, name)
        }
      }
      for (const query of [
        'page=1000',
        'page=100000&limit=1',
        'page=1000&limit=100',
        'limit=100',
      ]) {
        assert.equal((await sendQuery(contract, route, query)).status, 200)
      }
    })
  })
  testFilters(getContract)
  testIncludes(getContract)
}

const wrongPaging = {
  page: [
    '0',
    '-1',
    '1.5',
    'x',
    '',
    '5001',
    '100001',
    '99999999999999999999',
    '1e3',
    '+1',
    ' 1',
    '%00',
  ],
  limit: ['0', '101', '-1', '1.5', 'x', ''],
  sort: ['no_such', '', 'id,name', 'ID', "id'--", '\u0000', '__proto__', 'password_hash'],
  order: ['up', '', 'ASC', 'desc;'],
  cursor: [
    '',
    'x',
    '%00',
    'é',
    'AAAA',
    'e30',
    'W10',
    'bnVsbA',
    Buffer.from('[1,2,3,4,5]').toString('base64url'),
  ],
}

interface Shape {
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
}

/** The filters of a route, with the times that limit a list. */
function filtersOf({ filters, kind, resource }: Route) {
  const times = kind === 'list' && resource.kind === 'collection' ? timeParameters(resource) : {}
  return Object.entries({ ...filters?.properties, ...times } as Readonly<Record<string, Shape>>)
}

const isListParameter = (route: Route, name: string): boolean =>
  name === 'include' || filtersOf(route).some(([filter, { items }]) => filter === name && items)

function validText({ type, format, pattern }: Shape): string {
  if (pattern?.startsWith('^(category|')) return 'category'
  if (format === 'date-time') return '2026-01-31T12:00:00Z'
  if (format === 'country') return 'GB'
  if (type === 'boolean') return 'true'
  return type === 'string' ? 'kitchen' : '1'
}

/** A valid value for each parameter of a route. */
function validParameters(route: Route): readonly (readonly [string, string])[] {
  const filters = filtersOf(route).map(
    ([name, { items, enum: values = items?.enum, ...shape }]) =>
      [name, values?.[0] ?? validText({ ...items, ...shape })] as const,
  )
  const [include] = allIncludesOf(route)
  const includes = include === undefined ? [] : [['include', include] as const]
  if (!isList(route)) return includes
  const listParameters = { page: '1', limit: '2', sort: route.sortFields?.[0] ?? '', order: 'desc' }
  return [...filters, ...includes, ...Object.entries(listParameters)]
}

function testFilters(getContract: () => ContractApp): void {
  test('a filter answers 400 to a value outside its schema', async () => {
    const contract = getContract()
    await forEachRoute(
      contract,
      (route) => filtersOf(route).length > 0,
      async (route) => {
        for (const [name, filter] of filtersOf(route)) {
          const { type, enum: values } = filter.items ?? filter
          const wrong = values
            ? ['no_such', '', values[0]?.toUpperCase() ?? '']
            : type === 'string'
              ? ['\u0000', 'a\u0000b']
              : ['x', '', '-1', '1.234567', '1e9', '99999999999999999999', '\u0000', 'null', '0x1']
          for (const value of wrong) {
            await assertRefused(contract, route, `${name}=${encodeURIComponent(value)}`, name)
          }
          for (const odd of ["'", '%25', '_', '\\', '日本', '😀', 'a'.repeat(3000)]) {
            await sendQuery(contract, route, `${name}=${encodeURIComponent(odd)}`)
          }
          for (const raw of ['%', '%ED%A0%80', '%FF', '%zz'])
            await sendQuery(contract, route, `${name}=${raw}`)
        }
      },
    )
  })
  test('a filter accepts the values of its schema', async () => {
    const contract = getContract()
    await forEachRoute(
      contract,
      (route) => validParameters(route).length > 0,
      async (route) => {
        for (const [name, value] of validParameters(route)) {
          // Customers do not search orders, and may filter by their own ID alone.
          if (name === 'q' && route.path === '/orders') continue
          const own = ['user_id', 'buyer'].includes(name)
            ? String(contract.fixtures.owner.id)
            : value
          const response = await sendQuery(contract, route, `${name}=${own}`)
          assert.equal(response.status, 200, response.text)
        }
      },
    )
  })
}

function testIncludes(getContract: () => ContractApp): void {
  test('include accepts the declared names and answers 400 to others', async () => {
    const contract = getContract()
    await forEachRoute(
      contract,
      (route) => allIncludesOf(route).length > 0,
      async (route) => {
        const includes = allIncludesOf(route)
        const [first = ''] = includes
        for (const wrong of [
          'no_such',
          '',
          ',',
          `${first},`,
          `${first},no_such`,
          first.toUpperCase(),
          '__proto__',
        ]) {
          await assertRefused(contract, route, `include=${wrong}`, 'include')
        }
        for (const right of [
          ...includes,
          includes.join(),
          `${first},${first}`,
          includes.join('&include='),
        ]) {
          assert.equal((await sendQuery(contract, route, `include=${right}`)).status, 200, right)
        }
      },
    )
  })
  test('a route without includes rejects the include parameter', async () => {
    const contract = getContract()
    await forEachRoute(
      contract,
      (route) => allIncludesOf(route).length === 0,
      async (route) => {
        await assertRefused(contract, route, 'include=items', 'include')
      },
    )
  })
}
