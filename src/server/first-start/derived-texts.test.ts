import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { emptyBits, encodeBits } from '#store/search/id-set.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { sortKey } from '#values/sort-key.ts'
import { updateDerivedTexts } from './derived-texts.ts'

eachDatabase((kind) => {
  describe('keys and words of texts', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())

    const add = async (path: string, body: object) => {
      const { status, json, text } = await admin.request('POST', path, body)
      assert.equal(status, 201, text)
      return json.id as number
    }
    const find = async (q: string) =>
      (await admin.request('GET', `/products?q=${encodeURIComponent(q)}`)).json.data.length

    test('are made anew once when another version made them', async () => {
      const { db, store } = shop
      const user = await add('/users', {
        name: 'Ada',
        username: 'ÅDA',
        password: 'a long password',
      })
      const kettle = await add('/products', { name: 'Kettle', price: 1 })
      const shirt = await add('/products', { name: 'Shirt', price: 1 })
      await add('/products', {
        name: 'M',
        price: 1,
        variant_of: shirt,
        options: { size: 'MÉDIUM' },
      })
      await add('/tax-rates', { country: 'DE', region: 'BÄYERN', rate: '7', name: 'x' })
      const outdate = async () => {
        const names = { username_key: 'old', name_sort: sortKey('old') }
        await db.updateTable('users').set(names).where('id', '=', user).execute()
        const words = { search_text: ' old' }
        await db.updateTable('products').set(words).where('id', 'in', [kettle, shirt]).execute()
        const options = { options_key: 'old' }
        await db.updateTable('products').set(options).where('variant_of', '=', shirt).execute()
        await db.updateTable('product_options').set({ value_key: 'old' }).execute()
        const places = { region_key: 'old', category_key: 'old', name_sort: sortKey('old') }
        await db.updateTable('tax_rates').set(places).execute()
      }
      // As other rules made it: all products have the word.
      const ids = encodeBits(emptyBits().fill(0xffffffff))
      await db.insertInto('product_words').values({ word: '0gold', block: 0, ids }).execute()
      assert.equal(await find('gold'), 2)
      const read = async () => ({
        user: await db
          .selectFrom('users')
          .select(['username_key', 'name_sort'])
          .where('id', '=', user)
          .execute(),
        products: await db
          .selectFrom('products')
          .select(['name', 'search_text', 'options_key'])
          .orderBy('id')
          .execute(),
        options: await db.selectFrom('product_options').select('value_key').execute(),
        rates: await db
          .selectFrom('tax_rates')
          .select(['region_key', 'category_key', 'name_sort'])
          .execute(),
      })
      const made = await read()
      assert.equal(made.user[0]?.username_key, 'åda')
      await outdate()
      await updateDerivedTexts(store, 'of another runtime')
      assert.deepEqual(await read(), made)
      const queries = ['kettle', 'shirt', 'medium', 'old', 'gold']
      assert.deepEqual(await Promise.all(queries.map(find)), [1, 1, 1, 0, 0])
      await outdate()
      const outdated = await read()
      await updateDerivedTexts(store, 'of another runtime')
      assert.deepEqual(await read(), outdated)
      await updateDerivedTexts(store)
      assert.deepEqual(await read(), made)
    })

    test('stay as they are where two texts would become one', async () => {
      const { db, store } = shop
      const password = 'a long password'
      const [first, second, third] = await Promise.all(
        ['one', 'two', 'three'].map((username) => add('/users', { name: 'x', username, password })),
      )
      const set = (id: number | undefined, columns: object) =>
        db.updateTable('users').set(columns).where('id', '=', Number(id)).execute()
      // A username that was another text by former rules.
      await set(second, { username: 'One' })
      await set(third, { username_key: 'old' })
      await updateDerivedTexts(store, 'of a third runtime')
      const rows = await db
        .selectFrom('users')
        .select('username_key')
        .where('id', 'in', [first, second, third].map(Number))
        .execute()
      assert.deepEqual(rows.map((row) => row.username_key).toSorted(), ['one', 'three', 'two'])
    })
  })
})
