import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())

  /** Writes by a token, then again once the account was changed behind the back of the process. */
  async function writeAgainAfter(
    caller: TestCaller,
    [path, body]: readonly [string, object],
    change: () => Promise<unknown>,
  ) {
    const first = await caller.request('POST', path, body)
    assert.equal(first.status, 201, first.text)
    await change()
    const { status, json } = await caller.request('POST', path, body)
    return [status, json.error_code]
  }

  const addressOf = ({ id }: TestCaller) => {
    const address = {
      line1: '1 Main Street',
      city: 'London',
      postal_code: 'SW1Y 4JH',
      country: 'GB',
    }
    return [`/users/${id}/addresses`, { recipient: 'Ada Lovelace', ...address }] as const
  }

  test('a write is refused once the session of its token has ended elsewhere', async () => {
    const caller = await shop.signInAs('customer')
    const refused = await writeAgainAfter(caller, addressOf(caller), () =>
      shop.db
        .updateTable('sessions')
        .set({ ended_at: shop.now })
        .where('id', '=', caller.sessionId)
        .execute(),
    )
    assert.deepEqual(refused, [401, '4012'])
  })

  test('nothing is written for an account that was suspended elsewhere', async () => {
    const caller = await shop.signInAs('customer')
    const refused = await writeAgainAfter(caller, addressOf(caller), () =>
      shop.db
        .updateTable('users')
        .set({ status: 'suspended' })
        .where('id', '=', caller.id)
        .execute(),
    )
    assert.deepEqual(refused, [403, '4032'])
    const rows = shop.db.selectFrom('addresses').select('id').where('user_id', '=', caller.id)
    assert.equal((await rows.execute()).length, 1)
  })

  test('a role that was changed elsewhere counts for the next write', async () => {
    const admin = await shop.signInAs('admin')
    const setRole = (role: 'admin' | 'customer') => () =>
      shop.db.updateTable('users').set({ role }).where('id', '=', admin.id).execute()
    const product = ['/products', { name: 'Kettle', price: 9 }] as const
    assert.deepEqual(await writeAgainAfter(admin, product, setRole('customer')), [403, '4031'])
    await setRole('admin')()
    assert.equal((await admin.request('POST', ...product)).status, 201)
  })
})
