import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  type TestResponse,
} from '#test/support/app.ts'
import { scopedCaller } from '#test/support/callers/narrow-caller.ts'
import { insertOrder, insertProduct, recordPurchases } from '#test/support/rows.ts'

const namesOf = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name)
const fieldsOf = (errors: readonly { readonly field: string }[]) => errors.map(({ field }) => field)

const kettle = { name: 'Kettle', price: 19.99 }

eachDatabase((kind) => {
  describe('products', () => {
    let shop: TestApp
    let admin: TestCaller
    let customer: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
      customer = await shop.signInAs('customer')
    })
    after(() => shop.dispose())

    const add = async (body: object): Promise<TestResponse['json']> => {
      const { status, json } = await admin.request('POST', '/products', body)
      assert.equal(status, 201)
      return json
    }
    const namesAt = async (path: string): Promise<readonly string[]> => {
      const { status, json } = await shop.request('GET', path)
      assert.equal(status, 200)
      return namesOf(json.data)
    }

    test('are written by administrators only', async () => {
      const { id } = await add(kettle)
      const writes = [
        ['POST', '/products', kettle],
        ['PUT', `/products/${id}`, kettle],
        ['PATCH', `/products/${id}`, { price: 1 }],
        ['DELETE', `/products/${id}`, undefined],
      ] as const
      for (const [method, path, body] of writes) {
        assert.equal((await shop.request(method, path, body)).json.error_code, '4011')
        const { json } = await customer.request(method, path, body)
        assert.equal(json.error_code, '4031')
        const narrow = await scopedCaller(shop, admin, ['orders:read'])
        assert.equal((await narrow(method, path, body)).json.error_code, '4033')
      }
    })

    test('are public and may be stored by shared caches', async () => {
      const { id } = await add({ ...kettle, sku: 'SKU-READ', stock: 2 })
      const { status, headers, json } = await shop.request('GET', `/products/${id}`)
      assert.equal(status, 200)
      assert.match(headers['cache-control'] ?? '', /^public, /)
      assert.ok(headers['etag'] && headers['last-modified'])
      const now = new Date(shop.now).toISOString()
      const { _links, ...fields } = json
      assert.deepEqual(fields, {
        id,
        ...kettle,
        description: '',
        sku: 'SKU-READ',
        category: null,
        availability: 'in_stock',
        backorder: false,
        status: 'active',
        stock: 2,
        image_url: null,
        ...{ brand: null, gtin: null, external_id: null, weight_grams: null, tags: [] },
        ...{ compare_at_price: null, on_sale: false, lowest_price_30_days: null },
        ...{ unit_measure: null, unit_price: null },
        ...{ tax_class: null, requires_shipping: true, handle: 'kettle-2' },
        ...{ seo_title: null, seo_description: null, description_html: '', attributes: null },
        currency: 'USD',
        images: [],
        rating: { average: null, count: 0 },
        created_at: now,
        updated_at: now,
      })
      const signedIn = await customer.request('GET', `/products/${id}`)
      assert.equal(signedIn.headers['cache-control'], 'private, no-cache')
    })

    test('link to the cart while they can be bought, and to edits for administrators', async () => {
      const { id, _links } = await add({ ...kettle, stock: 1 })
      const all = [
        ...['add_to_cart', 'delete', 'edit', 'images', 'prices'],
        ...['related_products', 'reviews', 'self'],
      ]
      assert.deepEqual(Object.keys(_links).sort(), all)
      assert.deepEqual(_links['edit'], { href: `/products/${id}`, method: 'PUT' })
      const linksFor = async (as = customer) =>
        Object.keys((await as.request('GET', `/products/${id}`)).json._links).sort()
      const customerLinks = ['add_to_cart', 'images', 'related_products', 'reviews', 'self']
      assert.deepEqual(await linksFor(), customerLinks)
      await admin.request('PATCH', `/products/${id}`, { stock: 0 })
      assert.deepEqual(await linksFor(), customerLinks.slice(1))
    })

    test('reset optional fields by null in a PATCH and require the others (RFC 7396)', async () => {
      const whole = {
        ...{ name: 'Pan', price: 3, description: 'Iron.', sku: `pan-${kind}`, category: 'kitchen' },
        ...{ availability: 'preorder', stock: 4, image_url: 'https://example.com/pan.jpg' },
      }
      const made = await admin.request('POST', '/products', whole)
      const path = `/products/${made.json.id}`
      const defaults = {
        ...{ description: '', sku: null, category: null, image_url: null },
        ...{ availability: 'in_stock', stock: null },
      }
      const merge = { 'content-type': 'application/merge-patch+json' }
      for (const [field, value] of Object.entries(defaults)) {
        const patched = await admin.request('PATCH', path, { [field]: null }, merge)
        assert.equal(patched.status, 200, patched.text)
        assert.equal(patched.json[field], value)
      }
      const { json } = await admin.request('GET', path)
      assert.partialDeepStrictEqual(json, { name: 'Pan', price: 3, ...defaults })
      for (const field of ['name', 'price']) {
        const rejected = await admin.request('PATCH', path, { [field]: null }, merge)
        assert.deepEqual([rejected.status, rejected.json.errors[0].field], [422, field])
      }
      const posted = await admin.request('POST', '/products', { ...whole, description: null })
      assert.deepEqual([posted.status, posted.json.description], [201, ''])
    })
    test('of version 2 reset their availability by null and keep their stock', async () => {
      const { json } = await admin.request('POST', '/products', {
        ...{ name: 'Pan', price: 3, availability: 'discontinued', stock: 4 },
      })
      const patch = (body: object) => admin.request('PATCH', `/v2/products/${json.id}`, body)
      const patched = await patch({ availability: null })
      assert.deepEqual(patched.json.availability, { status: 'in_stock', stock: 4 })
      assert.equal((await patch({ availability: { status: null } })).status, 422)
      const uncounted = await patch({ availability: { stock: null } })
      assert.deepEqual(uncounted.json.availability, { status: 'in_stock', stock: null })
    })
    test('are replaced by PUT and changed in part by PATCH', async () => {
      const { id } = await add({ ...kettle, category: 'kitchen', stock: 4 })
      const patched = await admin.request('PATCH', `/products/${id}`, { stock: 0 })
      const { name, availability, stock } = patched.json
      assert.deepEqual([name, availability, stock], ['Kettle', 'out_of_stock', 0])
      const put = await admin.request('PUT', `/products/${id}`, {
        ...patched.json,
        availability: 'in_stock',
        stock: null,
        name: 'Pan',
      })
      assert.equal(put.status, 200)
      assert.deepEqual([put.json.name, put.json.availability], ['Pan', 'in_stock'])
      assert.notEqual(put.headers['etag'], patched.headers['etag'])
      const stale = await admin.request(
        'PATCH',
        `/products/${id}`,
        { price: 1 },
        { 'if-match': patched.headers['etag'] ?? '' },
      )
      assert.equal(stale.json.error_code, '4121')
    })

    test('have unique SKUs; removing one frees its SKU', async () => {
      const first = await add({ ...kettle, sku: 'ONCE' })
      const second = await add({ ...kettle, sku: 'TWICE' })
      const again = { ...kettle, sku: 'ONCE' }
      assert.equal((await admin.request('POST', '/products', again)).json.error_code, '4092')
      const path = `/products/${second.id}`
      assert.equal((await admin.request('PUT', path, again)).json.error_code, '4092')
      assert.equal((await admin.request('PATCH', path, again)).json.error_code, '4092')
      await admin.request('DELETE', `/products/${first.id}`)
      assert.equal((await admin.request('POST', '/products', again)).status, 201)
    })

    test('that are removed answer 410 to reads and 204 to another DELETE, and are in no list', async () => {
      const { id } = await add({ name: 'Fleeting', price: 1 })
      const path = `/products/${id}`
      assert.equal((await admin.request('DELETE', path)).status, 204)
      assert.equal((await admin.request('DELETE', path)).status, 204)
      for (const below of ['', '/reviews', '/related']) {
        assert.equal((await shop.request('GET', path + below)).json.error_code, '4101')
      }
      const put = await admin.request('PUT', path, kettle)
      assert.equal(put.json.error_code, '4101')
      assert.deepEqual(await namesAt('/products?name=Fleeting'), [])
    })

    test('that do not exist answer 404', async () => {
      for (const path of ['/products/999999', '/products/x', '/products/0/related']) {
        assert.equal((await shop.request('GET', path)).json.error_code, '4041')
      }
    })

    const badBodies: readonly (readonly [string, object, string, string])[] = [
      ['without a name', { price: 1 }, '4001', 'name'],
      ['without a price', { name: 'Kettle' }, '4001', 'price'],
      ['with an empty name', { name: '', price: 1 }, '4001', 'name'],
      ['with a name that is too long', { name: 'x'.repeat(201), price: 1 }, '4221', 'name'],
      ['with a negative price', { name: 'Kettle', price: -1 }, '4221', 'price'],
      ['with a price of three decimals', { name: 'Kettle', price: 1.999 }, '4221', 'price'],
      ['with a price as a string', { name: 'Kettle', price: '1' }, '4221', 'price'],
      ['with a negative stock', { ...kettle, stock: -1 }, '4221', 'stock'],
      ['with a fractional stock', { ...kettle, stock: 1.5 }, '4221', 'stock'],
      ['with an unknown availability', { ...kettle, availability: 'soon' }, '4221', 'availability'],
      ['with an image URL that is no URL', { ...kettle, image_url: 'x' }, '4221', 'image_url'],
      ['with an unknown field', { ...kettle, colour: 'red' }, '4221', 'colour'],
    ]
    for (const [what, body, code, field] of badBodies) {
      test(`${what} are rejected with ${code} for ${field}`, async () => {
        const { json } = await admin.request('POST', '/products', body)
        assert.equal(json.error_code, code)
        assert.deepEqual(fieldsOf(json.errors), [field])
      })
    }

    describe('are filtered', () => {
      before(async () => {
        const shelf = [
          { name: 'Blue lamp', price: 10, category: 'light', sku: 'L1' },
          { name: 'Red lamp', price: 20, category: 'light', description: '100% cotton_shade' },
          { name: 'Lantern', price: 30, category: 'light', availability: 'preorder' },
        ] as const
        for (const each of shelf) await add(each)
      })

      const found: readonly (readonly [string, readonly string[]])[] = [
        ['category=light', ['Blue lamp', 'Red lamp', 'Lantern']],
        ['category=light&availability=preorder', ['Lantern']],
        ['category=light&price_min=20', ['Red lamp', 'Lantern']],
        ['category=light&price_max=20', ['Blue lamp', 'Red lamp']],
        ['price_min=20&price_max=20', ['Red lamp']],
        ['sku=L1', ['Blue lamp']],
        ['name=Lantern', ['Lantern']],
        ['category=LIGHT%20', ['Blue lamp', 'Red lamp', 'Lantern']],
        ['q=LAMP', ['Blue lamp', 'Red lamp']],
        ['q=light%20lan', ['Lantern']],
        ['q=100%25', ['Red lamp']],
        ['q=10%20cotton_sh', ['Red lamp']],
        ['q=0%25n', []],
        ['q=amp', []],
        ['q=L%C3%84MP%20%E2%80%9Cred%E2%80%9D', ['Red lamp']],
        ['q=cotton%22*', ['Red lamp']],
        ['q=lamp%20OR%20lantern', []],
        ['q=l&category=light&price_max=10', ['Blue lamp']],
        ['q=!%20*&category=light&price_max=10', []],
        ['q=%20&category=light&price_max=10', ['Blue lamp']],
        ['category=light&sort=price&order=desc', ['Lantern', 'Red lamp', 'Blue lamp']],
        ['category=light&sort=name', ['Blue lamp', 'Lantern', 'Red lamp']],
        ['category=light&limit=2&page=2', ['Lantern']],
        ['category=light&page=9', []],
      ]
      for (const [query, names] of found) {
        test(`by ${query}: ${names.join(', ') || 'none'}`, async () => {
          assert.deepEqual(await namesAt(`/products?${query}`), names)
        })
      }
    })

    const badQueries = ['colour=red', 'sort=stock', 'order=up', 'limit=0', 'page=x', 'price_min=x']
    for (const query of [...badQueries, 'include=orders', 'availability=soon', 'buyer=me']) {
      test(`answer 4003 to ?${query}`, async () => {
        const { json } = await shop.request('GET', `/products?${query}`)
        assert.equal(json.error_code, '4003')
        assert.deepEqual(fieldsOf(json.errors), [query.split('=')[0]])
      })
    }

    test('sort by rating, with unrated ones last in descending order', async () => {
      const ratings = [null, 4.5, 5, 1.25, 4.5]
      for (const [place, rating_average] of ratings.entries()) {
        await insertProduct(shop.db, { name: `r${place}`, category: 'rated', rating_average })
      }
      const path = '/products?category=rated&sort=rating'
      assert.deepEqual(await namesAt(path), ['r0', 'r3', 'r1', 'r4', 'r2'])
      const names: string[] = []
      let cursor = ''
      do {
        const page = await shop.request('GET', `${path}&order=desc&limit=2${cursor}`)
        names.push(...namesOf(page.json.data))
        const { next_cursor } = page.json.pagination
        cursor = next_cursor === null ? '' : `&cursor=${next_cursor}`
      } while (cursor !== '')
      assert.deepEqual(names, ['r2', 'r4', 'r1', 'r3', 'r0'])
    })

    describe('with buyers', () => {
      let buyer: TestCaller
      let bought: readonly Awaited<ReturnType<typeof insertProduct>>[]
      before(async () => {
        buyer = await shop.signInAs('customer')
        const { id } = buyer
        bought = [
          await insertProduct(shop.db, { name: 'Tea', category: 'food' }),
          await insertProduct(shop.db, { name: 'Cup' }),
        ]
        await insertProduct(shop.db, { name: 'Coffee', category: 'food' })
        const order = { id: await insertOrder(shop.db, id, bought), user_id: id }
        await recordPurchases(shop.store, order)
      })

      test('are filtered by buyer for that user and administrators only', async () => {
        const path = `/products?buyer=${buyer.id}`
        for (const as of [buyer, admin]) {
          const { json } = await as.request('GET', path)
          assert.deepEqual(namesOf(json.data), ['Tea', 'Cup'])
        }
        assert.equal((await shop.request('GET', path)).json.error_code, '4011')
        assert.equal((await customer.request('GET', path)).json.error_code, '4031')
        const narrow = await scopedCaller(shop, buyer, ['orders:read'])
        assert.equal((await narrow('GET', path)).json.error_code, '4033')
      })

      test('have related products: those bought with them, then those of their category', async () => {
        const [tea] = bought
        const related = await shop.request('GET', `/products/${tea?.id}/related`)
        assert.match(related.headers['cache-control'] ?? '', /^public, /)
        assert.deepEqual(namesOf(related.json.data), ['Cup', 'Coffee'])
        assert.equal(related.json.pagination.total_items, 2)
        const [cup] = related.json.data
        assert.equal(cup?._links['self']?.href, `/products/${cup?.id}`)
        const filtered = await shop.request('GET', `/products/${tea?.id}/related?category=food`)
        assert.equal(filtered.json.error_code, '4003')
      })

      test('embed reviews and related products on request', async () => {
        const [tea] = bought
        const plain = await shop.request('GET', `/products/${tea?.id}`)
        assert.ok(!('related' in plain.json) && !('reviews' in plain.json))
        const path = `/products/${tea?.id}?include=reviews,related`
        const { reviews, related } = (await shop.request('GET', path)).json
        assert.deepEqual(reviews, [])
        assert.deepEqual(namesOf(related), ['Cup', 'Coffee'])
      })
    })

    const costs: readonly (readonly [string, number])[] = [
      ['/products', 2],
      ['/products?limit=5&include=reviews,related', 4],
      // On SQLite, a statement loads what five products include.
      ['/products?limit=10&include=reviews,related', kind === 'postgres' ? 4 : 6],
      ['/products?q=lamp&sort=rating&limit=1', 2],
      ['/products/1', 1],
      ['/products/1?include=reviews,related', 3],
      ['/products/1/related', 3],
      ['/products/1/related?limit=1', 3],
    ]
    for (const [path, statements] of costs) {
      test(`take ${statements} statements for GET ${path}`, async () => {
        shop.takeCount()
        assert.equal((await shop.request('GET', path)).status, 200)
        assert.equal(shop.takeCount(), statements)
      })
    }

    test('take a constant number of statements to create and to change', async () => {
      // The credential, and the administrator in the transaction.
      const authentication = 2
      const event = 1
      // On PostgreSQL one more statement locks the word index.
      const words = kind === 'postgres' ? 3 : 2
      // Whether its name makes a handle that is taken, and then which numbered ones are.
      const handle = 2
      // Its row, and when it changes the end of the one before.
      const price = 1
      shop.takeCount()
      const { id } = await add(kettle)
      assert.equal(shop.takeCount(), authentication + handle + 1 + words + price + event)
      await admin.request('PATCH', `/products/${id}`, { price: 2 })
      assert.equal(shop.takeCount(), authentication + 2 + price + 1 + event)
      await admin.request('PATCH', `/products/${id}`, { name: 'Teapot' })
      assert.equal(shop.takeCount(), authentication + 2 + words + event)
    })
  })
})
