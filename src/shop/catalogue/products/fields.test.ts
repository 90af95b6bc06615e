import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gtinOf } from '#test/contract/setup/valid-requests.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { scopedCaller } from '#test/support/callers/narrow-caller.ts'
import { runWaitingImports } from '#test/support/imports.ts'
import { unitPriceOf } from './unit-price.ts'

const kettle = { name: 'Kettle', price: 19.99 }
const namesOf = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name)

test('a price by measure is of one kilogram, litre, metre, square metre or piece', () => {
  const prices = [
    [199, '0.75', 'l', 265, '1 l'],
    [199, '750', 'ml', 265, '1 l'],
    [1000, '250', 'g', 4000, '1 kg'],
    [1000, '3', 'kg', 333, '1 kg'],
    [5, '2', 'piece', 3, '1 piece'],
    [100, '2.5', 'm2', 40, '1 m2'],
    [0, '0.001', 'm', 0, '1 m'],
  ] as const
  for (const [price, quantity, unit, amount, per] of prices) {
    assert.deepEqual(unitPriceOf(price, { quantity, unit }), { amount, per })
  }
  // No JSON number holds it.
  assert.equal(unitPriceOf(10 ** 14, { quantity: '0.001', unit: 'g' }), null)
})

eachDatabase((kind) => {
  describe('the fields of a product', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())

    const add = async (body: object) => {
      const { status, json, text } = await admin.request('POST', '/products', {
        ...kettle,
        ...body,
      })
      assert.equal(status, 201, text)
      return json
    }
    const refuse = async (method: string, path: string, body: object) => {
      const { status, json } = await admin.request(method, path, body)
      return [status, json.error_code, (json.errors ?? []).map(({ field }: never) => field)]
    }
    const listed = async (query: string) =>
      namesOf((await shop.request('GET', `/products?${query}`)).json.data)

    test('are stored, shown in both versions and in XML, and reset by null', async () => {
      const given = {
        ...{ brand: 'Larkpost', gtin: gtinOf(1), external_id: 'ERP-1', weight_grams: 850 },
        ...{ tags: ['summer', 'sale'], seo_title: 'A kettle', seo_description: 'It whistles.' },
        ...{ compare_at_price: 25, unit_measure: { quantity: '2', unit: 'l' } },
      }
      const { id } = await add(given)
      const path = `/products/${id}`
      const first = await shop.request('GET', path)
      const computed = { on_sale: true, unit_price: { amount: 10, per: '1 l' } }
      assert.partialDeepStrictEqual(first.json, { ...given, ...computed })
      const second = (await shop.request('GET', `/v2${path}`)).json
      const usd = (amount: string) => ({ amount, currency: 'USD' })
      assert.deepEqual(
        [second.compare_at_price, second.unit_price, second.unit_measure],
        [usd('25.00'), { amount: usd('10.00'), per: '1 l' }, given.unit_measure],
      )
      const xml = await shop.request('GET', path, undefined, { accept: 'application/xml' })
      assert.match(xml.text, /<tags><tag>summer<\/tag><tag>sale<\/tag><\/tags>/)
      assert.match(xml.text, /<unit_measure><quantity>2<\/quantity><unit>l<\/unit><\/unit_measure>/)
      const nulls = Object.fromEntries(Object.keys(given).map((name) => [name, null]))
      const reset = await admin.request('PATCH', path, nulls)
      const absent = { ...nulls, tags: [], on_sale: false, unit_price: null }
      assert.partialDeepStrictEqual(reset.json, absent)
      const replaced = await admin.request('PUT', path, { ...kettle, ...given })
      assert.partialDeepStrictEqual(replaced.json, { ...given, ...computed })
      assert.partialDeepStrictEqual((await admin.request('PUT', path, kettle)).json, absent)
    })

    test('have a description as HTML, of which text and safe elements are kept', async () => {
      const html = '<h2>Care</h2><p onclick="x()">By <b>hand</b>.<br>Dry.</p><script>y</script>'
      const shown = '<h2>Care</h2><p>By <b>hand</b>.<br />Dry.</p>'
      const text = 'Care\n\nBy hand.\nDry.'
      const made = await add({ description_html: html })
      assert.deepEqual([made.description, made.description_html], [text, shown])
      const path = `/products/${made.id}`
      const change = async (method: string, body: object) => {
        const { status, json } = await admin.request(method, path, body)
        return status === 200
          ? [json.description, json.description_html]
          : [status, json.error_code]
      }
      const xml = await shop.request('GET', path, undefined, { accept: 'application/xml' })
      assert.match(xml.text, /<description_html>&lt;h2&gt;Care&lt;/)
      assert.deepEqual(await listed('q=hand'), ['Kettle'])
      assert.deepEqual(await listed('q=h2'), [], 'a search reads the text only')
      // What is sent as it was read does not count.
      const whole = { ...kettle, description: text, description_html: shown }
      assert.deepEqual(await change('PUT', whole), [text, shown])
      assert.deepEqual(await change('PUT', { ...kettle, description: text }), [text, shown])
      assert.deepEqual(await change('PATCH', { price: 5 }), [text, shown])
      const other = '<p>Iron &amp; <em>brass</em></p>'
      assert.deepEqual(await change('PUT', { ...whole, description_html: other }), [
        'Iron & brass',
        other,
      ])
      const both = { description: ' Iron &\nbrass', description_html: `${other}<p></p>` }
      assert.deepEqual(await change('PATCH', both), [both.description, both.description_html])
      assert.deepEqual(await change('PATCH', { description: 'a\n\nb\nc <i>' }), [
        'a\n\nb\nc <i>',
        '<p>a</p><p>b<br />c &lt;i&gt;</p>',
      ])
      assert.deepEqual(await change('PATCH', { ...both, description: 'x' }), [422, '4221'])
      assert.deepEqual(await change('PATCH', { description_html: null }), ['', ''])
      assert.deepEqual(await change('PATCH', { description_html: '<p>a</p>' }), ['a', '<p>a</p>'])
      assert.deepEqual(await change('PUT', kettle), ['', ''])
      for (const [key, long] of [
        ['must have at most 3000 tags', '<b>'.repeat(3001)],
        ['must have a text of at most 10000 characters', `<p>${'a'.repeat(10_001)}</p>`],
        ['must have at most 60000 characters', ' '.repeat(60_000).concat('a')],
        ['must have at most 60000 characters', '<a href=x>'.repeat(3000)],
      ] as const) {
        const { status, json } = await admin.request('PATCH', path, { description_html: long })
        assert.deepEqual([status, json.errors[0].message], [422, key])
      }
    })

    test('are unique where they name one product, and free again when it is removed', async () => {
      const one = await add({ gtin: '036000291452', external_id: 'A b' })
      const equal = { gtin: '0036000291452' }
      assert.deepEqual(await refuse('POST', '/products', { ...kettle, ...equal }), [
        409,
        '4092',
        [],
      ])
      const { id } = await add({ external_id: 'a b' })
      assert.deepEqual(await refuse('PATCH', `/products/${id}`, equal), [409, '4092', []])
      const { json } = await admin.request('PATCH', `/products/${id}`, { external_id: 'A b' })
      assert.equal(json.details, 'Another product has this external_id.')
      await admin.request('DELETE', `/products/${one.id}`)
      const freed = await admin.request('PATCH', `/products/${id}`, {
        ...equal,
        external_id: 'A b',
      })
      assert.equal(freed.status, 200)
    })

    test('are refused where they are not valid', async () => {
      const invalid = [
        ['gtin', '036000291453'],
        ['gtin', '123'],
        ['gtin', '00000000000'],
        ['tags', Array.from({ length: 51 }, (_, at) => `tag ${at}`)],
        ['weight_grams', -1],
        ['weight_grams', 1.5],
        ['compare_at_price', 1.999],
        ['unit_measure.quantity', { quantity: '0', unit: 'l' }],
        ['unit_measure.unit', { quantity: '1', unit: 'pint' }],
        ['external_id', 'x'.repeat(201)],
      ] as const
      for (const [field, value] of invalid) {
        const [name = ''] = field.split('.')
        const refused = await refuse('POST', '/products', { ...kettle, [name]: value })
        assert.deepEqual(refused, [422, '4221', [field]], field)
      }
      for (const gtin of ['96385074', '012345678905', '4006381333931', '10012345000017']) {
        await admin.request('DELETE', `/products/${(await add({ gtin })).id}`)
      }
    })

    test('show what a product costs to administrators with products:write only', async () => {
      const { id } = await add({ name: 'Costly', brand: 'Costly', cost_price: 7.77 })
      const path = `/products/${id}`
      const narrow = await scopedCaller(shop, admin, ['orders:read'])
      const wide = await scopedCaller(shop, admin, ['products:write'])
      const customer = await shop.signInAs('customer')
      const reads = ['', '/v2'].flatMap((version) =>
        [path, '/products?brand=costly', `${path}?include=related`].map((url) => version + url),
      )
      for (const url of reads) {
        // First the administrator, so that a cache would have that response.
        const seen = await admin.request('GET', url)
        assert.match(seen.text, /7\.77/)
        assert.match((await wide('GET', url)).text, /7\.77/)
        for (const { text, headers } of [
          await shop.request('GET', url),
          await customer.request('GET', url),
          await narrow('GET', url),
        ]) {
          assert.doesNotMatch(text, /7\.77|cost_price/)
          assert.notEqual(headers['etag'], seen.headers['etag'])
        }
      }
      // An empty column would clear the costs when the file is imported.
      const csv = { accept: 'text/csv' }
      const file = await shop.request('GET', '/products?brand=costly', undefined, csv)
      assert.match(file.text, /Costly/)
      assert.doesNotMatch(file.text, /cost_price/)
      const whole = await admin.request('GET', '/products?brand=costly', undefined, csv)
      assert.match(whole.text, /cost_price.*7\.77/s)
      await admin.request('PATCH', path, { price: 3 })
      const events = await admin.request('GET', `/events?limit=1000`)
      assert.match(events.text, /Costly/)
      assert.doesNotMatch(events.text, /7\.77|cost_price/)
    })

    test('keep each tag once, as it was first written', async () => {
      const { tags } = await add({ tags: ['Sale', ' sale ', 'SALE', 'summer'] })
      assert.deepEqual(tags, ['Sale', 'summer'])
    })

    test('change one member of the measure alone (RFC 7396)', async () => {
      const path = `/products/${(await add({})).id}`
      const patch = (unit_measure: object) => admin.request('PATCH', path, { unit_measure })
      const incomplete = await patch({ quantity: '2' })
      assert.deepEqual(
        [incomplete.status, incomplete.json.error_code, incomplete.json.errors[0].field],
        [400, '4001', 'unit_measure.unit'],
      )
      await patch({ quantity: '2', unit: 'kg' })
      const { json } = await patch({ quantity: '4' })
      assert.deepEqual(json.unit_measure, { quantity: '4', unit: 'kg' })
      assert.deepEqual(json.unit_price, { amount: 5, per: '1 kg' })
    })

    test('find products by brand, tag, external_id and words', async () => {
      const parent = await add({ name: 'Shirt', brand: 'Ravenna Mills', tags: ['Night blue'] })
      await add({ name: 'Sock', brand: 'ravenna  mills', tags: ['warm', 'night blue'] })
      await add({ name: 'Glove', brand: 'Other, Inc', tags: ['warm'], gtin: gtinOf(77) })
      const size = { variant_of: parent.id, options: { size: 'M' } }
      await add({ ...size, name: 'Shirt M', tags: ['woven'], external_id: 'V-1' })
      const queries = [
        ['brand=RAVENNA%20mills', ['Shirt', 'Sock']],
        ['tag=night%20blue', ['Shirt', 'Sock']],
        ['tag=warm&tag=woven', ['Shirt', 'Sock', 'Glove']],
        ['tag=warm&brand=ravenna%20mills', ['Sock']],
        ['tag=woven&option.size=m', ['Shirt']],
        ['tag=none', []],
        ['external_id=V-1', ['Shirt M']],
        ['external_id=v-1', []],
        ['q=ravenna', ['Shirt', 'Sock']],
        ['q=woven', ['Shirt']],
        [`q=${gtinOf(77)}`, ['Glove']],
        ['tag=warm&sort=name&order=asc', ['Glove', 'Sock']],
        ['tag=warm&price_min=19&price_max=20', ['Sock', 'Glove']],
      ] as const
      for (const [query, names] of queries) assert.deepEqual(await listed(query), names, query)
      const { json } = await shop.request('GET', '/products?tag=warm&facets=availability')
      assert.deepEqual(json.facets.availability, [{ value: 'in_stock', count: 2 }])
      const path = `/products/${parent.id}`
      await admin.request('PATCH', path, { brand: null, tags: [] })
      assert.deepEqual(await listed('brand=ravenna%20mills'), ['Sock'])
      assert.deepEqual(await listed('tag=woven'), ['Shirt'])
    })

    test('are refused by a dry run where another product has them', async () => {
      await add({ gtin: gtinOf(88), external_id: 'dry' })
      const rows = [
        { ...kettle, sku: 'dry-1', gtin: gtinOf(88) },
        { ...kettle, sku: 'dry-2', external_id: 'dry' },
        { ...kettle, sku: 'dry-3', external_id: 'dry 3', gtin: gtinOf(89) },
      ]
      for (const dryRun of ['&dry_run=true', '']) {
        const started = await shop.app.inject({
          method: 'POST',
          url: `/imports?resource=products${dryRun}`,
          headers: {
            authorization: `Bearer ${admin.token}`,
            'content-type': 'application/x-ndjson',
          },
          payload: rows.map((row) => JSON.stringify(row)).join('\n'),
        })
        await runWaitingImports(shop)
        const path = `/operations/${started.json().id}`
        const { json } = await admin.request('GET', path)
        assert.partialDeepStrictEqual(json.result, { created: 1, updated: 1, unchanged: 0 })
        const errors = (await admin.request('GET', `${path}/errors`)).json.data
        assert.deepEqual(
          errors.map(({ line, error_code }: never) => [line, error_code]),
          [[1, '4092']],
        )
      }
    })
  })
})
