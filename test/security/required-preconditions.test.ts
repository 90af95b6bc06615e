import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { type OpenApi, statusesOf } from '#http/openapi/document.ts'
import {
  type ContractApp,
  forEachRoute,
  type RequestSpec,
  startContractApp,
  validRequest,
} from '#test/contract/setup/contract-app.ts'
import { startTestApp, type TestApp } from '#test/support/app.ts'

const isChange = ({ method }: Route): boolean => ['PUT', 'PATCH', 'DELETE'].includes(method)

let contract: ContractApp
/** The same shop where a change has to say of which state. */
let strict: TestApp
before(async () => {
  contract = await startContractApp('sqlite')
  const { store } = contract.shop
  strict = await startTestApp('sqlite', { composition: { store, requireIfMatch: true } })
})
after(async () => {
  await strict.dispose()
  await contract.shop.dispose()
})

const codeOf = async (spec: RequestSpec): Promise<string> => {
  const { method, url, token, json, headers } = spec
  const known = { authorization: `Bearer ${token}`, ...headers }
  const answer = await strict.request(method, url, json, known)
  return answer.json?.error_code ?? String(answer.status)
}

test('a change that names no state is refused with 4281 and changes nothing', async () => {
  await forEachRoute(contract, isChange, async (route) => {
    const spec = validRequest(route, contract.fixtures)
    const { url, token } = spec
    const read = () => contract.send({ method: 'GET', url, token })
    const before = await read()
    assert.equal(await codeOf(spec), '4281')
    const since = { 'if-unmodified-since': new Date(8.64e15 / 2).toUTCString() }
    assert.equal(await codeOf({ ...spec, headers: since }), '4281')
    assert.equal((await read()).text, before.text)
  })
})

test('a change that names a state is held to it as ever', async () => {
  await forEachRoute(contract, isChange, async (route) => {
    const spec = validRequest(route, await contract.freshFixtures())
    assert.equal(await codeOf({ ...spec, headers: { 'if-match': '"other"' } }), '4121')
    assert.match(await codeOf({ ...spec, headers: { 'if-match': '*' } }), /^20[04]$/)
  })
})

test('what is wrong with a change otherwise is told first', async () => {
  await forEachRoute(contract, isChange, async (route) => {
    const spec = validRequest(route, contract.fixtures)
    const { token } = contract.fixtures.admin
    // What is at an address without a name is the caller's own, or not there.
    const isNamed = route.path.includes(':')
    const problem = isNamed ? '4031' : '4041'
    assert.equal(await codeOf({ ...spec, token: contract.stranger.token }), problem)
    const nowhere = spec.url.replace(/\d+(?=\D*$)/, '999999999')
    if (isNamed) assert.equal(await codeOf({ ...spec, url: nowhere, token }), '4041')
    assert.equal(await codeOf({ ...spec, url: `${spec.url}?no_such=1` }), '4003')
    if (!route.body) return
    assert.equal(await codeOf({ ...spec, json: { ...(spec.json as object), none: 1 } }), '4221')
  })
})

test('428 is told of in the description only where it is answered', () => {
  const told = (document: OpenApi, { method, path }: Route) =>
    statusesOf(document, method, path).includes(428)
  const changes = contract.routes.filter(isChange)
  assert.ok(changes.every((route) => told(strict.describe(), route)))
  assert.ok(!changes.some((route) => told(contract.shop.describe(), route)))
})
