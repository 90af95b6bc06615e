import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { linksIn } from './links.ts'
import { type ContractApp, forEachRoute, validRequest } from './setup/contract-app.ts'
import type { Fixtures } from './setup/fixture-ids.ts'
import { tokenOf } from './setup/valid-requests.ts'

/** Each kind of removal and the URLs of the removed resource; it is deleted at the first. */
const removals: Readonly<Record<string, (fixtures: Fixtures) => readonly [string, ...string[]]>> = {
  'a product': ({ products }) => [`/products/${products[0]}`],
  'an order': ({ owner, pendingOrder }) => [
    `/users/${owner.id}/orders/${pendingOrder}`,
    `/orders/${pendingOrder}`,
  ],
  'an item of a cart': ({ owner, cartItem }) => [`/users/${owner.id}/cart/items/${cartItem}`],
  'an API key': ({ apiKey }) => [`/api-keys/${apiKey}`],
  'a user': ({ owner }) => [`/users/${owner.id}`],
}

const isRead = ({ method, resource }: Route): boolean =>
  method === 'GET' && resource.kind !== 'document'

/** Declares the tests that no response links to a removed resource. */
export function testRemovedFields(getContract: () => ContractApp): void {
  for (const [removed, urlsOf] of Object.entries(removals)) {
    test(`once ${removed} is removed, no link leads there`, async () => {
      const contract = getContract()
      const fixtures = await contract.freshFixtures()
      const [url, ...others] = urlsOf(fixtures)
      const { token } = fixtures.admin
      assert.equal((await contract.send({ method: 'DELETE', url, token })).status, 204)
      const gone = new RegExp(`^(${[url, ...others].join('|')})(?![^/?])`)
      await forEachRoute(contract, isRead, async (route) => {
        for (const callerName of ['owner', 'admin'] as const) {
          const spec = { ...validRequest(route, fixtures), token: tokenOf(fixtures, callerName) }
          const { status, json } = await contract.send(spec)
          if (status >= 400) continue
          for (const [relation, { href }] of linksIn(json)) {
            assert.doesNotMatch(href, gone, `${callerName} is shown ${relation}`)
          }
        }
      })
    })
  }
}
