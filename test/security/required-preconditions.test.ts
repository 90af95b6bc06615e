import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { documentedStatuses, type OpenApiDocument } from '#http/openapi/document.ts'
import {
  type ContractApp,
  forEachRoute,
  type RequestSpec,
  readUrl,
  startContractApp,
  validRequest,
} from '#test/contract/setup/contract-app.ts'
import { startTestApp, type TestApp } from '#test/support/app.ts'

const isChange = ({ method }: Route): boolean => ['PUT', 'PATCH', 'DELETE'].includes(method)

let contract: ContractApp
/** The same shop with If-Match required. */
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

const errorCodeOf = async (spec: RequestSpec): Promise<string> => {
  const { method, url, token, json, headers } = spec
  const known = { authorization: `Bearer ${token}`, ...headers }
  const answer = await strict.request(method, url, json, known)
  return answer.json?.error_code ?? String(answer.status)
}

test('a change without If-Match answers 4281 and changes nothing', async () => {
  await forEachRoute(contract, isChange, async (route) => {
    const spec = validRequest(route, contract.fixtures)
    const { url, token } = spec
    const read = () => contract.send({ method: 'GET', url: readUrl(url), token })
    const before = await read()
    assert.equal(await errorCodeOf(spec), '4281')
    const since = { 'if-unmodified-since': new Date(8.64e15 / 2).toUTCString() }
    assert.equal(await errorCodeOf({ ...spec, headers: since }), '4281')
    assert.equal((await read()).text, before.text)
  })
})

test('a change with If-Match passes or answers 4121 as usual', async () => {
  await forEachRoute(contract, isChange, async (route) => {
    const spec = validRequest(route, await contract.freshFixtures(route))
    assert.equal(await errorCodeOf({ ...spec, headers: { 'if-match': '"other"' } }), '4121')
    assert.match(await errorCodeOf({ ...spec, headers: { 'if-match': '*' } }), /^20[04]$/)
  })
})

test('other errors of a change take precedence over 428', async () => {
  await forEachRoute(contract, isChange, async (route) => {
    const spec = validRequest(route, contract.fixtures)
    const { token } = contract.fixtures.admin
    // A path without an ID is a different resource for each caller.
    const hasId = route.path.includes(':')
    const problem = hasId ? '4031' : '4041'
    // Whoever holds a mailed token may use it.
    if (route.access.kind !== 'no-authentication') {
      assert.equal(await errorCodeOf({ ...spec, token: contract.stranger.token }), problem)
    }
    const unknownUrl = spec.url.replace(/\d+(?=\D*$)/, '999999999')
    if (hasId) assert.equal(await errorCodeOf({ ...spec, url: unknownUrl, token }), '4041')
    assert.equal(await errorCodeOf({ ...spec, url: `${spec.url}?no_such=1` }), '4003')
    if (!route.body) return
    assert.equal(
      await errorCodeOf({ ...spec, json: { ...(spec.json as object), none: 1 } }),
      '4221',
    )
  })
})

test('OpenAPI documents 428 only where it is answered', () => {
  const documents428 = (document: OpenApiDocument, { method, path }: Route) =>
    documentedStatuses(document, method, path).includes(428)
  const changes = contract.routes.filter(isChange)
  assert.ok(changes.every((route) => documents428(strict.describe(), route)))
  assert.ok(!changes.some((route) => documents428(contract.shop.describe(), route)))
})
