import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'

eachDatabase((kind) => {
  describe('a client that waits for an import', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind, { composition: { requestTimeoutMs: 500 } })
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())

    test('is told how far it has come after that time, however little time a request has else', async () => {
      // Nothing runs the import.
      const started = await shop.app.inject({
        method: 'POST',
        url: '/imports?resource=prices',
        headers: {
          authorization: `Bearer ${admin.token}`,
          'content-type': 'text/csv',
          prefer: 'wait=1',
        },
        payload: 'sku,price\nKETTLE-1,11\n',
      })
      assert.deepEqual([started.statusCode, started.json().status], [202, 'queued'])
      assert.equal(started.headers['preference-applied'], 'wait=1')
    })
  })
})
