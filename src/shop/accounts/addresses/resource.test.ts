import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { scopedToken } from '#test/support/callers/narrow-caller.ts'
import { insertProduct } from '#test/support/rows.ts'
import { maxAddresses } from './schema.ts'

const body = {
  recipient: 'Ada Lovelace',
  line1: '12 St James’s Square',
  city: 'London',
  postal_code: 'SW1Y 4JH',
  country: 'GB',
}

interface Address {
  readonly id: number
  readonly line1: string
  readonly is_default: boolean
}

eachDatabase((kind) => {
  describe('addresses', () => {
    let shop: TestApp
    let user: TestCaller
    let admin: TestCaller
    let path: string
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())
    const startUser = async () => {
      user = await shop.signInAs('customer')
      path = `/users/${user.id}/addresses`
    }
    const add = async (fields: object = {}): Promise<Address> => {
      const { status, json, text } = await user.request('POST', path, { ...body, ...fields })
      assert.equal(status, 201, text)
      return json
    }
    const attempt = async (...[method, url, sent]: [string, string, object?]) => {
      const { status, json } = await user.request(method, url, sent)
      return `${status} ${json?.error_code ?? ''}`.trim()
    }
    const defaults = async () => {
      const { json } = await user.request('GET', path)
      return json.data.map(({ is_default }: Address) => is_default)
    }

    test('hold what a parcel needs, in both versions and in XML', async () => {
      await startUser()
      const phone = '+44 20 7946 0000'
      const { id } = await add({ phone })
      const { json } = await user.request('GET', `/v2${path}/${id}`)
      assert.deepEqual(
        [json.recipient, json.line2, json.region, json.phone, json.is_default, json.user_id],
        ['Ada Lovelace', null, null, phone, true, user.id],
      )
      const xml = await user.request('GET', `${path}/${id}`, undefined, {
        accept: 'application/xml',
      })
      assert.match(xml.text, /<address>.*<city>London<\/city>.*<is_default>true<\/is_default>/s)
      for (const field of ['recipient', 'line1', 'city', 'postal_code', 'country']) {
        assert.equal(await attempt('POST', path, { ...body, [field]: undefined }), '400 4001')
      }
      for (const wrong of [{ country: 'XX' }, { country: 'gb' }, { street: 'A' }]) {
        assert.equal(await attempt('POST', path, { ...body, ...wrong }), '422 4221')
      }
    })

    test('are changed and removed one by one', async () => {
      await startUser()
      const { id } = await add({ line2: 'Second floor' })
      const url = `${path}/${id}`
      const { json: patched } = await user.request('PATCH', url, { city: 'Leeds' })
      assert.deepEqual([patched.city, patched.line2], ['Leeds', 'Second floor'])
      const { json: replaced } = await user.request('PUT', url, body)
      assert.deepEqual([replaced.city, replaced.line2, replaced.is_default], ['London', null, true])
      assert.equal(await attempt('DELETE', url), '204')
      assert.equal(await attempt('GET', url), '404 4041')
      assert.equal(await attempt('DELETE', url), '404 4041')
    })

    test('have one default: the first, the chosen one, or the oldest that is left', async () => {
      await startUser()
      const first = await add({ is_default: false })
      const second = await add()
      assert.deepEqual(await defaults(), [true, false])
      const third = await add({ is_default: true })
      assert.deepEqual(await defaults(), [false, false, true])
      const url = (address: Address) => `${path}/${address.id}`
      assert.equal(await attempt('PATCH', url(third), { is_default: false }), '422 4221')
      const { json } = await user.request('GET', url(second))
      const { href, method, body: sent } = json._links.make_default
      const { headers } = await user.request('GET', url(third))
      assert.equal(await attempt(method, href, sent), '200')
      assert.deepEqual(await defaults(), [false, true, false])
      const changed = await user.request('GET', url(third))
      assert.notEqual(changed.headers['etag'], headers['etag'])
      assert.equal(await attempt('DELETE', url(second)), '204')
      assert.deepEqual(await defaults(), [true, false])
      assert.equal(await attempt('DELETE', url(first)), '204')
      assert.deepEqual(await defaults(), [true])
    })

    test('are at most fifty, with one default, whatever is sent at once', async () => {
      await startUser()
      const sent = Array.from({ length: maxAddresses + 5 }, (_, at) =>
        attempt('POST', path, { ...body, is_default: at % 2 === 0 }),
      )
      const results = await Promise.all(sent)
      assert.equal(results.filter((result) => result === '201').length, maxAddresses)
      assert.equal(results.filter((result) => result === '409 4091').length, 5)
      const { json } = await user.request('GET', `${path}?limit=100`)
      const ids = json.data.map(({ id }: Address) => id)
      const changes = ids.slice(0, 10).map((id: number) => {
        return attempt('PATCH', `${path}/${id}`, { is_default: true })
      })
      const removals = ids.slice(10, 20).map((id: number) => attempt('DELETE', `${path}/${id}`))
      await Promise.all([...changes, ...removals])
      const { json: left } = await user.request('GET', `${path}?limit=100`)
      assert.equal(left.data.length, maxAddresses - 10)
      assert.equal(left.data.filter(({ is_default }: Address) => is_default).length, 1)
    })

    test('stand for the address of an order, which keeps a copy', async () => {
      await startUser()
      const { id: product_id } = await insertProduct(shop.db)
      const items = [{ product_id, quantity: 1 }]
      const { id: address_id } = await add({ line2: 'Second floor' })
      const placed = await user.request('POST', '/orders', { items, shipping: { address_id } })
      assert.equal(placed.status, 201, placed.text)
      await user.request('PATCH', `${path}/${address_id}`, { city: 'Leeds' })
      const shippingPath = `/orders/${placed.json.id}/shipping`
      const { json: copied } = await user.request('GET', shippingPath)
      assert.deepEqual(
        [copied.recipient, copied.address.city, copied.address.line2],
        ['Ada Lovelace', 'London', 'Second floor'],
      )
      const { id: other } = await add({ line1: 'Elsewhere', country: 'FR' })
      const patched = await user.request('PATCH', shippingPath, {
        address_id: other,
        recipient: 'Bob',
      })
      assert.deepEqual(
        [patched.json.recipient, patched.json.address],
        [
          'Bob',
          {
            ...{ line1: 'Elsewhere', line2: null, city: 'London', region: null },
            ...{ postal_code: 'SW1Y 4JH', country: 'FR' },
          },
        ],
      )
      const put = await user.request('PUT', shippingPath, { method: 'express', address_id })
      assert.deepEqual([put.json.address.city, put.json.method], ['Leeds', 'express'])
      const replaced = await user.request('PUT', `/users/${user.id}/orders/${placed.json.id}`, {
        shipping: { method: 'standard', address_id: other },
      })
      assert.equal(replaced.status, 200, replaced.text)
      const byAdmin = await admin.request('PATCH', shippingPath, { address_id })
      assert.equal(byAdmin.json.address.city, 'Leeds')
    })

    test('stand for no address but of the buyer, alone, and for who may read it', async () => {
      await startUser()
      const { id: foreign } = await add()
      await startUser()
      const { id: own } = await add()
      const { id: product_id } = await insertProduct(shop.db)
      const items = [{ product_id, quantity: 1 }]
      const order = (shipping: object) => attempt('POST', '/orders', { items, shipping })
      assert.equal(await order({ address_id: foreign }), '422 4221')
      assert.equal(await order({ address_id: 999_999 }), '422 4221')
      assert.equal(await order({ address_id: own, address: { city: 'London' } }), '422 4221')
      assert.equal(await order({ address_id: own, address: null }), '422 4221')
      const byAdmin = await admin.request('POST', `/users/${user.id}/orders`, {
        items,
        shipping: { address_id: foreign },
      })
      assert.equal(byAdmin.status, 422)
      assert.equal(byAdmin.json.errors[0].field, 'shipping.address_id')
      const token = await scopedToken(shop, user, ['orders:write'])
      const narrow = await shop.request(
        'POST',
        '/orders',
        { items, shipping: { address_id: own } },
        { authorization: `Bearer ${token}` },
      )
      assert.equal(narrow.json.error_code, '4033')
    })

    test('are exported with their user, and erased', async () => {
      await startUser()
      await add()
      const url = `/users/${user.id}?include=data`
      const { json } = await user.request('GET', url)
      assert.equal(json.data.addresses[0].city, 'London')
      assert.equal(await attempt('DELETE', `/users/${user.id}`), '204')
      const left = await shop.db
        .selectFrom('addresses')
        .select('id')
        .where('user_id', '=', user.id)
        .execute()
      assert.deepEqual(left, [])
    })
  })
})
