import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

eachDatabase((kind) => {
  describe('variants', () => {
    let shop: TestApp
    let admin: TestCaller
    let buyer: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
      buyer = await shop.signInAs('customer')
    })
    after(async () => {
      await reconcile(shop.db)
      await shop.dispose()
    })

    const create = async (product: object) => {
      const { status, json, text } = await admin.request('POST', '/products', product)
      assert.equal(status, 201, text)
      return json
    }
    const addParent = (name = 'T-shirt') => create({ name, price: 20 })
    const variantOf = (id: number, options: object, fields: object = {}) => ({
      name: 'T-shirt variant',
      price: 20,
      variant_of: id,
      options,
      ...fields,
    })
    const addVariant = (id: number, options: object, fields: object = {}) =>
      create(variantOf(id, options, fields))
    const read = async (id: number) => (await shop.request('GET', `/products/${id}`)).json
    const patch = (id: number, change: object) => admin.request('PATCH', `/products/${id}`, change)
    const order = (id: number, quantity: number) =>
      buyer.request('POST', '/orders', { items: [{ product_id: id, quantity }] })
    const idsOf = async (query: string) => {
      const { status, json, text } = await shop.request('GET', `/products?${query}`)
      assert.equal(status, 200, text)
      assert.equal(json.pagination.total_items, json.data.length)
      return json.data.map(({ id }: { id: number }) => id)
    }

    test('make their parent show option names, lowest price and summed availability', async () => {
      const { id } = await addParent()
      assert.equal('option_names' in (await read(id)), false)
      await addVariant(id, { size: 'S' }, { price: 18, availability: 'discontinued' })
      assert.equal((await read(id)).price_from, null)
      assert.equal((await read(id)).availability, 'out_of_stock')
      await addVariant(id, { size: 'M' }, { price: 21, availability: 'preorder' })
      assert.equal((await read(id)).availability, 'preorder')
      const large = await addVariant(id, { size: 'L' }, { price: 19, stock: 2 })
      const parent = await read(id)
      assert.deepEqual(parent.option_names, ['size'])
      assert.equal(parent.price_from, 19)
      assert.deepEqual([parent.availability, parent.stock], ['in_stock', null])
      assert.deepEqual([large.variant_of, large.options], [id, { size: 'L' }])
      assert.equal(large._links.parent.href, `/products/${id}`)
      assert.equal(large._links.reviews.href, `/products/${id}/reviews`)
      assert.equal(parent._links.variants.href, `/products/${id}/variants`)
      const inVersion2 = (await shop.request('GET', `/v2/products/${id}`)).json
      assert.deepEqual(inVersion2.price_from, { amount: '19.00', currency: 'USD' })
      const list = (await shop.request('GET', `/products/${id}/variants?sort=price`)).json
      assert.deepEqual(
        list.data.map(({ price }: { price: number }) => price),
        [18, 19, 21],
      )
      assert.equal(
        (await shop.request('GET', `/products/${large.id}/variants`)).json.data.length,
        0,
      )
    })

    test('are made below their parent, with its name and price unless they have their own', async () => {
      const { id } = await addParent('Cap')
      const add = (product: number, body: object, version = '') =>
        admin.request('POST', `${version}/products/${product}/variants`, body)
      const { status, json, headers } = await add(id, { options: { Size: 'S' } })
      assert.deepEqual([status, headers['location']], [201, `/products/${json.id}`])
      assert.deepEqual(
        [json.name, json.price, json.variant_of, json.options],
        ['Cap', 20, id, { Size: 'S' }],
      )
      const own = {
        name: 'Cap L',
        price: { amount: '25.00', currency: 'USD' },
        options: { size: 'L' },
        availability: { status: 'preorder', stock: null },
        variant_of: 999_999,
      }
      const { json: large, text } = await add(id, own, '/v2')
      assert.deepEqual(
        [large.name, large.price?.amount, large.options, large.variant_of],
        ['Cap L', '25.00', { Size: 'L' }, id],
        text,
      )
      const refused = [
        [id, { options: { size: 's' } }, 409],
        [id, { options: { colour: 'red' } }, 422],
        [id, {}, 400],
        [json.id, { options: { size: 'M' } }, 409],
        [999_999, { options: { size: 'M' } }, 404],
      ] as const
      for (const [product, body, expected] of refused) {
        assert.equal((await add(product, body)).status, expected, JSON.stringify(body))
      }
    })

    test('are bought instead of their parent', async () => {
      const stocked = await create({ name: 'Mug', price: 9, stock: 5 })
      const { id: mug } = await addVariant(stocked.id, { colour: 'red' }, { stock: 3 })
      const parent = (await admin.request('GET', `/products/${stocked.id}`)).json
      assert.equal('add_to_cart' in parent._links, false)
      const added = await buyer.request('POST', '/cart', { product_id: stocked.id, quantity: 1 })
      assert.deepEqual([added.status, added.json.error_code], [409, '4091'])
      const placed = await order(stocked.id, 1)
      assert.deepEqual([placed.status, placed.json.error_code], [409, '4091'])
      assert.equal((await order(mug, 1)).status, 201)
    })

    test('have the tax and discounts of their parent', async () => {
      const parent = await create({ name: 'Poster', price: 10, category: 'prints' })
      const { id } = await addVariant(parent.id, { size: 'A2' }, { price: 10 })
      for (const [path, body] of [
        ['/tax-rates', { country: 'DE', category: 'prints', rate: '7', name: 'VAT' }],
        ['/discounts', { code: 'POSTER', kind: 'percent', value: '10', products: [parent.id] }],
        ['/discounts', { code: 'PRINTS', kind: 'percent', value: '20', categories: ['prints'] }],
      ] as const) {
        const { status, text } = await admin.request('POST', path, body)
        assert.equal(status, 201, text)
      }
      const cart = `/users/${buyer.id}/cart`
      await buyer.request('POST', `${cart}/items`, { product_id: id, quantity: 1 })
      for (const [code, amount] of [
        ['POSTER', 1],
        ['PRINTS', 2],
      ]) {
        const { status, json, text } = await buyer.request('PUT', `${cart}/discount`, { code })
        assert.equal(status, 200, text)
        assert.equal(json.discount_total, amount)
        const address = { line1: 'Weg 1', city: 'Bonn', postal_code: '53111', country: 'DE' }
        const placed = await buyer.request('POST', '/orders', {
          items: [{ product_id: id, quantity: 1 }],
          discount_code: code,
          shipping: {
            method: 'standard',
            recipient: 'Ada',
            address: { ...address, country: 'CH' },
          },
        })
        assert.equal(placed.json.discount_total, amount, placed.text)
        const shipping = `/orders/${placed.json.id}/shipping`
        assert.equal((await buyer.request('PATCH', shipping, { address })).status, 200)
        const { json: order } = await buyer.request(
          'GET',
          `/orders/${placed.json.id}?include=items`,
        )
        assert.deepEqual([order.items[0].tax_rate, order.discount_total], ['7', amount])
      }
      const etag = (await buyer.request('GET', cart)).headers['etag'] ?? ''
      await patch(parent.id, { category: 'frames' })
      const changed = await buyer.request('GET', cart, undefined, { 'if-none-match': etag })
      assert.deepEqual([changed.status, changed.json.discount_total], [200, 0])
      await buyer.request('DELETE', cart)
    })

    test('show their options in carts and orders, as they were when ordered', async () => {
      const { id } = await addParent()
      const variant = await addVariant(id, { size: 'S', color: 'red' })
      const ordered = { size: 'S', color: 'red' }
      const item = { product_id: variant.id, quantity: 1 }
      assert.deepEqual((await buyer.request('POST', '/cart', item)).json.options, ordered)
      const { json: cart } = await buyer.request('GET', `/users/${buyer.id}/cart`)
      assert.deepEqual(cart.items[0].options, ordered)
      const { json: placed } = await buyer.request('POST', `/users/${buyer.id}/orders`, {})
      await patch(variant.id, { options: { size: 'M' } })
      const { json: order } = await buyer.request('GET', `/orders/${placed.id}?include=items`)
      assert.deepEqual(order.items[0].options, ordered)
      const xml = await buyer.request('GET', `/orders/${placed.id}/items`, undefined, {
        accept: 'application/xml',
      })
      assert.match(xml.text, /<options>.*red.*<\/options>/s)
      const { json: single } = await buyer.request('POST', '/cart', {
        product_id: (await create({ name: 'Single', price: 1 })).id,
        quantity: 1,
      })
      assert.equal(single.options, null)
      await buyer.request('DELETE', `/users/${buyer.id}/cart`)
    })

    test('switch their parent when the last one is sold and when it comes back', async () => {
      const { id } = await addParent()
      const [small, medium] = [
        await addVariant(id, { size: 'S' }, { stock: 2 }),
        await addVariant(id, { size: 'M' }, { stock: 1 }),
      ]
      const { json: first } = await order(small.id, 2)
      assert.equal((await read(id)).availability, 'in_stock')
      assert.equal((await order(medium.id, 1)).status, 201)
      assert.equal((await read(id)).availability, 'out_of_stock')
      const events = await admin.request('GET', `/events?subject=/products/${id}`)
      assert.equal(events.json.data.at(-1).type, 'product.out_of_stock')
      assert.deepEqual(events.json.data.at(-1).data.option_names, ['size'])
      await buyer.request('PATCH', `/orders/${first.id}`, { status: 'cancelled' })
      assert.equal((await read(id)).availability, 'in_stock')
      const back = await admin.request('GET', `/events?subject=/products/${id}`)
      assert.equal(back.json.data.at(-1).type, 'product.back_in_stock')
      await patch(small.id, { stock: 0 })
      assert.equal((await read(id)).availability, 'out_of_stock')
    })

    test('leave their parent right when many orders take the last of them at once', async () => {
      const { id } = await addParent()
      const ids: number[] = []
      for (const size of ['S', 'M', 'L', 'XL']) {
        ids.push((await addVariant(id, { size }, { stock: 3 })).id)
      }
      const placed = await Promise.all(
        [...ids, ...ids, ...ids, ...ids].map((each) => order(each, 1)),
      )
      assert.equal(placed.filter(({ status }) => status === 201).length, 12)
      assert.equal((await read(id)).availability, 'out_of_stock')
      const changes = placed
        .filter(({ status }) => status === 201)
        .slice(0, 5)
        .map(({ json }) => buyer.request('PATCH', `/orders/${json.id}`, { status: 'cancelled' }))
      const edits = ids.map((each) => patch(each, { price: 5 + each }))
      for (const { status, text } of await Promise.all([...changes, ...edits])) {
        assert.equal(status, 200, text)
      }
      assert.equal((await read(id)).availability, 'in_stock')
      assert.equal((await read(id)).price_from, 5 + Math.min(...ids))
      await reconcile(shop.db)
    })

    test('have unique options whatever their case, also when created at once', async () => {
      const { id } = await addParent()
      const made = await Promise.all(
        ['M', 'm', 'M', 'm'].map((size) =>
          admin.request('POST', '/products', variantOf(id, { size, colour: 'Red' })),
        ),
      )
      assert.deepEqual(made.map(({ status }) => status).sort(), [201, 409, 409, 409])
      const codes = made.filter(({ status }) => status === 409).map(({ json }) => json.error_code)
      assert.deepEqual(codes, ['4092', '4092', '4092'])
      const other = await addVariant(id, { colour: 'RED', size: 'L' })
      const taken = await patch(other.id, { options: { size: 'm' } })
      assert.deepEqual([taken.status, taken.json.error_code], [409, '4092'])
      const freed = (await shop.request('GET', `/products/${id}/variants`)).json.data[0]
      await admin.request('DELETE', `/products/${freed.id}`)
      assert.equal((await patch(other.id, { options: { size: 'm' } })).status, 200)
    })

    test('need a parent, and the options of the other variants', async () => {
      const { id } = await addParent()
      const { id: first } = await addVariant(id, { size: 'M' })
      const rejected = async (body: object, field: string, expected = 422) => {
        const { status, json } = await admin.request('POST', '/products', {
          name: 'Shirt',
          price: 1,
          ...body,
        })
        assert.equal(status, expected)
        assert.equal(json.errors[0].field, field)
      }
      await rejected({ variant_of: id }, 'options')
      await rejected({ options: { size: 'M' } }, 'variant_of')
      await rejected({ variant_of: id, options: {} }, 'options')
      await rejected({ variant_of: id, options: { colour: 'red' } }, 'options')
      await rejected({ variant_of: id, options: { size: 'L', colour: 'red' } }, 'options')
      await rejected({ variant_of: id, options: { Size: 'L', SIZE: 'M' } }, 'options.SIZE')
      await rejected({ variant_of: id, options: { size: '' } }, 'options.size', 400)
      await rejected({ variant_of: 999_999, options: { size: 'L' } }, 'variant_of')
      assert.equal((await patch(first, { options: { size: null, colour: 'red' } })).status, 200)
      assert.deepEqual((await read(id)).option_names, ['colour'])
    })

    test('have no variants, and their parent is no variant', async () => {
      const [{ id }, { id: other }] = [await addParent(), await addParent('Jacket')]
      const { id: variant } = await addVariant(id, { size: 'M' })
      for (const [of, product] of [
        [variant, undefined],
        [other, id],
        [id, id],
        [variant, variant],
      ]) {
        const change = { variant_of: of, options: { size: 'L' } }
        const { status, json } =
          product === undefined
            ? await admin.request('POST', '/products', { name: 'X', price: 1, ...change })
            : await patch(product, change)
        assert.deepEqual([status, json.error_code], [409, '4091'])
      }
      const removed = await admin.request('DELETE', `/products/${id}`)
      assert.deepEqual([removed.status, removed.json.error_code], [409, '4091'])
    })

    test('move to another parent, and become products of their own', async () => {
      const [{ id }, { id: other }] = [await addParent(), await addParent('Jacket')]
      const variant = await addVariant(id, { size: 'M' }, { price: 7 })
      const moved = await patch(variant.id, { variant_of: other })
      assert.equal(moved.status, 200, moved.text)
      assert.deepEqual(
        [(await read(other)).price_from, (await read(id)).price_from],
        [7, undefined],
      )
      assert.equal((await read(id)).availability, 'out_of_stock')
      const sent = { ...(await read(variant.id)), price: 8 }
      const replaced = await admin.request('PUT', `/products/${variant.id}`, sent)
      assert.deepEqual(replaced.json.options, { size: 'M' })
      assert.equal((await read(other)).price_from, 8)
      const parent = await admin.request('PUT', `/products/${other}`, await read(other))
      assert.equal(parent.json.price_from, 8)
      const single = await patch(variant.id, { variant_of: null })
      assert.equal('options' in single.json, false)
      assert.equal((await admin.request('DELETE', `/products/${other}`)).status, 204)
    })

    test('are not listed beside their parent, but with variants=all', async () => {
      const category = `list-${Date.now()}`
      const parent = await create({ name: 'Zebra print', price: 50, category })
      const fields = { category, name: 'Quagga print', sku: `Q-${parent.id}` }
      const variant = await addVariant(parent.id, { size: 'Extra wide' }, { ...fields, price: 30 })
      const single = await create({ name: 'Other', price: 40, category })
      const all = [parent.id, variant.id, single.id]
      const listed = [parent.id, single.id]
      assert.deepEqual(await idsOf(`category=${category}`), listed)
      assert.deepEqual(await idsOf(`category=${category}&variants=all`), all)
      for (const sort of ['name', 'price', 'created_at', 'updated_at', 'rating']) {
        const ids = await idsOf(`category=${category}&variants=all&sort=${sort}`)
        assert.deepEqual(ids.sort(), all)
      }
      assert.deepEqual(await idsOf(`category=${category}&sort=price`), [parent.id, single.id])
      assert.deepEqual(await idsOf(`category=${category}&price_max=35`), [parent.id])
      assert.deepEqual(await idsOf('q=quagga'), [parent.id])
      assert.deepEqual(await idsOf('q=zebra%20wide'), [parent.id])
      assert.deepEqual(await idsOf('q=quagga&variants=all'), [parent.id, variant.id])
      assert.deepEqual(await idsOf(`sku=Q-${parent.id}`), [variant.id])
      const option = `option.size=extra%20WIDE`
      assert.deepEqual(await idsOf(`category=${category}&${option}`), [parent.id])
      assert.deepEqual(await idsOf(`category=${category}&${option}&variants=all`), [variant.id])
      assert.deepEqual(await idsOf(`category=${category}&option.size=M&option.size=Extra%20wide`), [
        parent.id,
      ])
      assert.deepEqual(await idsOf(`category=${category}&option.colour=red`), [])
      assert.equal((await shop.request('GET', '/products?option.=M')).status, 400)
      await patch(parent.id, { name: 'Okapi print' })
      assert.deepEqual(await idsOf('q=quagga%20okapi'), [parent.id])
      await patch(variant.id, { name: 'Plain' })
      assert.deepEqual(await idsOf('q=quagga'), [])
    })

    test('are found by several options only if one of them has them all', async () => {
      const { id } = await addParent()
      const variant = await addVariant(id, { cloth: '"Wool"', dye: 'red' })
      await addVariant(id, { cloth: 'linen', dye: 'blue' })
      const wool = `option.cloth=${encodeURIComponent('"wool"')}`
      assert.deepEqual(await idsOf(`${wool}&option.dye=red&option.dye=green`), [id])
      assert.deepEqual(await idsOf(`${wool}&option.dye=blue`), [])
      assert.deepEqual(await idsOf(`${wool}&option.dye=RED&variants=all`), [variant.id])
      const { facets } = (await shop.request('GET', `/products?${wool}&facets=option.dye`)).json
      assert.deepEqual(facets['option.dye'], [{ value: 'red', count: 1 }])
      const many = Array.from({ length: 8 }, (_, at) => `option.o${at}=1`).join('&')
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      for (const payload of [many, `${wool}&option.dye=red&${many}&facets=option.dye`]) {
        const asked = { method: 'QUERY', url: '/products', payload, headers } as const
        const found = await shop.app.inject(asked)
        assert.deepEqual([found.statusCode, found.json().data], [200, []], found.body)
      }
      await admin.request('DELETE', `/products/${variant.id}`)
      assert.deepEqual(await idsOf(`${wool}&option.dye=red`), [])
    })

    test('share the reviews and related products of their parent', async () => {
      const { id } = await addParent()
      const [one, two] = [
        await addVariant(id, { size: 'S' }, { price: 0 }),
        await addVariant(id, { size: 'M' }, { price: 0 }),
      ]
      const companion = await create({ name: 'Belt', price: 0 })
      const items = [one.id, companion.id].map((product_id) => ({ product_id, quantity: 1 }))
      const free = { items, shipping: { method: 'pickup' } }
      assert.equal((await buyer.request('POST', '/orders', free)).json.status, 'paid')
      const other = await shop.signInAs('customer')
      const review = { rating: 4 }
      assert.equal((await other.request('POST', `/products/${id}/reviews`, review)).status, 403)
      const before = (await shop.request('GET', `/products/${two.id}/reviews`)).json
      assert.equal(before.data.length, 0)
      const made = await buyer.request('POST', `/products/${two.id}/reviews`, review)
      assert.deepEqual([made.status, made.json.product_id], [201, id])
      assert.equal((await buyer.request('POST', `/products/${id}/reviews`, review)).status, 409)
      assert.equal((await read(id)).rating.count, 1)
      const reviews = (await shop.request('GET', `/products/${two.id}/reviews`)).json
      assert.deepEqual(reviews.data[0].id, made.json.id)
      const included = (await shop.request('GET', `/products/${one.id}?include=reviews`)).json
      assert.equal(included.reviews.length, 1)
      const relatedTo = async (product: number) =>
        (await shop.request('GET', `/products/${product}/related`)).json.data.map(
          (each: { id: number }) => each.id,
        )
      assert.deepEqual(await relatedTo(two.id), [companion.id])
      assert.deepEqual(await relatedTo(id), [companion.id])
      assert.deepEqual(await relatedTo(companion.id), [id])
      const bought = await buyer.request('GET', `/products?buyer=${buyer.id}`)
      const ids = bought.json.data.map((each: { id: number }) => each.id)
      assert.ok(ids.includes(id) && !ids.includes(one.id))
    })

    test('have the rating of their parent', async () => {
      const { id } = await addParent('Rated')
      const other = await addParent('Unrated')
      const category = 'rated variants'
      const variant = await addVariant(id, { size: 'S' }, { price: 0, category })
      const items = [{ product_id: variant.id, quantity: 1 }]
      await buyer.request('POST', '/orders', { items, shipping: { method: 'pickup' } })
      const get = () => shop.request('GET', `/products/${variant.id}`)
      const list = async () => {
        const query = `/products?variants=all&sort=rating&category=${category}`
        const { json } = await shop.request('GET', query)
        return json.data.map((product: { name: string; rating: { count: number } }) => [
          product.name,
          product.rating.count,
        ])
      }
      await create({ name: 'Unrated', price: 1, category })
      await list()
      const before = await get()
      const review = await buyer.request('POST', `/products/${id}/reviews`, { rating: 4 })
      const after = await get()
      assert.deepEqual(after.json.rating, { average: 4, count: 1 })
      assert.notEqual(after.headers['etag'], before.headers['etag'])
      assert.deepEqual(await list(), [
        ['Unrated', 0],
        ['T-shirt variant', 1],
      ])
      assert.deepEqual((await addVariant(id, { size: 'M' })).rating, after.json.rating)
      const path = String(review.headers['location'])
      await buyer.request('PATCH', path, { rating: 2 })
      assert.deepEqual((await get()).json.rating, { average: 2, count: 1 })
      const moved = await patch(variant.id, { variant_of: other.id })
      assert.deepEqual(moved.json.rating, { average: null, count: 0 })
      const back = await patch(variant.id, { variant_of: id })
      assert.deepEqual(back.json.rating, { average: 2, count: 1 })
      const single = await patch(variant.id, { variant_of: null, options: null })
      assert.deepEqual(single.json.rating, { average: null, count: 0 })
      await patch(variant.id, { variant_of: id, options: { size: 'S' } })
      await buyer.request('DELETE', path)
      assert.deepEqual((await get()).json.rating, { average: null, count: 0 })
    })

    test('keep the reviews of before for their authors, without counting them', async () => {
      const { id } = await addParent()
      const { id: single } = await create({ name: 'Shirt', price: 0 })
      const free = {
        items: [{ product_id: single, quantity: 1 }],
        shipping: { method: 'pickup' },
      }
      assert.equal((await buyer.request('POST', '/orders', free)).json.status, 'paid')
      const made = await buyer.request('POST', `/products/${single}/reviews`, { rating: 2 })
      const path = String(made.headers['location'])
      assert.equal((await read(single)).rating.count, 1)
      const become = (body: object) => admin.request('PATCH', `/products/${single}`, body)
      const variant = await become({ variant_of: id, options: { size: 'XL' } })
      assert.deepEqual(variant.json.rating, { average: null, count: 0 })
      assert.equal((await shop.request('GET', `/products/${single}/reviews`)).json.data.length, 0)
      assert.equal((await shop.request('GET', path)).json.rating, 2)
      assert.equal((await shop.request('GET', path.replace(`${single}`, `${id}`))).status, 404)
      assert.equal((await buyer.request('PATCH', path, { rating: 5 })).status, 200)
      await become({ variant_of: null, options: null })
      assert.deepEqual((await read(single)).rating, { average: 5, count: 1 })
      await become({ variant_of: id, options: { size: 'XL' } })
      assert.equal((await buyer.request('DELETE', path)).status, 204)
      assert.equal((await shop.request('GET', path)).status, 410)
    })
  })
})
