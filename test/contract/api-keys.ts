import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import type { TestCaller, TestResponse } from '#test/support/app.ts'
import {
  assertErrorCode,
  assertFieldError,
  type ContractApp,
  forEachRoute,
  validRequest,
} from './setup/contract-app.ts'
import type { Fixtures } from './setup/fixture-ids.ts'
import { holdsProtectedFields, needsPassword, permittedCaller } from './setup/valid-requests.ts'

const isOpen = ({ access }: Route): boolean => access.kind === 'no-authentication'
const looksAtCallers = (route: Route): boolean => !isOpen(route)
const isWrite = (route: Route): boolean => route.method !== 'GET' && !isOpen(route)

/** The error code for a key with every scope and an unknown query parameter. */
const codeOfKey = (route: Route): '4033' | '4003' =>
  needsPassword(route) || holdsProtectedFields(route) ? '4033' : '4003'

const keys = new Map<TestCaller, string>()

/** An API key with every scope, of the caller that the route permits. */
async function keyFor(route: Route, { admin, owner }: Fixtures): Promise<string> {
  const holder = permittedCaller(route) === 'admin' ? admin : owner
  const known = keys.get(holder)
  if (known !== undefined) return known
  const { json } = await holder.request('POST', '/api-keys', { name: 'Contract' })
  keys.set(holder, json.key)
  return json.key
}

const withKey = (url: string, key: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}api_key=${key}`

const sendRaw = (
  { shop }: ContractApp,
  { method, url, json }: { method: string; url: string; json?: unknown },
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> => shop.request(method, url, json, headers)

/** Declares the tests of API keys in the query and in the body. */
export function testApiKeys(getContract: () => ContractApp): void {
  test('an API key in the query authenticates, is never echoed, and makes the response no-store', async () => {
    const contract = getContract()
    await forEachRoute(contract, looksAtCallers, async (route) => {
      const key = await keyFor(route, contract.fixtures)
      const { token: _, ...spec } = validRequest(route, contract.fixtures)
      const url = withKey(isWrite(route) ? `${spec.url}?no_such=1` : spec.url, key)
      const response = await sendRaw(contract, { ...spec, url })
      assert.equal(response.headers['cache-control'], 'no-store')
      assert.ok(!JSON.stringify([response.headers, response.text]).includes(key))
      // An unknown parameter is rejected after authentication and before the write.
      if (isWrite(route)) assertErrorCode(response, codeOfKey(route))
      else assert.equal(response.status, 200, response.text)
    })
  })
  test('a route without authentication ignores an API key in the query', async () => {
    const contract = getContract()
    const isRead = (route: Route) => isOpen(route) && route.method === 'GET'
    await forEachRoute(contract, isRead, async (route) => {
      const spec = validRequest(route, contract.fixtures)
      const response = await sendRaw(contract, { ...spec, url: withKey(spec.url, 'cw_unknown') })
      assert.equal(response.status, 200, response.text.slice(0, 200))
      assert.equal(response.headers['cache-control'], 'no-store')
    })
  })
  testBodyKeys(getContract)
  testOneCredential(getContract)
}

/** True for a write whose body may hold an API key, which that of an upload cannot. */
const takesBodyKey = (route: Route): boolean => isWrite(route) && route.upload === undefined

function testBodyKeys(getContract: () => ContractApp): void {
  test('an API key in the body authenticates every write', async () => {
    const contract = getContract()
    await forEachRoute(contract, takesBodyKey, async (route) => {
      const api_key = await keyFor(route, contract.fixtures)
      const { token: _, ...spec } = validRequest(route, contract.fixtures)
      const url = `${spec.url}?no_such=1`
      const json = { ...(spec.json ?? {}), api_key }
      const response = await sendRaw(contract, { ...spec, url, json })
      assertErrorCode(response, codeOfKey(route))
      assert.ok(!JSON.stringify([response.headers, response.text]).includes(api_key))
    })
  })
  test('an invalid API key in the body answers 401', async () => {
    const contract = getContract()
    await forEachRoute(contract, takesBodyKey, async (route) => {
      const { token: _, ...spec } = validRequest(route, contract.fixtures)
      for (const api_key of [`cw_${'A'.repeat(43)}`, null, {}]) {
        const json = { ...(spec.json ?? {}), api_key }
        assertErrorCode(await sendRaw(contract, { ...spec, json }), '4012', JSON.stringify(api_key))
      }
    })
  })
}

function testOneCredential(getContract: () => ContractApp): void {
  test('two credentials answer 400 and name api_key', async () => {
    const contract = getContract()
    const { fixtures } = contract
    await forEachRoute(contract, looksAtCallers, async (route) => {
      const { token = '', ...spec } = validRequest(route, fixtures)
      const api_key = await keyFor(route, fixtures)
      const header = { authorization: `Bearer ${token || fixtures.owner.token}` }
      const url = withKey(spec.url, api_key)
      const assertRefused = async (code: '4001' | '4003', ...request: [object, object?]) => {
        const [change, headers = {}] = request
        const response = await sendRaw(contract, { ...spec, ...change }, headers as typeof header)
        assertErrorCode(response, code)
        assertFieldError(response, 'api_key')
      }
      await assertRefused('4003', { url }, header)
      await assertRefused('4003', { url: withKey(url, api_key) })
      if (!takesBodyKey(route)) return
      const json = { ...(spec.json ?? {}), api_key }
      await assertRefused('4001', { json }, header)
      // A route that accepts no key rejects the one in the query before it reads the body.
      if (needsPassword(route)) return
      await assertRefused('4003', { json, url })
    })
  })
}
