import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import type { TestCaller, TestResponse } from '#test/support/app.ts'
import { holdsProtectedFields, needsPassword, writerOf } from './setup/fixtures.ts'
import type { Fixtures } from './setup/scene.ts'
import {
  everyRoute,
  requireCode,
  requireNamed,
  type Watched,
  wellFormed,
} from './setup/watched-app.ts'

const isOpen = ({ access }: Route): boolean => access.kind === 'open'
const looksAtCallers = (route: Route): boolean => !isOpen(route)
const isWrite = (route: Route): boolean => route.method !== 'GET' && !isOpen(route)

/** What a key with every scope is answered where the query holds an unknown parameter. */
const codeOfKey = (route: Route): '4033' | '4003' =>
  needsPassword(route) || holdsProtectedFields(route) ? '4033' : '4003'

const keys = new Map<TestCaller, string>()

/** A key of who may do all that a route does, with every scope. */
async function keyFor(route: Route, { admin, owner }: Fixtures): Promise<string> {
  const maker = writerOf(route) === 'admin' ? admin : owner
  const known = keys.get(maker)
  if (known !== undefined) return known
  const { json } = await maker.request('POST', '/api-keys', { name: 'Promise' })
  keys.set(maker, json.key)
  return json.key
}

const withKey = (url: string, key: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}api_key=${key}`

const send = (
  { shop }: Watched,
  { method, url, json }: { method: string; url: string; json?: unknown },
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> => shop.request(method, url, json, headers)

/** Declares the tests of where an API key may stand. */
export function testKeys(watchedOf: () => Watched): void {
  test('a key in the query is a credential everywhere, told to nobody and never stored', async () => {
    const watched = watchedOf()
    await everyRoute(watched, looksAtCallers, async (route) => {
      const key = await keyFor(route, watched.fixtures)
      const { token: _, ...asked } = wellFormed(route, watched.fixtures)
      const url = withKey(isWrite(route) ? `${asked.url}?no_such=1` : asked.url, key)
      const answer = await send(watched, { ...asked, url })
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.ok(!JSON.stringify([answer.headers, answer.text]).includes(key))
      // What nobody knows in a query is refused after the caller, and before anything is done.
      if (isWrite(route)) requireCode(answer, codeOfKey(route))
      else assert.equal(answer.status, 200, answer.text)
    })
  })
  test('where credentials are not looked at, a key in the query is no more', async () => {
    const watched = watchedOf()
    const isRead = (route: Route) => isOpen(route) && route.method === 'GET'
    await everyRoute(watched, isRead, async (route) => {
      const asked = wellFormed(route, watched.fixtures)
      const answer = await send(watched, { ...asked, url: withKey(asked.url, 'cw_of-nobody') })
      assert.equal(answer.status, 200, answer.text.slice(0, 200))
      assert.equal(answer.headers['cache-control'], 'no-store')
    })
  })
  testBodyKeys(watchedOf)
  testOneCredential(watchedOf)
}

function testBodyKeys(watchedOf: () => Watched): void {
  test('a key in the body is a credential of every write', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isWrite, async (route) => {
      const api_key = await keyFor(route, watched.fixtures)
      const { token: _, ...asked } = wellFormed(route, watched.fixtures)
      const url = `${asked.url}?no_such=1`
      const json = { ...(asked.json ?? {}), api_key }
      const answer = await send(watched, { ...asked, url, json })
      requireCode(answer, codeOfKey(route))
      assert.ok(!JSON.stringify([answer.headers, answer.text]).includes(api_key))
    })
  })
  test('a key in the body that is none answers 401', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isWrite, async (route) => {
      const { token: _, ...asked } = wellFormed(route, watched.fixtures)
      for (const api_key of [`cw_${'A'.repeat(43)}`, null, {}]) {
        const json = { ...(asked.json ?? {}), api_key }
        requireCode(await send(watched, { ...asked, json }), '4012', JSON.stringify(api_key))
      }
    })
  })
}

function testOneCredential(watchedOf: () => Watched): void {
  test('two credentials answer 400, wherever they stand, and the second is named', async () => {
    const watched = watchedOf()
    const { fixtures } = watched
    await everyRoute(watched, looksAtCallers, async (route) => {
      const { token = '', ...asked } = wellFormed(route, fixtures)
      const api_key = await keyFor(route, fixtures)
      const header = { authorization: `Bearer ${token || fixtures.owner.token}` }
      const url = withKey(asked.url, api_key)
      const refused = async (code: '4001' | '4003', ...request: [object, object?]) => {
        const [change, headers = {}] = request
        const answer = await send(watched, { ...asked, ...change }, headers as typeof header)
        requireCode(answer, code)
        requireNamed(answer, 'api_key')
      }
      await refused('4003', { url }, header)
      await refused('4003', { url: withKey(url, api_key) })
      if (!isWrite(route)) return
      const json = { ...(asked.json ?? {}), api_key }
      await refused('4001', { json }, header)
      // Where no key is accepted at all, the one in the address is refused before the body is read.
      if (needsPassword(route)) return
      await refused('4003', { json, url })
    })
  })
}
