import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import {
  computedIncludesOf,
  everyRoute,
  requireCode,
  requireNamed,
  type Watched,
  wellFormed,
} from './setup/watched-app.ts'

const isList = ({ kind }: Route): boolean => kind === 'list'
const isRead = ({ method }: Route): boolean => method === 'GET'

/** What can be embedded in the answers of a route. */
export function includesOf({ resource, method }: Route): readonly string[] {
  if (resource.kind === 'document' || method !== 'GET') return []
  const definition = resource.kind === 'collection' ? resource.item : resource
  return [...Object.keys(definition.includes ?? {}), ...Object.keys(definition.includeGroups ?? {})]
}

const wordsOf = (route: Route) => [...includesOf(route), ...computedIncludesOf(route)]

/** Asks a route, as who may, with a query. */
const ask = ({ ask: send, fixtures }: Watched, route: Route, query: string) => {
  const asked = wellFormed(route, fixtures)
  return send({ ...asked, url: `${asked.url}?${query}` })
}

async function requireRefused(watched: Watched, route: Route, query: string, name: string) {
  const answer = await ask(watched, route, query)
  requireCode(answer, '4003', query)
  requireNamed(answer, name)
}

/** Declares the tests of what every query is held to. */
export function testQueries(watchedOf: () => Watched): void {
  test('a parameter that nobody knows answers 400 and is named', async () => {
    const watched = watchedOf()
    await everyRoute(
      watched,
      () => true,
      async (route) => {
        for (const name of ['no_such', '__proto__', 'constructor', 'Page', 'page[]', '']) {
          await requireRefused(watched, route, `${encodeURIComponent(name)}=1`, name)
        }
        if (!isList(route)) await requireRefused(watched, route, 'limit=1', 'limit')
      },
    )
  })
  test('a parameter given twice answers 400 and is named', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isRead, async (route) => {
      for (const [name, value] of validParameters(route)) {
        const pair = `${name}=${encodeURIComponent(value)}`
        await requireRefused(watched, route, `${pair}&${pair}`, name)
      }
    })
  })
  test('what a list is asked for is in range and of its kind, or answers 400', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isList, async (route) => {
      for (const [name, values] of Object.entries(wrongPaging)) {
        for (const value of values) {
          await requireRefused(watched, route, `${name}=${encodeURIComponent(value)}`, name)
        }
      }
      for (const query of ['page=1000000000', 'page=1000000000&limit=100', 'limit=100']) {
        assert.equal((await ask(watched, route, query)).status, 200)
      }
    })
  })
  testFilters(watchedOf)
  testIncludes(watchedOf)
}

const wrongPaging = {
  page: ['0', '-1', '1.5', 'x', '', '99999999999999999999', '1e3', '+1', ' 1', '%00'],
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
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Shape[]
}

const filtersOf = ({ filters }: Route) =>
  Object.entries((filters?.properties ?? {}) as Readonly<Record<string, Shape>>)

/** A value that each parameter of a route accepts. */
function validParameters(route: Route): readonly (readonly [string, string])[] {
  const filters = filtersOf(route).map(
    ([name, { type, format, enum: words }]) =>
      [
        name,
        words?.[0] ??
          (format === 'date-time' ? '2026-01-31T12:00:00Z' : type === 'string' ? 'kitchen' : '1'),
      ] as const,
  )
  const [include] = wordsOf(route)
  const embedding = include === undefined ? [] : [['include', include] as const]
  if (!isList(route)) return embedding
  const paging = { page: '1', limit: '2', sort: route.sorts?.[0] ?? '', order: 'desc' }
  return [...filters, ...embedding, ...Object.entries(paging)]
}

function testFilters(watchedOf: () => Watched): void {
  test('every filter takes what its schema says, and answers 400 to the rest', async () => {
    const watched = watchedOf()
    await everyRoute(
      watched,
      (route) => filtersOf(route).length > 0,
      async (route) => {
        for (const [name, { type, enum: words }] of filtersOf(route)) {
          const wrong = words
            ? ['no_such', '', words[0]?.toUpperCase() ?? '']
            : type === 'string'
              ? ['\u0000', 'a\u0000b']
              : ['x', '', '-1', '1.234567', '1e9', '99999999999999999999', '\u0000', 'null', '0x1']
          for (const value of wrong) {
            await requireRefused(watched, route, `${name}=${encodeURIComponent(value)}`, name)
          }
          for (const odd of ["'", '%25', '_', '\\', '日本', '😀', 'a'.repeat(3000)]) {
            await ask(watched, route, `${name}=${encodeURIComponent(odd)}`)
          }
          for (const raw of ['%', '%ED%A0%80', '%FF', '%zz'])
            await ask(watched, route, `${name}=${raw}`)
        }
      },
    )
  })
  test('every value that a filter is meant to take is taken', async () => {
    const watched = watchedOf()
    await everyRoute(
      watched,
      (route) => validParameters(route).length > 0,
      async (route) => {
        for (const [name, value] of validParameters(route)) {
          // Of what belongs to somebody, customers may ask for their own alone.
          const own = ['user_id', 'buyer'].includes(name)
            ? String(watched.fixtures.owner.id)
            : value
          const answer = await ask(watched, route, `${name}=${own}`)
          assert.equal(answer.status, 200, answer.text)
        }
      },
    )
  })
}

function testIncludes(watchedOf: () => Watched): void {
  test('only what can be embedded is embedded; all else answers 400', async () => {
    const watched = watchedOf()
    await everyRoute(
      watched,
      (route) => wordsOf(route).length > 0,
      async (route) => {
        const includes = wordsOf(route)
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
          await requireRefused(watched, route, `include=${wrong}`, 'include')
        }
        for (const right of [...includes, includes.join(), `${first},${first}`]) {
          assert.equal((await ask(watched, route, `include=${right}`)).status, 200, right)
        }
      },
    )
  })
  test('what embeds nothing takes no include', async () => {
    const watched = watchedOf()
    await everyRoute(
      watched,
      (route) => wordsOf(route).length === 0,
      async (route) => {
        await requireRefused(watched, route, 'include=items', 'include')
      },
    )
  })
}
