import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { accountTokens } from '#shop/messages/mails/table.ts'
import { guestOrderJoins } from '#shop/orders/guest-orders/table.ts'
import { allTables, followingTables } from '#src/server/tables.ts'
import { emptyBits, encodeBits } from '#store/search/id-set.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { startGuest } from '#test/support/callers/guest.ts'
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
        await db.updateTable('product_options').set({ name_key: 'old', value_key: 'old' }).execute()
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
        options: await db.selectFrom('product_options').select(['name_key', 'value_key']).execute(),
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

    test('are made anew in every column that has some', async () => {
      const { db, store } = shop
      // Made of no text, or below with what they follow from.
      const opaque = ['idempotency_key', 'mail_key', 'provider_key', 'refund_key']
      const derivedBeside = [
        'discount_uses.contact_key',
        'product_attributes.name_key',
        'product_attributes.value_key',
        'product_options.name_key',
        'product_options.value_key',
      ]
      const underived = allTables.flatMap(({ declaration: { table, columns } }) =>
        columns
          .filter(({ name }) => /_(?:key|sort)$/.test(name) && !opaque.includes(name))
          .filter(({ origin, copy }) => origin === undefined && copy === undefined)
          .map(({ name }) => `${table}.${name}`),
      )
      assert.deepEqual(underived.toSorted(), derivedBeside)
      const copies = allTables.flatMap(({ declaration: { columns } }) =>
        columns.flatMap(({ copy }) => copy ?? []),
      )
      for (const { table, column } of copies) {
        const source = followingTables.find(({ declaration }) => declaration.table === table)
        assert.ok(source?.following.includes(column), `${table}.${column}`)
      }

      const address = 'Ana@Example.COM'
      const key = 'ana@example.com'
      const account = { name: 'Ana', username: 'ana', email: address, password: 'a long password' }
      const user = await add('/users', account)
      const guest = await startGuest(shop, { email: address })
      const product = await add('/products', { name: 'Cup', price: 1 })
      const code = { code: 'CUP', kind: 'amount', value: 1 }
      await add('/discounts', code)
      const body = { items: [{ product_id: product, quantity: 1 }], discount_code: 'CUP' }
      const order = (await guest.request('POST', '/orders', body)).json.id
      const times = { created_at: shop.now, expires_at: shop.now + 1000 }
      const token = (purpose: 'email_confirmation' | 'address_change', email: string | null) => ({
        ...{ token_hash: `${purpose} ${email}`, salt: '', purpose, user_id: user, email },
        ...{ email_key: email === null ? key : 'former@example.com', ...times },
      })
      const former = token('address_change', 'Former@example.com')
      const toFormer = {
        ...former,
        token_hash: 'x',
        purpose: 'password_reset' as const,
        email: null,
      }
      for (const each of [token('email_confirmation', null), former, toFormer]) {
        await accountTokens.insert(db, each)
      }
      const join = { user_id: user, contact_key: key, confirmed_at: shop.now, due_at: shop.now }
      await guestOrderJoins.insert(db, join)
      const read = async () => ({
        users: await db
          .selectFrom('users')
          .select('email_key')
          .where('id', 'in', [user, guest.id])
          .orderBy('id')
          .execute(),
        orders: await db.selectFrom('orders').select('contact_key').orderBy('id').execute(),
        uses: await db.selectFrom('discount_uses').select('contact_key').execute(),
        tokens: await db
          .selectFrom('account_tokens')
          .select(['token_hash', 'email_key'])
          .where('user_id', '=', user)
          .orderBy('token_hash')
          .execute(),
        joins: await db.selectFrom('guest_order_joins').select('contact_key').execute(),
      })
      const made = await read()
      assert.deepEqual(made.users, [{ email_key: key }, { email_key: null }])
      await db.updateTable('users').set({ email_key: 'old' }).where('id', '=', user).execute()
      await db.updateTable('orders').set({ contact_key: 'old' }).where('id', '=', order).execute()
      await db.updateTable('discount_uses').set({ contact_key: 'old' }).execute()
      await db.updateTable('guest_order_joins').set({ contact_key: 'old' }).execute()
      const oldTokens = db.updateTable('account_tokens').where('user_id', '=', user)
      await oldTokens.set({ email_key: 'old' }).where('email_key', '=', key).execute()
      await oldTokens.set({ email_key: 'old former' }).where('email_key', '<>', 'old').execute()
      await updateDerivedTexts(store, 'of a fourth runtime')
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
