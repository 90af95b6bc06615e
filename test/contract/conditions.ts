import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import type { TestResponse } from '#test/support/app.ts'
import { withIncludes } from './queries.ts'
import {
  assertErrorCode,
  type ContractApp,
  forEachRoute,
  type RequestSpec,
  readUrl,
  validRequest,
} from './setup/contract-app.ts'
import { type CallerName, permittedCaller, tokenOf } from './setup/valid-requests.ts'

// Metrics change with every request.
const isLasting = ({ method, path }: Route): boolean => method === 'GET' && path !== '/metrics'
// The number of the products of a category changes without the category, whose ETag alone tells.
const isDated = ({ path }: Route): boolean => path !== '/categories/:categoryId'
const isEntityRead = (route: Route): boolean =>
  route.kind === 'read' && route.resource.kind !== 'document' && isDated(route)
const isOpen = ({ access }: Route): boolean => access.kind === 'no-authentication'
const isChange = ({ method }: Route): boolean => ['PUT', 'PATCH', 'DELETE'].includes(method)

const callers: readonly CallerName[] = ['anonymous', 'owner', 'admin']

/** Declares the tests of conditional reads, whose ETags differ between representations. */
export function testConditionalReads(getContract: () => ContractApp): void {
  test('every read has a strong ETag and answers 304 while unchanged', async () => {
    const contract = getContract()
    const { fixtures } = contract
    await forEachRoute(contract, isLasting, async (route) => {
      for (const spec of withIncludes(route, validRequest(route, fixtures))) {
        for (const callerName of callers) {
          const read = { ...spec, token: tokenOf(fixtures, callerName) }
          const got = await contract.send(read)
          if (got.status === 200) {
            if (isEntityRead(route)) assert.match(got.headers['last-modified'] ?? '', / GMT$/)
            await assertRevalidation(contract, read, got)
          } else assert.ok(callerName !== permittedCaller(route), `${callerName} got ${got.text}`)
        }
      }
    })
  })
}

/** Declares the tests of conditional requests. */
export function testConditions(getContract: () => ContractApp): void {
  testConditionalReads(getContract)
  test('a change with a stale If-Match answers 412 and changes nothing; the current ETag passes', async () => {
    const contract = getContract()
    await forEachRoute(contract, isChange, async (route) => {
      const fixtures = await contract.freshFixtures(route)
      const spec = validRequest(route, fixtures)
      const before = await readTarget(contract, spec)
      const etag = before.headers['etag'] ?? ''
      for (const stale of ['"no such state"', `W/${etag}`, etag.replace('"', '"0'), '', '"']) {
        const response = await sendIfMatch(contract, spec, stale)
        assertErrorCode(response, '4121', `If-Match: ${stale}`)
      }
      assertSame(await readTarget(contract, spec), before)
      await assertChange(contract, spec, `"no such state", ${etag}`)
      const after = await readTarget(contract, spec)
      assert.notEqual(after.headers['etag'], etag, 'the ETag did not change')
    })
  })
  testDates(getContract)
  testUniqueness(getContract)
  testOrder(getContract)
}

function testDates(getContract: () => ContractApp): void {
  for (const delayMs of [0, 60_000]) {
    const when = delayMs === 0 ? 'in the second of its creation' : 'later'
    test(`after a change ${when}, If-Modified-Since never validates an older copy`, async () => {
      const contract = getContract()
      const { shop, send } = contract
      const start = shop.now
      const isDatedChange = (route: Route) => isChange(route) && isDated(route)
      await forEachRoute(contract, isDatedChange, async (route) => {
        shop.now = start + 200
        const fixtures = await contract.freshFixtures(route)
        shop.now += delayMs
        const spec = validRequest(route, fixtures)
        const { 'last-modified': before = '' } = (await readTarget(contract, spec)).headers
        assert.ok(Date.parse(before) <= shop.now, `${before} is in the future`)
        const { url, token } = spec
        const since = (date: string) =>
          send({
            ...{ method: 'GET', url: readUrl(url), token },
            headers: { 'if-modified-since': date },
          })
        shop.now += 300
        const { status } = await send(spec)
        assert.ok(status < 300)
        const changed = (await readTarget(contract, spec)).headers['last-modified'] ?? before
        shop.now += 300
        assert.notEqual((await since(before)).status, 304)
        shop.now += 5000
        assert.notEqual((await since(before)).status, 304)
        assert.ok(Date.parse(changed) <= shop.now - 5000, `${changed} is in the future`)
        const settled = await readTarget(contract, spec)
        if (settled.status >= 400) return
        assert.equal((await since(settled.headers['last-modified'] ?? '')).status, 304)
      })
      shop.now = start
    })
  }
}

function testUniqueness(getContract: () => ContractApp): void {
  // After signing in, the ETag of the anonymous response must not validate.
  test('one ETag names one body for all callers, and guarded reads vary by Authorization', async () => {
    const contract = getContract()
    const { fixtures, send } = contract
    await forEachRoute(contract, isLasting, async (route) => {
      for (const spec of withIncludes(route, validRequest(route, fixtures))) {
        const bodies = new Map<string, string>()
        for (const callerName of callers) {
          const { status, headers, text } = await send({
            ...spec,
            token: tokenOf(fixtures, callerName),
          })
          if (status !== 200) continue
          const { etag = '', vary = '' } = headers
          assert.equal(text, bodies.get(etag) ?? text, `${etag}, read by ${callerName}`)
          // Open routes ignore credentials.
          if (isOpen(route)) assert.doesNotMatch(vary, /\bAuthorization\b/)
          else assert.match(vary, /\bAuthorization\b/)
          bodies.set(etag, text)
        }
      }
    })
  })
}

async function assertRevalidation({ send }: ContractApp, spec: RequestSpec, got: TestResponse) {
  const { etag = '', 'last-modified': modified } = got.headers
  assert.match(etag, /^"[^"]+"$/, 'the ETag is missing or not strong')
  const hasInclude = spec.url.includes('?include=')
  const validators = [
    { 'if-none-match': etag },
    { 'if-none-match': `W/${etag}` },
    { 'if-none-match': `"other", ${etag}` },
    { 'if-none-match': '*' },
    // The removal of an included entity changes no date.
    ...(modified === undefined || hasInclude ? [] : [{ 'if-modified-since': modified }]),
  ]
  const assertUnchanged = async (method: string, headers: RequestSpec['headers'] = {}) => {
    const fresh = await send({ ...spec, method, headers })
    assert.equal(fresh.status, 304, JSON.stringify(headers))
    for (const name of ['etag', 'cache-control', 'vary', 'last-modified', 'content-location']) {
      assert.equal(fresh.headers[name], got.headers[name], `${name} of the 304`)
    }
  }
  await Promise.all(
    validators.flatMap((headers) =>
      ['GET', 'HEAD'].map((method) => assertUnchanged(method, headers)),
    ),
  )
  const stale = { 'if-none-match': '"other"', 'if-modified-since': modified ?? '' }
  const again = await send({ ...spec, headers: stale })
  assert.equal(again.status, 200)
  assert.equal(again.text, got.text, 'one ETag names two bodies')
  const matched = await send({ ...spec, headers: { 'if-match': again.headers['etag'] ?? '' } })
  assert.equal(matched.status, 200)
  for (const other of ['"no such state"', 'W/"1-v1"']) {
    assertErrorCode(await send({ ...spec, headers: { 'if-match': other } }), '4121')
  }
}

const readTarget = ({ send }: ContractApp, { url, token }: RequestSpec) =>
  send({ method: 'GET', url: readUrl(url), token })

const sendIfMatch = ({ send }: ContractApp, spec: RequestSpec, tag: string) =>
  send({ ...spec, headers: { 'if-match': tag } })

async function assertChange(contract: ContractApp, spec: RequestSpec, tag: string): Promise<void> {
  const { status, text } = await sendIfMatch(contract, spec, tag)
  assert.ok(status === 200 || status === 204, `If-Match: ${tag} answers ${status} ${text}`)
}

function assertSame(now: TestResponse, before: TestResponse): void {
  assert.equal(now.text, before.text)
  assert.equal(now.headers['etag'], before.headers['etag'])
}

function testOrder(getContract: () => ContractApp): void {
  test('a change with If-None-Match of the current ETag or * changes nothing', async () => {
    const contract = getContract()
    await forEachRoute(contract, isChange, async (route) => {
      const spec = validRequest(route, contract.fixtures)
      const before = await readTarget(contract, spec)
      for (const tag of ['*', before.headers['etag'] ?? '*']) {
        assertErrorCode(await contract.send({ ...spec, headers: { 'if-none-match': tag } }), '4121')
      }
      assertSame(await readTarget(contract, spec), before)
    })
  })
  test('a change with If-Match: * passes', async () => {
    const contract = getContract()
    await forEachRoute(contract, isChange, async (route) => {
      const fixtures = await contract.freshFixtures(route)
      await assertChange(contract, validRequest(route, fixtures), '*')
    })
  })
  test('other errors of a change take precedence over a stale If-Match', async () => {
    const contract = getContract()
    const { stranger, send, fixtures } = contract
    const headers = { 'if-match': '"no such state"' }
    await forEachRoute(contract, isChange, async (route) => {
      const spec = { ...validRequest(route, fixtures), headers }
      // A path without an ID is a different resource for each caller.
      const code = route.path.includes(':') ? '4031' : '4041'
      // Whoever holds a mailed token may use it.
      if (route.access.kind !== 'no-authentication') {
        assertErrorCode(await send({ ...spec, token: stranger.token }), code)
      }
      assertErrorCode(await send({ ...spec, url: `${spec.url}?no_such=1` }), '4003')
      const unknownUrl = spec.url.replace(/\d+(?=\D*$)/, '999999999')
      assertErrorCode(await send({ ...spec, url: unknownUrl, token: fixtures.admin.token }), '4041')
      if (!route.body) return
      assertErrorCode(await send({ ...spec, payload: '{' }), '4002')
      assertErrorCode(
        await send({ ...spec, json: { ...(spec.json as object), no_such: 1 } }),
        '4221',
      )
    })
  })
}
