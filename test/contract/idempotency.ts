import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import {
  assertErrorCode,
  type ContractApp,
  forEachRoute,
  type RequestSpec,
  validRequest,
} from './setup/contract-app.ts'

const acceptsKey = ({ method, acceptsIdempotencyKey = true }: Route): boolean =>
  acceptsIdempotencyKey && (method === 'POST' || method === 'PATCH')

const isStrict = (route: Route): boolean => {
  const body = route.body as { readonly additionalProperties?: boolean } | undefined
  // No problem of an anonymous caller is stored.
  return (
    route.access.kind !== 'no-authentication' &&
    acceptsKey(route) &&
    body !== undefined &&
    body.additionalProperties !== true
  )
}

let keyCount = 0

const withKey = (spec: RequestSpec, key: string): RequestSpec => ({
  ...spec,
  headers: { ...spec.headers, 'idempotency-key': key },
})

/** Declares the tests of the Idempotency-Key on every route that accepts it. */
export function testIdempotency(getContract: () => ContractApp): void {
  test('a POST or PATCH repeated with its key replays the first response', async () => {
    const contract = getContract()
    await forEachRoute(contract, acceptsKey, async (route) => {
      const fixtures = await contract.freshFixtures(route)
      const spec = withKey(validRequest(route, fixtures), `contract-${keyCount++}`)
      const first = await contract.send(spec)
      const again = await contract.send(spec)
      // A 401 is not stored, so that the client can retry with other credentials.
      if (first.status === 401) return
      assert.equal(`${again.status} ${again.text}`, `${first.status} ${first.text}`)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.equal(again.headers['location'], first.headers['location'])
      const { json, payload = JSON.stringify(json), ...other } = spec
      const another = Buffer.concat([Buffer.from(payload), Buffer.from('\n')])
      assertErrorCode(await contract.send({ ...other, payload: another }), '4222')
    })
  })
  test('a POST or PATCH replays the response to an invalid body', async () => {
    const contract = getContract()
    await forEachRoute(contract, isStrict, async (route) => {
      const valid = withKey(validRequest(route, contract.fixtures), `contract-${keyCount++}`)
      const spec = { ...valid, json: { ...Object(valid.json), no_such_field: 1 } }
      const first = await contract.send(spec)
      assertErrorCode(first, '4221')
      const again = await contract.send(spec)
      assert.equal(`${again.status} ${again.text}`, `${first.status} ${first.text}`)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assertErrorCode(await contract.send(valid), '4222')
    })
  })
  test('a POST or PATCH rejects an empty key', async () => {
    const contract = getContract()
    await forEachRoute(contract, acceptsKey, async (route) => {
      const spec = withKey(validRequest(route, contract.fixtures), '""')
      assertErrorCode(await contract.send(spec), '4001')
    })
  })
}
