import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SaxesParser } from 'saxes'
import { insertDemo } from '#src/demo/insert.ts'
import { gtinOf } from '#test/contract/setup/valid-requests.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { sitemapIndex } from './sitemap.ts'

/** The items of a feed, or the entries of a sitemap: for each, its texts by the names of elements. */
function entriesOf(text: string, entry: string): readonly ReadonlyMap<string, readonly string[]>[] {
  const parser = new SaxesParser({ xmlns: true })
  const entries: Map<string, string[]>[] = []
  let content = ''
  let isInside = false
  parser.on('opentag', ({ name }) => {
    content = ''
    if (name !== entry) return
    isInside = true
    entries.push(new Map())
  })
  parser.on('text', (part) => {
    content += part
  })
  parser.on('closetag', ({ name }) => {
    if (name === entry) isInside = false
    const known = entries.at(-1)
    if (!isInside || !known) return
    known.set(name, [...(known.get(name) ?? []), content])
  })
  parser.on('error', (error) => assert.fail(error))
  parser.write(text).close()
  return entries
}

const hasCheckDigit = (digits: string): boolean =>
  [...digits.padStart(14, '0')].reduce(
    (sum, digit, at) => sum + Number(digit) * (at % 2 ? 1 : 3),
    0,
  ) %
    10 ===
  0

/** Asserts what Google requires of an item (support.google.com/merchants/answer/7052112). */
function assertItem(item: ReadonlyMap<string, readonly string[]>): void {
  const only = (name: string) => {
    const values = item.get(name) ?? []
    assert.ok(values.length <= 1, `${name} is given once`)
    return values[0]
  }
  const lengths = { 'g:id': 50, 'g:title': 150, 'g:description': 5000, 'g:link': 2000 }
  for (const [name, length] of Object.entries(lengths)) {
    const text = only(name) ?? ''
    assert.ok(text.length > 0 && Array.from(text).length <= length, `${name}: ${text}`)
  }
  assert.match(only('g:link') ?? '', /^https:\/\/shop\.example\/products\/[a-z0-9-]+$/)
  assert.match(only('g:availability') ?? '', /^(in_stock|out_of_stock|preorder|backorder)$/)
  assert.match(only('g:price') ?? '', /^\d+\.\d\d USD$/)
  const sale = only('g:sale_price')
  if (sale !== undefined) assert.ok(parseFloat(sale) < parseFloat(only('g:price') ?? ''))
  const gtin = only('g:gtin')
  if (gtin !== undefined) assert.ok(/^\d{8,14}$/.test(gtin) && hasCheckDigit(gtin), gtin)
  const isIdentified = gtin !== undefined || (only('g:brand') && only('g:mpn'))
  assert.equal(only('g:identifier_exists'), isIdentified ? undefined : 'no')
  assert.ok((item.get('g:additional_image_link')?.length ?? 0) <= 10)
  for (const name of ['g:image_link', 'g:additional_image_link']) {
    for (const url of item.get(name) ?? []) assert.match(url, /^https?:\/\//)
  }
  assert.match(only('g:shipping_weight') ?? '1 g', /^\d+ g$/)
  assert.match(only('g:unit_pricing_measure') ?? '1 l', /^\d+(\.\d+)? (g|kg|ml|l|m|sqm|ct)$/)
  assert.match(only('g:unit_pricing_base_measure') ?? '1 l', /^1 (kg|l|m|sqm|ct)$/)
}

eachDatabase((kind) => {
  describe('feeds', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      await shop.store.transaction((db) =>
        insertDemo(db, { currency: 'USD', currencyDigits: 2 }, shop.now),
      )
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())

    const create = async (body: object) => {
      const { status, json, text } = await admin.request('POST', '/products', body)
      assert.equal(status, 201, text)
      return json
    }

    test('have an item for each product of the demo shop, as Google requires it', async () => {
      const { headers, text } = await shop.request('GET', '/feeds/google-merchant')
      assert.equal(headers['content-type'], 'application/rss+xml; charset=utf-8')
      assert.match(text, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<rss version="2\.0" /)
      const items = entriesOf(text, 'item')
      const sold = await shop.db
        .selectFrom('products')
        .where('deleted_at', 'is', null)
        .where('variant_count', '=', 0)
        .where('availability', '<>', 'discontinued')
        .select('id')
        .execute()
      assert.ok(items.length > 20)
      assert.equal(items.length, sold.length)
      for (const item of items) assertItem(item)
    })

    test('have the attributes of products and variants', async () => {
      const parent = await create({
        ...{ name: 'Shirt & tie', price: 10, sku: 'SHIRT', brand: 'Larkpost', category: 'Wear' },
        ...{ image_url: 'https://img.example/shirt.jpg', description: 'Of <linen>.\u0001' },
      })
      await create({
        ...{ name: 'Shirt M', price: 8, compare_at_price: 12.5, sku: 'SHIRT-M', stock: 0 },
        ...{ variant_of: parent.id, options: { Size: 'M', Fit: 'slim' }, gtin: gtinOf(77) },
        ...{ weight_grams: 250, unit_measure: { quantity: '2.5', unit: 'm2' } },
        attributes: { MPN: 'LP-1' },
      })
      const above = await admin.request('POST', '/categories', { name: 'Textiles' })
      const { json: found } = await admin.request('GET', '/categories?handle=wear')
      const moved = { parent_id: above.json.id }
      await admin.request('PATCH', `/categories/${found.data[0].id}`, moved)
      const { text } = await shop.request('GET', '/feeds/google-merchant')
      const item = entriesOf(text, 'item').at(-1) ?? new Map()
      assert.deepEqual(Object.fromEntries(item), {
        'g:id': ['SHIRT-M'],
        'g:title': ['Shirt M'],
        'g:description': ['Of <linen>.'],
        'g:link': ['https://shop.example/products/shirt-tie'],
        'g:image_link': ['https://img.example/shirt.jpg'],
        'g:availability': ['out_of_stock'],
        'g:price': ['12.50 USD'],
        'g:sale_price': ['8.00 USD'],
        'g:brand': ['Larkpost'],
        'g:gtin': [gtinOf(77)],
        'g:mpn': ['LP-1'],
        'g:item_group_id': ['SHIRT'],
        'g:size': ['M'],
        'g:product_type': ['Textiles > Wear'],
        'g:shipping_weight': ['250 g'],
        'g:unit_pricing_measure': ['2.5 sqm'],
        'g:unit_pricing_base_measure': ['1 sqm'],
      })
    })

    test('have no drafts and archived products, nor their variants', async () => {
      const parent = await create({ name: 'Secret', price: 5, status: 'draft' })
      await create({ name: 'Secret S', price: 5, variant_of: parent.id, options: { size: 'S' } })
      await create({ name: 'Secret past', price: 5, status: 'archived' })
      for (const path of ['/feeds/google-merchant', '/sitemap']) {
        assert.doesNotMatch((await shop.request('GET', path)).text, /secret/i)
      }
      const accept = { accept: 'application/ld+json' }
      const hidden = await shop.request('GET', `/products/${parent.id}`, undefined, accept)
      assert.equal(hidden.status, 404)
    })

    test('are not sent again while nothing has changed', async () => {
      for (const path of ['/feeds/google-merchant', '/sitemap', '/sitemap/1']) {
        shop.now += 60_000
        const { headers, status } = await shop.request('GET', path)
        assert.equal(status, 200)
        assert.match(headers['cache-control'] ?? '', /^public, max-age=300/)
        const etag = headers['etag'] ?? ''
        const again = () => shop.request('GET', path, undefined, { 'if-none-match': etag })
        const fresh = await again()
        assert.deepEqual([fresh.status, fresh.text], [304, ''])
        const { id } = await create({ name: 'New', price: 1 })
        assert.equal((await again()).status, 200)
        await admin.request('DELETE', `/products/${id}`)
        shop.now += 60_000
        assert.equal((await again()).status, 304, 'the catalogue is as it was')
      }
    })

    test('are sent again once a setting has changed what they say', async () => {
      const etags = ['https://shop.example/p/{handle}', 'https://shop.example/p/{id}'].map(
        async (productUrl) => {
          const other = await startTestApp('memory', { shop: { productUrl } })
          const { headers } = await other.request('GET', '/sitemap')
          await other.dispose()
          return headers['etag']
        },
      )
      const [one, another] = await Promise.all(etags)
      assert.ok(one && another)
      assert.notEqual(one, another)
    })

    test('list the pages of products in a sitemap, and sitemaps in an index', async () => {
      const { headers, text } = await shop.request('GET', '/sitemap')
      assert.equal(headers['content-type'], 'application/xml; charset=utf-8')
      assert.match(
        text,
        /^<\?xml [^>]*>\n<urlset xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">\n/,
      )
      const entries = entriesOf(text, 'url')
      const { total_items } = (await shop.request('GET', '/products?limit=1')).json.pagination
      assert.equal(entries.length, total_items)
      for (const entry of entries) {
        assert.deepEqual([...entry.keys()], ['loc', 'lastmod'])
        assert.match(entry.get('loc')?.[0] ?? '', /^https:\/\/shop\.example\/products\/[a-z0-9-]+$/)
        assert.match(entry.get('lastmod')?.[0] ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
      }
      assert.equal((await shop.request('GET', '/sitemap/1')).text, text)
      assert.equal((await shop.request('GET', '/sitemap/2')).status, 404)
      const index = entriesOf(sitemapIndex(100_001, 'https://api.example'), 'sitemap')
      assert.deepEqual(
        index.map((each) => each.get('loc')?.[0]),
        [1, 2, 3].map((part) => `https://api.example/sitemap/${part}`),
      )
    })

    test('are a product in the words of schema.org', async () => {
      const made = await create({ name: 'Lamp', price: 19.5, sku: 'LAMP', brand: 'Larkpost' })
      const accept = { accept: 'application/ld+json' }
      const read = (path: string) => shop.request('GET', path, undefined, accept)
      const { headers, text, json } = await read(`/products/${made.id}`)
      assert.equal(headers['content-type'], 'application/ld+json; charset=utf-8')
      const url = 'https://shop.example/products/lamp'
      const availability = 'https://schema.org/InStock'
      assert.deepEqual(json ?? JSON.parse(text), {
        ...{ '@context': 'https://schema.org', '@type': 'Product', productID: String(made.id) },
        ...{ name: 'Lamp', url, sku: 'LAMP', brand: { '@type': 'Brand', name: 'Larkpost' } },
        offers: { '@type': 'Offer', price: 19.5, priceCurrency: 'USD', availability, url },
      })
      const second = JSON.parse((await read(`/v2/products/${made.id}`)).text)
      assert.deepEqual([second.offers.price, second.offers.availability], ['19.50', availability])
      await create({ name: 'S', price: 15, variant_of: made.id, options: { size: 'S' } })
      await shop.db
        .updateTable('products')
        .where('id', '=', made.id)
        .set({ rating_sum: 9, rating_count: 2, rating_average: 4.5 })
        .execute()
      const parent = JSON.parse((await read(`/products/${made.id}`)).text)
      assert.deepEqual(parent.offers, {
        ...{ '@type': 'AggregateOffer', lowPrice: 15, priceCurrency: 'USD', availability, url },
      })
      assert.deepEqual(parent.aggregateRating, {
        ...{ '@type': 'AggregateRating', ratingValue: 4.5, reviewCount: 2 },
        ...{ bestRating: 5, worstRating: 1 },
      })
      assert.equal((await read('/products')).status, 406)
    })

    test('have the path of the category, and another ETag once it is moved', async () => {
      const makeCategory = async (body: object) =>
        (await admin.request('POST', '/categories', body)).json
      const lamps = await makeCategory({ name: 'Linked lamps' })
      const { id } = await create({ name: 'Lamp', price: 1, category: lamps.name })
      const read = async (headers = {}) => {
        const accept = { accept: 'application/ld+json', ...headers }
        return await shop.request('GET', `/products/${id}`, undefined, accept)
      }
      const first = await read()
      assert.equal(JSON.parse(first.text).category, 'Linked lamps')
      const known = { 'if-none-match': first.headers['etag'] ?? '' }
      assert.equal((await read(known)).status, 304)
      const { id: parent_id } = await makeCategory({ name: 'Linked home' })
      await admin.request('PATCH', `/categories/${lamps.id}`, { parent_id })
      const { status, text } = await read(known)
      assert.deepEqual([status, JSON.parse(text).category], [200, 'Linked home > Linked lamps'])
    })
  })

  test('without PRODUCT_URL, there are no feeds', async (t) => {
    const shop = await startTestApp(kind, { shop: { productUrl: undefined } })
    t.after(() => shop.dispose())
    for (const path of ['/feeds/google-merchant', '/sitemap', '/sitemap/1']) {
      const { status, json } = await shop.request('GET', path)
      assert.deepEqual([status, json.error_code], [404, '4041'])
    }
  })
})
