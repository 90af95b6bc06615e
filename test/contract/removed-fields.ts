import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { linksIn } from './links.ts'
import { tokenOf } from './setup/fixtures.ts'
import type { Fixtures } from './setup/scene.ts'
import { everyRoute, type Watched, wellFormed } from './setup/watched-app.ts'

/** What can be removed, and every place where it was; it is removed at the first. */
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

/** Declares the tests of what is still told of that which has been removed. */
export function testRemovedFields(watchedOf: () => Watched): void {
  for (const [removed, placesIn] of Object.entries(removals)) {
    test(`once ${removed} is removed, no link leads there`, async () => {
      const watched = watchedOf()
      const fixtures = await watched.freshFixtures()
      const [url, ...others] = placesIn(fixtures)
      const { token } = fixtures.admin
      assert.equal((await watched.ask({ method: 'DELETE', url, token })).status, 204)
      const gone = new RegExp(`^(${[url, ...others].join('|')})(?![^/?])`)
      await everyRoute(watched, isRead, async (route) => {
        for (const who of ['owner', 'admin'] as const) {
          const asked = { ...wellFormed(route, fixtures), token: tokenOf(fixtures, who) }
          const { status, json } = await watched.ask(asked)
          if (status >= 400) continue
          for (const [relation, { href }] of linksIn(json)) {
            assert.doesNotMatch(href, gone, `${who} is shown ${relation}`)
          }
        }
      })
    })
  }
}
