import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { definitionOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import { queryType } from '#http/message/media-type.ts'
import { maxParameters } from '#http/pipeline/middleware/query-bounds.ts'
import { maxEmbeddedRows } from '#http/response/includes.ts'
import { maxResponseBytes } from '#http/response/response-size.ts'
import { bodyLimitOf } from '#http/server/body/body-limit.ts'
import { acceptsQuery, queryLimitBytes } from '#http/server/body/query-method.ts'
import {
  assertErrorCode,
  type ContractApp,
  forEachRoute,
  type RequestSpec,
  startContractApp,
} from '#test/contract/setup/contract-app.ts'
import { permittedCaller, resolvePath, tokenOf } from '#test/contract/setup/valid-requests.ts'
import { eachDatabase } from '#test/support/app.ts'
import { largestRawRequests } from '#test/support/largest/raw-requests.ts'
import { type LargestRequest, largestRequests } from '#test/support/largest/requests.ts'
import { enlargeFixtures, insertLargestRows } from '#test/support/largest/shop.ts'

/** What a response may have: the entities of a page, their XML, and what is beside them. */
const maxBytes = 5_000_000
/** One in so many of the requests that are alike at all routes is sent. */
const share = 64
/**
 * The most statements of a read: the credential, a list, ten facets, and two includes, of which each
 * statement loads those of five entities on SQLite.
 */
const maxStatements = 1 + 2 + 10 + 2 * 20

eachDatabase((kind) => {
  let contract: ContractApp
  let inserted: Awaited<ReturnType<typeof insertLargestRows>>
  before(async () => {
    contract = await startContractApp(kind)
    const rows = { reviewed: 6, orders: 26 }
    inserted = await insertLargestRows(contract.shop, contract.fixtures, rows)
  })
  after(() => contract.shop.dispose())

  const sent = async ({ method, url, headers, payload }: LargestRequest) => {
    contract.shop.takeCount()
    const { app } = contract.shop
    const body = payload && { payload: payload() }
    const response = await app.inject({ method: method as 'GET', url, headers, ...body })
    return { response, statements: contract.shop.takeCount() }
  }

  /** Sends the largest requests to a route; returns how many were answered with each status. */
  async function check(route: Route, statuses: Map<number, number>): Promise<void> {
    const isRead = route.method === 'GET'
    const fixtures = isRead ? contract.fixtures : await contract.freshFixtures(route)
    const { productIds, words } = inserted
    const ids = isRead ? {} : await enlargeFixtures(contract.shop, fixtures, productIds)
    for (const request of largestRequests(route, { fixtures, ids, words, lastPage: 2 })) {
      if (request.isOneOfMany && alike++ % share > 0) continue
      const { response, statements } = await sent(request)
      const { statusCode, headers, rawPayload, payload } = response
      const what = `${request.name}: ${statusCode} ${payload.slice(0, 300)}`
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
      assert.ok(statusCode < 500, what)
      // A whole collection is sent in parts.
      if (headers['content-disposition'] !== undefined) continue
      assert.ok(rawPayload.length <= maxBytes, `${rawPayload.length} bytes, ${what}`)
      if (!isRead) continue
      assert.ok(statements <= maxStatements, `${statements} statements, ${what}`)
      const isJson = /json/.test(String(headers['content-type'])) && statusCode === 200
      if (isJson && acceptsQuery(route)) assertFewEmbedded(route, response.json().data)
    }
  }
  let alike = 0

  test('the largest requests to every route are answered within the bounds of a response', async () => {
    const statuses = new Map<number, number>()
    await forEachRoute(
      contract,
      () => true,
      (route) => check(route, statuses),
    )
    for (const status of [200, 201, 400, 401, 413]) {
      assert.ok((statuses.get(status) ?? 0) > 0, `none was answered ${status}`)
    }
  })

  test('the largest requests to the endpoints of OAuth are no errors of the server', async () => {
    for (const route of contract.shop.oauth.routes) {
      for (const request of largestRawRequests(route)) {
        if (request.isOneOfMany && alike++ % share > 0) continue
        const { statusCode, rawPayload, payload } = (await sent(request)).response
        const what = `${route.method} ${route.path} ${request.name}: ${statusCode} ${payload.slice(0, 300)}`
        assert.ok(statusCode < 500, what)
        assert.ok(rawPayload.length <= maxBytes, what)
      }
    }
  })

  test('the endpoints of OAuth accept no more parameters than others', async () => {
    for (const { method, path } of contract.shop.oauth.routes) {
      const query = Array(maxParameters + 1)
        .fill('a=1')
        .join('&')
      const response = await contract.shop.app.inject({ method, url: `${path}?${query}` })
      assert.deepEqual([path, response.statusCode], [path, 400])
      assert.match(response.payload, /"invalid_request"/)
    }
  })

  const specOf = (route: Route): RequestSpec => ({
    method: route.method,
    url: resolvePath(route, contract.fixtures),
    token: tokenOf(contract.fixtures, permittedCaller(route)),
  })

  test('a page of 100 of the largest products is refused, and one of fewer is not', async () => {
    const { request } = contract.fixtures.admin
    const path = '/products?sort=created_at'
    const refused = await request('GET', `${path}&limit=100`)
    assertErrorCode(refused, '4003')
    assert.deepEqual(
      [refused.json.errors[0].field, refused.json.errors[0].message],
      ['limit', `must be smaller: the response may have at most ${maxResponseBytes} bytes`],
    )
    const admitted = await request('GET', `${path}&limit=20`)
    assert.equal(admitted.status, 200)
    assert.equal(admitted.json.data.length, 20)
  })

  test('a page is refused by the size of its XML where that is larger', async () => {
    const { request } = contract.fixtures.admin
    const description = '&'.repeat(5_000)
    const made = Array.from({ length: 100 }, (_, at) =>
      request('POST', '/products', {
        name: `Ampersands ${at}`,
        price: 1,
        category: 'xml',
        description,
      }),
    )
    for (const { status } of await Promise.all(made)) assert.equal(status, 201)
    const path = '/products?category=xml&limit=100'
    assert.equal((await request('GET', path)).status, 200)
    const accept = { accept: 'application/xml' }
    const refused = await request('GET', path, undefined, accept)
    assert.equal(refused.status, 400)
    assert.match(refused.text, /<error_code>4003</)
    const admitted = await request('GET', '/products?category=xml&limit=50', undefined, accept)
    assert.equal(admitted.status, 200)
    assert.ok(admitted.text.length < maxBytes)
  })

  test('the bodies of every route may have no byte more than their limit', async () => {
    await forEachRoute(
      contract,
      ({ body }) => body !== undefined,
      async (route) => {
        const headers = { 'content-type': 'application/json' }
        const payload = ' '.repeat(bodyLimitOf(route) + 1)
        assertErrorCode(await contract.send({ ...specOf(route), payload, headers }), '4131')
      },
    )
  })

  test('the query of every list may have no parameter and no byte more than its limit', async () => {
    await forEachRoute(contract, acceptsQuery, async (route) => {
      const spec = specOf(route)
      const query = Array(maxParameters + 1)
        .fill('limit=1')
        .join('&')
      assertErrorCode(await contract.send({ ...spec, url: `${spec.url}?${query}` }), '4003')
      const headers = { 'content-type': queryType }
      const payload = 'a'.repeat(queryLimitBytes + 1)
      assertErrorCode(await contract.send({ ...spec, method: 'QUERY', payload, headers }), '4131')
    })
  })
})

/** Asserts that the includes of a page have at most 5,000 rows together. */
function assertFewEmbedded(
  { resource }: Route,
  page: readonly Readonly<Record<string, unknown>>[],
) {
  const definition = definitionOf(resource)
  const includes = definition.kind === 'document' ? {} : (definition.includes ?? {})
  let count = 0
  for (const row of page) {
    for (const name of Object.keys(includes)) count += [row[name] ?? []].flat().length
  }
  assert.ok(count <= maxEmbeddedRows, `${count} embedded rows`)
}
