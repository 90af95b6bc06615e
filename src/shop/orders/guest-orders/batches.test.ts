import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { runJobs } from '#src/server/jobs.ts'
import { confirmAddress, eachDatabase } from '#test/support/app.ts'
import { startGuest } from '#test/support/callers/guest.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { uniqueNumber } from '#test/support/rows.ts'
import { joinGuestOrders } from './join.ts'

eachDatabase((kind) => {
  let shop: PayingApp
  let productId: number
  before(async () => {
    shop = await startPayingApp(kind)
    productId = (await shop.addProduct()).id
  })
  after(() => shop.dispose())

  const startJoin = async (email: string) => {
    const guest = await startGuest(shop, { email })
    const items = [{ product_id: productId, quantity: 1 }]
    const { id } = (await guest.request('POST', '/orders', { items, shipping: testShipping })).json
    const card = { method: 'card', token: 'tok_visa' }
    const paid = await guest.request('POST', `/users/${guest.id}/orders/${id}/payment`, card)
    assert.equal(paid.status, 201, paid.text)
    const account = await shop.signInAs('customer', { email })
    await confirmAddress(shop.db, account.id)
    const confirm = () =>
      shop.store.transaction((db) =>
        joinGuestOrders(db, { id: account.id, email_key: email }, shop.now),
      )
    const countOf = async (userId: number) =>
      (await shop.db.selectFrom('orders').select('id').where('user_id', '=', userId).execute())
        .length
    return { guest, orderId: id, account, confirm, countOf }
  }
  const runRound = async () => (await runJobs(shop.parts, shop.db)).joins

  test('many orders join in batches, until all have, and once', async () => {
    const { guest, orderId, account, confirm, countOf } = await startJoin('many@example.com')
    const [row = {}] = await shop.db.selectFrom('orders').selectAll().limit(1).execute()
    const names = Object.keys(row).filter((name) => !['id', 'number', 'number_key'].includes(name))
    const columns = sql.join(names.map((name) => sql.ref(name)))
    for (let copy = 0; copy < 229; copy += 1) {
      const { number, number_key } = uniqueNumber()
      await sql`insert into orders (number, number_key, ${columns})
        select ${number}, ${number_key}, ${columns} from orders
        where id = ${orderId}`.execute(shop.db)
    }
    await confirm()
    assert.deepEqual([await countOf(account.id), await countOf(guest.id)], [100, 130])
    assert.equal(await runRound(), 1)
    assert.equal(await countOf(account.id), 200)
    assert.equal(await runRound(), 1)
    assert.deepEqual([await countOf(account.id), await countOf(guest.id)], [230, 0])
    assert.equal(await runRound(), 0)
    await confirm()
    assert.equal(await runRound(), 0)
    const revisions = shop.db.selectFrom('orders').select('revision').distinct()
    assert.equal((await revisions.where('user_id', '=', account.id).execute()).length, 1)
  })

  test('an account whose address is another by then takes over no more', async () => {
    const email = 'moved@example.com'
    const { guest, account, countOf } = await startJoin(email)
    const times = { confirmed_at: shop.now, due_at: shop.now }
    const join = { user_id: account.id, contact_key: email, ...times }
    await shop.db.insertInto('guest_order_joins').values(join).execute()
    const changed = { email: 'elsewhere@example.com' }
    assert.equal((await account.request('PATCH', `/users/${account.id}`, changed)).status, 200)
    assert.equal(await runRound(), 1)
    assert.deepEqual([await countOf(account.id), await countOf(guest.id)], [0, 1])
    assert.equal(await runRound(), 0)
  })
})
