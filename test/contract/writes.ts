import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { includesOf } from './queries.ts'
import {
  assertErrorCode,
  type ContractApp,
  computedIncludesOf,
  forEachRoute,
  readUrl,
  validRequest,
} from './setup/contract-app.ts'
import type { Fixtures } from './setup/fixture-ids.ts'
import { type CallerName, permittedCaller, resolvePath, tokenOf } from './setup/valid-requests.ts'

// A new guest is shown with tokens, and read without.
const createsNew = ({ kind, statuses, path }: Route): boolean =>
  kind === 'create' && statuses.includes(201) && path !== '/guests'
// A discount is applied by its code, and the cart is what is read.
const isReplacing = (route: Route): boolean =>
  route.kind === 'replace' && readUrl(route.path) === route.path && !usesUp(route)
// A PUT that uses a mailed token up answers 204.
const usesUp = ({ path }: Route): boolean => path.endsWith('/:token')
const isModifying = ({ kind }: Route): boolean => kind === 'modify'

/** A body without the audit events that reading the export adds. */
const withoutAuditEvents = (body: Readonly<Record<string, unknown>>): object => {
  const { data, ...rest } = body
  if (data === undefined) return rest
  const { audit_events: __, ...others } = data as Readonly<Record<string, unknown>>
  return { ...rest, data: others }
}

/** A body without the secrets that only the response to the creation holds. */
const withoutSecrets = (body: Readonly<Record<string, unknown>>): object => {
  const { client_secret: _, client_secret_expires_at: __, key: ___, secret: ____, ...rest } = body
  return rest
}

/** Declares the tests of the responses to writes. */
export function testWrites(getContract: () => ContractApp): void {
  test('a created resource is read at its Location as it was answered', async () => {
    const contract = getContract()
    await forEachRoute(contract, createsNew, async (route) => {
      const spec = validRequest(route, await contract.freshFixtures(route))
      const made = await contract.send(spec)
      assert.equal(made.status, 201, made.text)
      const url = made.headers['location'] ?? ''
      const read = await contract.send({ method: 'GET', url, token: spec.token })
      assert.equal(read.status, 200, `${url} ${read.text}`)
      assert.deepEqual(read.json, withoutSecrets(made.json))
      assert.equal(read.headers['etag'], made.headers['etag'])
    })
  })
  test('a change answers with the representation that a read then returns', async () => {
    const contract = getContract()
    const changes = (route: Route) =>
      (route.method === 'PUT' || route.method === 'PATCH') && !usesUp(route)
    await forEachRoute(contract, changes, async (route) => {
      const spec = validRequest(route, await contract.freshFixtures(route))
      const changed = await contract.send(spec)
      assert.equal(changed.status, 200, changed.text)
      const { url, token } = spec
      const read = await contract.send({ method: 'GET', url: readUrl(url), token })
      assert.deepEqual(read.json, changed.json)
      assert.equal(read.headers['etag'], changed.headers['etag'])
    })
  })
  testRoundTrips(getContract)
}

function testRoundTrips(getContract: () => ContractApp): void {
  test('a PUT of what was read changes nothing', async () => {
    const contract = getContract()
    await forEachRoute(contract, isReplacing, async (route) => {
      const read = { ...route, method: 'GET', kind: 'read' } as const
      const fixtures = await contract.freshFixtures(route)
      for (const query of ['', ...includesOf(read), ...computedIncludesOf(read)]) {
        const search = query === '' ? '' : `?include=${query}`
        await assertRoundTrip(contract, fixtures, route, search)
      }
    })
  })
  test('a PATCH of nothing, or of what was read, changes nothing', async () => {
    const contract = getContract()
    await forEachRoute(contract, isModifying, async (route) => {
      const { url, token } = validRequest(route, await contract.freshFixtures(route))
      for (const version of ['/v1', '/v2']) {
        const spec = { url: version + url, token }
        const before = await contract.send({ ...spec, method: 'GET' })
        const fields = Object.keys(route.body?.properties ?? {})
        const known = Object.entries(before.json).filter(([name]) => fields.includes(name))
        assert.ok(known.length > 0, 'no field can be read')
        for (const json of [{}, Object.fromEntries(known)]) {
          contract.shop.now += 1
          const patch = await contract.send({ ...spec, method: 'PATCH', json })
          assert.equal(patch.status, 200, patch.text)
          assert.deepEqual(patch.json, before.json)
          assert.equal(patch.headers['etag'], before.headers['etag'])
        }
      }
    })
  })
  test('a removed resource is gone, and DELETE can be repeated', async () => {
    const contract = getContract()
    await forEachRoute(
      contract,
      ({ kind }) => kind === 'remove',
      async (route) => {
        const fixtures = await contract.freshFixtures(route)
        const spec = validRequest(route, fixtures)
        const { token } = fixtures.admin
        assert.equal((await contract.send(spec)).status, 204)
        const read = await contract.send({ method: 'GET', url: readUrl(spec.url), token })
        const again = await contract.send({ ...spec, token })
        // A cart always exists, and a cart item is deleted without a trace.
        if (read.status === 410) assert.equal(again.status, 204, again.text)
        else if (read.status === 404) assertErrorCode(again, '4041')
        else assert.equal(`${read.status} ${again.status}`, '200 204')
      },
    )
  })
}

async function assertRoundTrip(
  contract: ContractApp,
  fixtures: Fixtures,
  route: Route,
  query: string,
): Promise<void> {
  const url = resolvePath(route, fixtures)
  const callerNames: readonly CallerName[] =
    permittedCaller(route) === 'admin' && route.access.kind === 'admin'
      ? ['admin']
      : ['owner', 'admin']
  for (const callerName of callerNames) {
    const token = tokenOf(fixtures, callerName)
    const before = await contract.send({ method: 'GET', url: `${url}${query}`, token })
    contract.shop.now += 1
    const put = await contract.send({ method: 'PUT', url, token, json: before.json })
    assert.ok(put.status === 200 || put.status === 204, `${callerName} ${query}: ${put.text}`)
    const after = await contract.send({ method: 'GET', url: `${url}${query}`, token })
    assert.deepEqual(withoutAuditEvents(after.json), withoutAuditEvents(before.json))
    assert.equal(after.headers['etag'], before.headers['etag'])
  }
}
