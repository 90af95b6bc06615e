import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { includesOf } from './queries.ts'
import {
  assertErrorCode,
  type ContractApp,
  computedIncludesOf,
  forEachRoute,
  validRequest,
} from './setup/contract-app.ts'
import type { Fixtures } from './setup/fixtures.ts'
import { type CallerName, permittedCaller, resolvePath, tokenOf } from './setup/valid-requests.ts'

const createsNew = ({ kind, statuses }: Route): boolean =>
  kind === 'create' && statuses.includes(201)
const isReplacing = ({ kind }: Route): boolean => kind === 'replace'

/** A body without `updated_at`, and without the audit events that reading the export adds. */
const withoutVolatileFields = (body: Readonly<Record<string, unknown>>): object => {
  const { updated_at: _, data, ...rest } = body
  if (data === undefined) return rest
  const { audit_events: __, ...others } = data as Readonly<Record<string, unknown>>
  return { ...rest, data: others }
}

/** A body without the secrets that only the response to the creation holds. */
const withoutSecrets = (body: Readonly<Record<string, unknown>>): object => {
  const { client_secret: _, client_secret_expires_at: __, key: ___, ...rest } = body
  return rest
}

/** Declares the tests of the responses to writes. */
export function testWrites(getContract: () => ContractApp): void {
  test('a created resource is read at its Location as it was answered', async () => {
    const contract = getContract()
    await forEachRoute(contract, createsNew, async (route) => {
      const spec = validRequest(route, await contract.freshFixtures())
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
    const changes = ({ method }: Route) => method === 'PUT' || method === 'PATCH'
    await forEachRoute(contract, changes, async (route) => {
      const spec = validRequest(route, await contract.freshFixtures())
      const changed = await contract.send(spec)
      assert.equal(changed.status, 200, changed.text)
      const { url, token } = spec
      const read = await contract.send({ method: 'GET', url, token })
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
      const fixtures = await contract.freshFixtures()
      for (const query of ['', ...includesOf(read), ...computedIncludesOf(read)]) {
        const search = query === '' ? '' : `?include=${query}`
        await assertRoundTrip(contract, fixtures, route, search)
      }
    })
  })
  test('a removed resource is gone, and DELETE can be repeated', async () => {
    const contract = getContract()
    await forEachRoute(
      contract,
      ({ kind }) => kind === 'remove',
      async (route) => {
        const fixtures = await contract.freshFixtures()
        const spec = validRequest(route, fixtures)
        const { token } = fixtures.admin
        assert.equal((await contract.send(spec)).status, 204)
        const read = await contract.send({ method: 'GET', url: spec.url, token })
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
    const put = await contract.send({ method: 'PUT', url, token, json: before.json })
    assert.ok(put.status === 200 || put.status === 204, `${callerName} ${query}: ${put.text}`)
    const after = await contract.send({ method: 'GET', url: `${url}${query}`, token })
    assert.deepEqual(withoutVolatileFields(after.json), withoutVolatileFields(before.json))
  }
}
