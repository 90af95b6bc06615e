import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { waitForLockWaiter } from '#test/support/services/databases.ts'
import { makeApiKey } from './secret.ts'
import * as store from './store.ts'
import { apiKeys } from './table.ts'

eachDatabase((kind) => {
  let shop: TestApp
  let owner: TestCaller
  before(async () => {
    shop = await startTestApp(kind)
    owner = await shop.signInAs('customer')
  })
  after(() => shop.dispose())

  const withKey = (key: string) => ({ authorization: `Api-Key ${key}` })
  const statusOf = async (key: string): Promise<number> =>
    (await shop.request('GET', '/profile', undefined, withKey(key))).status
  const createKey = async (parent?: { readonly key: string }) => {
    const request = parent ? shop.request : owner.request
    const headers = parent ? withKey(parent.key) : {}
    const { status, json, text } = await request('POST', '/api-keys', { name: 'Key' }, headers)
    assert.equal(status, 201, text)
    return json as { readonly id: number; readonly key: string }
  }

  describe('the revocation of a key', () => {
    test('revokes a key that one of its descendants is just creating', async () => {
      const root = await createKey()
      const child = await createKey(root)
      const { key, ...secret } = makeApiKey()
      const [isCreated, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const creation = shop.store.transaction(async (db) => {
        const parent = await apiKeys.find(db, { id: child.id }, { locks: true })
        assert.ok(parent)
        const { parent_client_id, parent_grant_hash } = parent
        const origin = {
          ...{ parent_id: parent.id, parent_client_id, parent_grant_hash },
          ...{ rate_limit: null, rate_limit_key_id: null },
        }
        const newKey = { user_id: owner.id, name: 'Grandchild', grant: parent, origin }
        await store.insertKey(db, newKey, secret, shop.now)
        isCreated.resolve()
        await mayCommit.promise
      })
      await isCreated.promise
      const revocation = owner.request('DELETE', `/api-keys/${root.id}`)
      await waitForLockWaiter(shop.store)
      mayCommit.resolve()
      await creation
      assert.equal((await revocation).status, 204)
      assert.deepEqual([await statusOf(root.key), await statusOf(child.key)], [401, 401])
      assert.equal(await statusOf(key), 401)
    })

    test('leaves no key that its descendants create meanwhile', async () => {
      const root = await createKey()
      let newest = root
      const keys = [root]
      for (let depth = 0; depth < 4; depth += 1) {
        newest = await createKey(newest)
        keys.push(newest)
      }
      const creations = keys.flatMap((parent) =>
        Array.from({ length: 4 }, () =>
          shop.request('POST', '/api-keys', { name: 'Late' }, withKey(parent.key)),
        ),
      )
      const revocation = owner.request('DELETE', `/api-keys/${root.id}`)
      const created = (await Promise.all(creations)).flatMap(({ status, json }) =>
        status === 201 ? [json.key as string] : [],
      )
      assert.equal((await revocation).status, 204)
      for (const key of [...keys.map((one) => one.key), ...created]) {
        assert.equal(await statusOf(key), 401)
      }
    })
  })
})
