import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { orderNumber } from '#shop/order-number.ts'
import { updateDerivedTexts } from '#src/server/first-start/derived-texts.ts'
import { runJobs } from '#src/server/jobs.ts'
import { openStore } from '#store/database.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { testShipping } from '#test/support/callers/paying.ts'
import { insertOrder } from '#test/support/rows.ts'
import { dayMs } from '#values/instant.ts'
import { indexOrders } from './index-orders.ts'
import { lockProgress, replaceWords } from './words-store.ts'

eachDatabase((kind) => {
  describe('a search of orders', () => {
    let shop: TestApp
    let admin: TestCaller
    let buyer: TestCaller
    let product: number
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
      buyer = await signUp('Zoë Quinn', 'zq@maison.example')
      const body = { name: 'Kettle', price: 9, sku: 'KTL-77' }
      product = (await admin.request('POST', '/products', body)).json.id
    })
    after(() => shop.dispose())

    const signUp = (name: string, email: string) => shop.signInAs('customer', { name, email })
    const send = async (method: string, path: string, body?: object, caller = admin) => {
      const { status, json, text } = await caller.request(method, path, body)
      assert.ok(status < 300, text)
      return json
    }
    const place = async (recipient: string, caller = buyer): Promise<number> => {
      const items = [{ product_id: product, quantity: 1 }]
      const shipping = { ...testShipping, recipient }
      return (await send('POST', '/orders', { items, shipping }, caller)).id
    }
    const index = () => indexOrders(shop.store.transaction, shop.store.db)
    const find = async (q: string, more = ''): Promise<readonly number[]> => {
      const { data, pagination } = await send('GET', `/orders?q=${encodeURIComponent(q)}${more}`)
      assert.equal(pagination.total_items, data.length)
      return data.map(({ id }: { readonly id: number }) => id)
    }

    test('finds one by the beginnings of its words once it is indexed, and by its ID before', async () => {
      const id = await place('Björn Åkesson')
      assert.deepEqual([await find('bjorn'), await find(`#${id}`)], [[], [id]])
      await index()
      for (const q of ['zoe', 'quin', 'ZQ@mai', 'maison', 'bjo', 'åkes', 'ktl-7', '77 zoe bjorn']) {
        assert.deepEqual(await find(q), [id], q)
      }
      for (const q of ['inn', 'kettle', 'zoe nobody', '?!', '0', `${id} nobody`]) {
        assert.deepEqual(await find(q), [], q)
      }
    })

    test('finds one by the first digits of its ID', async () => {
      const id = await insertOrder(shop.db, buyer.id, [{ id: product, name: 'Kettle', price: 9 }])
      await shop.db.deleteFrom('order_items').where('order_id', '=', id).execute()
      await shop.db.updateTable('orders').set({ id: 471_123 }).where('id', '=', id).execute()
      for (const q of ['471123', '4711', '47']) assert.deepEqual(await find(q), [471_123], q)
      for (const q of ['7112', '4711230', '0471123']) assert.deepEqual(await find(q), [], q)
    })

    test('follows a new recipient and a tracking number, and forgets what is removed', async () => {
      const id = await place('Ines Alba')
      await index()
      await send('PATCH', `/orders/${id}/shipping`, { recipient: 'Nora Berg' })
      await send('PATCH', `/orders/${id}/shipping`, { tracking_number: 'TRACK-4242' })
      assert.deepEqual([await find('ines'), await find('nora')], [[id], []])
      await index()
      assert.deepEqual([await find('ines'), await find('nora')], [[], [id]])
      assert.deepEqual([await find('track-42'), await find('4242')], [[id], [id]])
      await send('DELETE', `/users/${buyer.id}/orders/${id}`)
      assert.deepEqual(await find('nora'), [])
      await index()
      const words = shop.db.selectFrom('order_words').selectAll().where('order_id', '=', id)
      assert.deepEqual(await words.execute(), [])
    })

    test('is filtered, sorted and paged as any list, and absent if blank', async () => {
      const ids = [await place('Pia One'), await place('Pia Two'), await place('Pia Three')]
      await send('PATCH', `/orders/${ids[1]}`, { status: 'cancelled' })
      await index()
      assert.deepEqual(await find('pia', '&sort=id&order=desc'), ids.toReversed())
      assert.deepEqual(await find('pia', '&status=cancelled,paid&sort=total'), [ids[1]])
      assert.deepEqual(await find('pia', `&user_id=${admin.id}`), [])
      const second = await send('GET', '/orders?q=pia&limit=1&page=2')
      assert.deepEqual([second.data[0].id, second.pagination.total_items], [ids[1], 3])
      const next = await send('GET', `/orders?q=pia&cursor=${second.pagination.next_cursor}`)
      assert.deepEqual([next.data[0].id, next.data.length], [ids[2], 1])
      const all = (await send('GET', '/orders')).pagination.total_items
      assert.equal((await send('GET', '/orders?q=%20')).pagination.total_items, all)
    })

    test('is for administrators', async () => {
      const { json } = await buyer.request('GET', '/orders?q=zoe')
      assert.equal(json.error_code, '4031')
      assert.equal((await buyer.request('GET', '/orders?q=')).status, 200)
    })

    test('forgets the buyer who is erased, but not number and SKU', async () => {
      const person = await signUp('Gone Person', 'gone@away.example')
      const id = await place('Secret Friend', person)
      await index()
      assert.deepEqual(await find('secret'), [id])
      await send('DELETE', `/users/${person.id}`)
      assert.deepEqual([await find('secret'), await find('gone')], [[], []])
      const words = shop.db.selectFrom('order_words').select('word').where('order_id', '=', id)
      const left = (await words.execute()).map(({ word }) => word)
      assert.deepEqual(left.toSorted(), [orderNumber({}, id), '77', 'ktl', 'ktl-77'])
    })

    test('waits with an erasure for a batch that has read the order before', async () => {
      const person = await signUp('Late Person', 'late@away.example')
      const id = await place('Late Friend', person)
      const erasing = Promise.withResolvers<void>()
      const batch = shop.store.transaction(async (db) => {
        await lockProgress(db)
        if (kind === 'postgres') await erasing.promise
        await replaceWords(db, [id])
      })
      const erasure = send('DELETE', `/users/${person.id}`)
      setTimeout(erasing.resolve, 50)
      await Promise.all([batch, erasure])
      assert.deepEqual(await find('late'), [])
    })

    test('is indexed once by several processes, older orders too, after a start with other rules', async () => {
      for (let count = 0; count < 230; count += 1)
        await insertOrder(shop.db, buyer.id, [{ id: product, name: 'Kettle', price: 9 }])
      const old = await insertOrder(shop.db, buyer.id, [{ id: product, name: 'Kettle', price: 9 }])
      await shop.db
        .updateTable('orders')
        .set({ recipient: 'Olga Old' })
        .where('id', '=', old)
        .execute()
      await shop.db.insertInto('order_words').values({ word: 'stale', order_id: old }).execute()
      await index()
      assert.deepEqual(await find('olga'), [])
      await updateDerivedTexts(shop.store, 'of another runtime')
      const created = await place('Nina New')
      const other = await openStore(shop.url)
      const total = await shop.db
        .selectFrom('orders')
        .select((eb) => eb.fn.countAll<number>().as('number'))
        .executeTakeFirstOrThrow()
      let indexed = 0
      for (let isFull = true; isFull; ) {
        const rounds = await Promise.all(
          [shop.store, other].map(({ transaction, db }) => indexOrders(transaction, db)),
        )
        indexed += rounds.reduce((sum, { orders }) => sum + orders, 0)
        isFull = rounds.some((round) => round.isFull)
      }
      await other.close()
      assert.equal(indexed, Number(total.number))
      assert.deepEqual([await find('olga'), await find('stale')], [[old], []])
      assert.deepEqual(await find('nina'), [created])
      assert.deepEqual(await index(), { orders: 0, isFull: false })
    })

    test('finds orders whose events were deleted before they were indexed', async () => {
      const id = await place('Rare Case')
      await send('PATCH', `/orders/${id}`, { status: 'cancelled' })
      shop.now += 31 * dayMs
      await runJobs(shop.parts, shop.db)
      while ((await index()).isFull);
      const { word } = await shop.db
        .selectFrom('order_words')
        .select('word')
        .where('order_id', '=', id)
        .where('word', '=', 'rare')
        .executeTakeFirstOrThrow()
      assert.equal(word, 'rare')
    })
  })
})
