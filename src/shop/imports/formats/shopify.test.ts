import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase } from '#test/support/app.ts'
import { type ImportingShop, startImportingShop } from '#test/support/imports.ts'

const header = [
  'Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value',
  'Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price',
  'Variant Compare At Price,Variant Requires Shipping,Variant Taxable,Variant Barcode,Image Src,Image Position,SEO Title,Cost per item',
].join(',')

/** A shirt in two sizes without SKUs in the file but for one, with a picture more; a mug; a download. */
const file = [
  header,
  'larkpost-tee,Larkpost tee,Soft.,Larkpost,Apparel > Shirts,Tees,"summer, Sale",TRUE,Size,S,Colour,Red,LP-TEE-S,150,shopify,4,deny,20.00,25.00,TRUE,TRUE,4006381333931,https://pictures.example/tee.jpg,1,A tee,8.5',
  "larkpost-tee,,,,,,,,,M,,Red,,160.0,shopify,-2,continue,21.00,,TRUE,TRUE,'4006381333932,https://pictures.example/back.jpg,2,,",
  'larkpost-tee,,,,,,,,,,,,,,,,,,,,,,https://pictures.example/side.jpg,3,,',
  'mug,Mug,,Larkpost,Home > Cups,,,TRUE,Title,Default Title,,,MUG-1,,,,deny,"1,009.00",,TRUE,TRUE,,,,,',
  'guide,Guide to tea,,,,Books,,FALSE,Title,Default Title,,,,0,shopify,1,deny,5,,FALSE,TRUE,,,,,',
].join('\r\n')

eachDatabase((kind) => {
  let shop: ImportingShop
  before(async () => {
    shop = await startImportingShop(kind)
  })
  after(() => shop.dispose())

  test('a file of Shopify is recognised, and its variants belong to their product', async () => {
    const { operation, errors } = await shop.importFile('products', file)
    // No image can be fetched here.
    assert.deepEqual(
      errors,
      [2, 3, 4].map((line) => [line, 'image_urls', '4221']),
    )
    assert.partialDeepStrictEqual(operation.progress, { done: 5, total: 5, failed: 0 })
    assert.partialDeepStrictEqual(operation.result, {
      ...{ created: 5, updated: 0, unchanged: 0, made_skus: 3 },
      detected: { format: 'shopify', separator: ',' },
    })
    const tee = await shop.productOf('larkpost-tee')
    assert.partialDeepStrictEqual(tee, {
      ...{ name: 'Larkpost tee', handle: 'larkpost-tee', brand: 'Larkpost', category: 'Tees' },
      ...{ tags: ['summer', 'Sale'], price: 20, compare_at_price: 25, on_sale: true },
      ...{ seo_title: 'A tee', availability: 'in_stock', stock: null, price_from: 20 },
      image_url: 'https://pictures.example/tee.jpg',
    })
    assert.partialDeepStrictEqual(await shop.productOf('LP-TEE-S'), {
      ...{ name: 'Larkpost tee', variant_of: tee.id, gtin: '4006381333931', weight_grams: 150 },
      ...{ options: { Size: 'S', Colour: 'Red' }, stock: 4, cost_price: 8.5 },
    })
    assert.partialDeepStrictEqual(await shop.productOf('larkpost-tee-M-Red'), {
      ...{ variant_of: tee.id, options: { Size: 'M', Colour: 'Red' }, gtin: null, stock: 0 },
      ...{ backorder: true, availability: 'backorder', status: 'active' },
    })
    assert.partialDeepStrictEqual(await shop.productOf('MUG-1'), {
      ...{ price: 1009, category: 'Cups', stock: null, requires_shipping: true },
    })
    assert.partialDeepStrictEqual(await shop.productOf('guide'), {
      ...{ category: 'Books', stock: 1, requires_shipping: false, handle: 'guide' },
      status: 'draft',
    })
  })

  test('what it has wrong in optional fields is told, and its rows are imported', async () => {
    const { operation } = await shop.importFile('products', file)
    assert.deepEqual(
      operation.result.warnings.map(({ row, field, value }: Record<string, unknown>) => [
        row,
        field,
        value,
      ]),
      [
        [3, 'stock', '-2'],
        [3, 'gtin', '4006381333932'],
      ],
    )
    assert.equal(operation.result.warnings[0].message, 'is below 0, and counts as 0')
  })

  test('imported again, it changes nothing', async () => {
    const { operation } = await shop.importFile('products', file)
    assert.partialDeepStrictEqual(operation.result, { created: 0, updated: 0, unchanged: 5 })
  })

  test('the columns that mean nothing here are told with their values', async () => {
    const { operation } = await shop.importFile('products', file)
    assert.deepEqual(operation.result.ignored_columns, [{ name: 'Variant Taxable', values: 4 }])
  })

  test('a SKU that all variants of a product have stands for the first of them', async () => {
    const { operation } = await shop.importFile(
      'products',
      [
        'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price',
        'socks,Socks,Size,38,SOCKS,5',
        'socks,,,40,SOCKS,6',
        'socks,,,42,SOCKS,7',
      ].join('\n'),
    )
    assert.partialDeepStrictEqual(operation.result, { created: 4, made_skus: 3, overwritten: 0 })
    const prices = ['SOCKS', 'SOCKS-40', 'SOCKS-42'].map(
      async (sku) => (await shop.productOf(sku)).price,
    )
    assert.deepEqual(await Promise.all(prices), [5, 6, 7])
    assert.equal((await shop.productOf('socks-product')).price_from, 5)
  })

  test('a row that cannot be read fails alone', async () => {
    const { errors, operation } = await shop.importFile(
      'products',
      [
        'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price',
        'cap,Cap,Size,S,CAP-S,5',
        'cap,,,M,CAP-M',
        'cap,,,L,CAP-L,dear',
        'cap,,,XL,CAP-XL,7',
      ].join('\n'),
    )
    assert.deepEqual(errors, [
      [3, null, '4221'],
      [4, 'price', '4221'],
    ])
    assert.partialDeepStrictEqual(operation.result, { created: 3, made_skus: 1 })
  })

  test('a process that dies within a product goes on after the rows that it has imported', async () => {
    const sizes = Array.from({ length: 300 }, (_, at) => `${at + 1}`)
    const rows = ['a', 'b'].flatMap((handle) =>
      sizes.map((size, at) =>
        [`dies-${handle}`, at === 0 ? 'Long' : '', 'Size', size, '', '5'].join(','),
      ),
    )
    const header = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price'
    const { starts, operation } = await shop.importWithKills(
      'products',
      [header, ...rows].join('\n'),
    )
    assert.ok(starts > 2)
    assert.deepEqual(operation.progress, { done: 602, total: 602, failed: 0 })
    assert.partialDeepStrictEqual(operation.result, { created: 602, unchanged: 0, made_skus: 602 })
    const parent = await shop.productOf('dies-b')
    const variants = await shop.admin.request('GET', `/products/${parent.id}/variants?limit=1`)
    assert.equal(variants.json.pagination.total_items, 300)
  })

  test('a format that is not that of the file is rejected', async () => {
    const { status, json } = await shop.send('products&format=shopify', 'sku,name,price\nA,A,1\n')
    assert.deepEqual([status, json.errors[0].field], [422, 'format'])
    assert.match(json.errors[0].message, /Handle, Title, Variant Price/)
    const users = await shop.send('users&format=shopify', 'email,name\na@example.com,A\n')
    assert.deepEqual([users.status, users.json.errors[0].field], [422, 'format'])
  })

  test('columns of no format are rejected with the formats and the nearest fields', async () => {
    const { status, json } = await shop.send('products', 'article_sku,names,prices\nA,A,1\n')
    assert.equal(status, 422)
    assert.match(json.suggestion, /sku|name|price/)
    assert.match(json.suggestion, /shopify/i)
  })

  test('metafields become attributes, and the path of the taxonomy categories', async () => {
    const { operation, errors } = await shop.importFile(
      'products',
      [
        'Handle,Title,Type,Product Category,Option1 Name,Option1 Value,Variant SKU,Variant Price,Color (product.metafields.shopify.color-pattern),Care (product.metafields.custom.care),Length (variant.metafields.custom.length),Google Shopping / Gender',
        'robe,Robe,,Apparel > Clothing > Robes,Size,S,ROBE-S,50,Red; Blue,"Wash it; then dry it on a line, never in a dryer",90,unisex',
        'robe,,,,,M,ROBE-M,50,,,95,',
        'belt,Belt,Belts,Apparel > Accessories > Belts,Title,Default Title,BELT,9,red,,100,',
        'hat,Hat,Headwear,Apparel > Accessories > Hats,Title,Default Title,HAT,9,,,,',
      ].join('\n'),
    )
    assert.deepEqual(errors, [])
    assert.deepEqual(operation.result.ignored_columns, [])
    const attributes = {
      ...{ Color: ['Red', 'Blue'], Care: 'Wash it; then dry it on a line, never in a dryer' },
      gender: 'unisex',
    }
    assert.partialDeepStrictEqual(await shop.productOf('robe'), { category: 'Robes', attributes })
    assert.deepEqual((await shop.productOf('ROBE-M')).attributes, { Length: '95' })
    assert.deepEqual((await shop.productOf('BELT')).attributes, { Length: '100', Color: 'red' })
    assert.equal((await shop.productOf('HAT')).category, 'Headwear')
    const { data } = await shop.read('/categories?limit=100')
    const paths = data.map(({ path }: { path: readonly string[] }) => path.join(' > '))
    for (const path of [
      'Apparel > Clothing > Robes',
      'Apparel > Accessories > Belts',
      'Headwear',
    ]) {
      assert.ok(paths.includes(path), path)
    }
  })
})
