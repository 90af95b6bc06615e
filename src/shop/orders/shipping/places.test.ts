import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'

eachDatabase((kind) => {
  describe('places', () => {
    let shop: TestApp
    let admin: TestCaller
    let buyer: TestCaller
    let product_id: number
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
      buyer = await shop.signInAs('customer')
      const { json } = await admin.request('POST', '/products', { name: 'Kettle', price: 100 })
      product_id = json.id
    })
    after(() => shop.dispose())

    const chan = {
      ...{ recipient: 'Chan Tai Man', line1: '150 Kennedy Road', city: 'Wan Chai' },
    }
    const save = (address: object) =>
      buyer.request('POST', `/users/${buyer.id}/addresses`, { ...chan, ...address })
    const order = (address: object) =>
      buyer.request('POST', `/users/${buyer.id}/orders`, {
        items: [{ product_id, quantity: 1 }],
        shipping: { method: 'standard', recipient: 'Ada', address: { ...address } },
      })
    const newYork = { line1: '1 Main Street', city: 'Albany', country: 'US', postal_code: '12207' }

    for (const [country, postal_code, status] of [
      ['HK', undefined, 201],
      ['HK', null, 201],
      ['IE', undefined, 201],
      ['AE', undefined, 201],
      ['XK', undefined, 201],
      ['IE', 'D02 X285', 201],
      ['DE', undefined, 400],
      ['DE', null, 400],
      ['US', undefined, 400],
      ['JP', '100-0001', 201],
    ] as const) {
      test(`an address in ${country} with the postal code ${postal_code} is ${status}`, async () => {
        const { json, ...response } = await save({ country, postal_code })
        assert.equal(response.status, status, response.text)
        if (status === 201) assert.equal(json.postal_code, postal_code ?? null)
        else assert.deepEqual([json.error_code, json.errors[0].field], ['4001', 'postal_code'])
        await buyer.request('DELETE', `/users/${buyer.id}/addresses/${json.id}`)
      })
    }

    test('a region is stored as its code, and an unknown one is told with the nearest', async () => {
      for (const region of ['NY', 'us-ny', 'New York']) {
        const { json } = await save({ ...newYork, region })
        assert.equal(json.region, 'NY')
        const placed = await order({ ...newYork, region })
        const { json: shipping } = await buyer.request('GET', `/orders/${placed.json.id}/shipping`)
        assert.equal(shipping.address.region, 'NY')
        await buyer.request('DELETE', `/users/${buyer.id}/addresses/${json.id}`)
      }
      const unknown = { ...newYork, region: 'Nwe York' }
      for (const [answer, field] of [
        [await save(unknown), 'region'],
        [await order(unknown), 'shipping.address.region'],
      ] as const) {
        assert.deepEqual([answer.status, answer.json.errors[0].field], [422, field])
        assert.match(answer.text, /the nearest is NY \(New York\)/)
      }
      const free = await save({ country: 'DE', postal_code: '80331', region: 'Bayern' })
      assert.equal(free.json.region, 'Bayern')
    })

    test('another country takes region and postal code of the former one with it', async () => {
      const { json } = await save({ ...newYork, region: 'NY' })
      const path = `/users/${buyer.id}/addresses/${json.id}`
      const alone = await buyer.request('PATCH', path, { country: 'HK' })
      assert.deepEqual([alone.status, alone.json.region, alone.json.postal_code], [200, null, null])
      const refused = await buyer.request('PATCH', path, { country: 'DE' })
      assert.deepEqual([refused.status, refused.json.errors[0].field], [400, 'postal_code'])
      const moved = await buyer.request('PATCH', path, {
        ...{ country: 'CA', region: 'Québec', postal_code: 'H2Y 1C6' },
      })
      assert.deepEqual([moved.json.region, moved.json.postal_code], ['QC', 'H2Y 1C6'])
      const same = await buyer.request('PATCH', path, { country: 'CA', city: 'Montréal' })
      assert.deepEqual([same.json.region, same.json.postal_code], ['QC', 'H2Y 1C6'])
      await buyer.request('DELETE', path)
    })

    test('so it is for the shipping of an order', async () => {
      const { json } = await order({ ...newYork, region: 'NY' })
      const path = `/orders/${json.id}/shipping`
      const changed = await buyer.request('PATCH', path, {
        address: { line1: '2 Main Street', city: 'Berlin', country: 'DE' },
      })
      assert.deepEqual(changed.json.address, {
        ...{ line1: '2 Main Street', line2: null, city: 'Berlin', region: null },
        ...{ postal_code: null, country: 'DE' },
      })
      const back = { country: 'US', region: 'california' }
      assert.equal((await buyer.request('PATCH', path, { address: back })).status, 200)
      const region = await buyer.request('PATCH', path, { address: { region: 'Texas' } })
      assert.equal(region.json.address.region, 'TX')
      const unknown = await buyer.request('PATCH', path, { address: { region: 'Texsa' } })
      assert.deepEqual([unknown.status, unknown.json.errors[0].field], [422, 'address.region'])
    })

    test('company, VAT ID and phone stand in addresses and in the shipping of orders', async () => {
      const contact = { company: 'Engines Ltd', vat_id: 'GB123456789', phone: '+44 20 7946 0000' }
      const { json: saved } = await save({ ...newYork, ...contact })
      const items = [{ product_id, quantity: 1 }]
      const shipping = { method: 'standard', address_id: saved.id, company: 'Looms Ltd' }
      const { json } = await buyer.request('POST', `/users/${buyer.id}/orders`, { items, shipping })
      const path = `/orders/${json.id}/shipping`
      const { json: copied } = await buyer.request('GET', path)
      assert.partialDeepStrictEqual(saved, contact)
      assert.partialDeepStrictEqual(copied, { ...contact, company: 'Looms Ltd' })
      const patched = await buyer.request('PATCH', path, { phone: '+1 518 555 0100' })
      const changed = { ...contact, company: 'Looms Ltd', phone: '+1 518 555 0100' }
      assert.partialDeepStrictEqual(patched.json, changed)
      const put = await buyer.request('PUT', path, { method: 'pickup' })
      assert.partialDeepStrictEqual(put.json, { company: null, vat_id: null, phone: null })
    })

    test('a tax rate applies to its region, however either is written', async () => {
      const rate = { country: 'US', region: 'new york', rate: '10', name: 'Tax' }
      const { json: saved } = await admin.request('POST', '/tax-rates', rate)
      assert.equal(saved.region, 'NY')
      const again = await admin.request('POST', '/tax-rates', { ...rate, region: 'US-NY' })
      assert.equal(again.status, 409)
      const { status, json } = await admin.request('POST', '/tax-rates', { ...rate, region: 'NYX' })
      assert.deepEqual([status, json.errors[0].field], [422, 'region'])
      const placed = await order({ ...newYork, region: 'New York' })
      assert.equal(placed.json.tax, 9.54)
      const elsewhere = await order({ ...newYork, region: 'TX' })
      assert.equal(elsewhere.json.tax, 0)
    })
  })
})
