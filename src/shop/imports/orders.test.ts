import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ndjsonType } from '#http/message/media-type.ts'
import { eachDatabase } from '#test/support/app.ts'
import { scopedToken } from '#test/support/callers/narrow-caller.ts'
import { testShipping } from '#test/support/callers/paying.ts'
import { type ImportingShop, startImportingShop } from '#test/support/imports.ts'

const columns =
  'number,created_at,status,contact.name,contact.email,shipping.recipient,shipping.address.city,sku,name,quantity,unit_price,discount_total,shipping_cost,tax,total'

eachDatabase((kind) => {
  let importing: ImportingShop
  let cup: number
  before(async () => {
    importing = await startImportingShop(kind)
    const body = { name: 'Cup', sku: 'CUP', price: 7, stock: 5, category: 'tableware' }
    cup = (await importing.admin.request('POST', '/products', body)).json.id
  })
  after(() => importing.dispose())

  const read = (path: string) => importing.read(path)
  const orderOf = async (number: string) =>
    (await read(`/orders?number=${encodeURIComponent(number)}`)).data[0]
  const fileOf = (...rows: readonly string[]) => [columns, ...rows].join('\n')
  const importOrders = (...rows: readonly string[]) =>
    importing.importFile('orders', fileOf(...rows))
  const importLines = (...lines: readonly object[]) =>
    importing.importFile('orders', lines.map((line) => JSON.stringify(line)).join('\n'), ndjsonType)
  /** Imports a file, and returns its errors as texts. */
  const errorsOf = async (file: string, type = 'text/csv', query = 'orders') => {
    const path = await importing.begin(query, file, type)
    const { data } = await importing.finish(path)
    return data.map((error: Record<string, unknown>) =>
      ['record', 'key', 'field', 'value', 'message'].map((name) => error[name]).join(' | '),
    )
  }

  test('rows of one number become an order as it was', async () => {
    const { operation, errors } = await importOrders(
      '#2001,2023-04-05 10:20:30 +0200,delivered,Ada Lovelace,Ada@Old.example,Ada,London,cup,,2,6.50,1,4,2.67,24',
      '#2001,,,,,,,GONE-1,Old kettle,1,8,,,,',
    )
    assert.deepEqual(errors, [])
    assert.partialDeepStrictEqual(operation, {
      progress: { done: 1, total: 1, failed: 0 },
      result: { created: 1, updated: 0, unchanged: 0, overwritten: 0, ignored_columns: [] },
    })
    const order = await orderOf('#2001')
    assert.partialDeepStrictEqual(order, {
      ...{ number: '#2001', source: 'import', status: 'delivered', item_count: 3 },
      ...{ subtotal: 21, discount_total: 1, shipping_cost: 4, tax: 2.67, total: 24 },
      ...{ tax_included: true, created_at: '2023-04-05T08:20:30.000Z', expires_at: null },
      contact: { name: 'Ada Lovelace', email: 'Ada@Old.example' },
    })
    const { data } = await read(`/orders/${order.id}/items`)
    const [known, gone] = data
    assert.partialDeepStrictEqual(known, {
      ...{ product_id: cup, name: 'Cup', sku: 'cup', unit_price: 6.5, quantity: 2 },
      ...{ line_total: 13, discount: 0.62, tax: 1.38 },
    })
    assert.partialDeepStrictEqual(gone, { product_id: null, name: 'Old kettle', sku: 'GONE-1' })
    assert.deepEqual(
      [known, gone].map(({ _links }) => _links.product?.href),
      [`/products/${cup}`, undefined],
    )
    const { _links, ...own } = await read(`/orders/${order.id}/items/${gone.id}`)
    assert.partialDeepStrictEqual(gone, own)
    const shipping = await read(`/orders/${order.id}/shipping`)
    assert.partialDeepStrictEqual(shipping, {
      ...{ recipient: 'Ada', address: { city: 'London' }, status: 'delivered', tax: 0.44 },
    })
  })

  test('lines of NDJSON are orders, or items as rows of CSV are', async () => {
    const order = { number: 'N-1', status: 'paid', created_at: '2024-02-03', total: 10.5, tax: 1.5 }
    const [tea, pot] = [
      { name: 'Tea', quantity: 1, unit_price: 4 },
      { sku: 'CUP', quantity: 1, unit_price: 5 },
    ]
    const { errors } = await importLines(
      { ...order, items: [tea, pot] },
      { ...order, number: 1000001, ...tea },
      { number: '1000001', ...pot },
    )
    assert.deepEqual(errors, [])
    for (const number of ['n-1', '1000001']) {
      const found = await orderOf(number)
      // The total tells that the tax came on top.
      assert.partialDeepStrictEqual(found, { total: 10.5, tax_included: false, item_count: 2 })
      const { data } = await read(`/orders/${found.id}/items`)
      const names = data.map(({ name, product_id }: Record<string, unknown>) => [name, product_id])
      assert.deepEqual(names, [
        ['Tea', null],
        ['Cup', cup],
      ])
    }
  })

  test('what is wrong is told with record, number, field, value and what would be right', async () => {
    const { admin } = importing
    const items = [{ product_id: cup, quantity: 1 }]
    const placed = await admin.request('POST', '/orders', { items, external_id: 'EXT-1' })
    const { number } = placed.json
    const [tea, moment] = ['Tea,1,4,,,,4', '2024-02-03T10:00:00Z']
    const file = fileOf(
      'E-1,2024-02-03T10:00:00Z,paid,,,,,,Tea,2,4,1,2,,8.99',
      `E-2,2030-01-01,paid,,,,,,${tea}`,
      `E-3,${moment},sold,,,,,,${tea}`,
      `E-4,${moment},paid,,nobody,,,,${tea}`,
      `E-5,${moment},paid,,,,,NONE,,1,4,,,,4`,
      `E-6,${moment},paid,,,,,,Tea,1,4,,,,8`,
      'E-6,,,,,,,,Cake,none,4,,,,',
      `E-7,${moment},paid,,,,,,Tea,1,4,,,,8`,
      'E-7,,shipped,,,,,,Cake,1,4,,,,',
      `${number},${moment},paid,,,,,,${tea}`,
      `,${moment},paid,,,,,,${tea}`,
      `E-8,${moment},paid,,,,,,Tea,1,4,5,1,,0`,
    )
    const expected = [
      /^2 \| E-1 \| total \| 8\.99 \| must be 9\.00: /,
      /^3 \| E-2 \| created_at \| 2030-01-01 \| must be a time in the past$/,
      /^4 \| E-3 \| status \| sold \| /,
      /^5 \| E-4 \| contact\.email \| nobody \| /,
      /^6 \| E-5 \| name \| {2}\| is required: no product here has this SKU$/,
      /^8 \| E-6 \| quantity \| none \| /,
      /^9 \| E-7 \| status \| paid \| must be the same in all rows/,
      new RegExp(`^11 \\| ${number} \\| number \\| ${number} \\| is the number of an order`),
      /^12 \| {2}\| number \| {2}\| is required$/,
      /^13 \| E-8 \| discount_total \| 5 \| must be at most 4\.00$/,
    ]
    for (const query of ['orders&dry_run=true', 'orders']) {
      const errors = await errorsOf(file, 'text/csv', query)
      assert.equal(errors.length, expected.length, errors.join('\n'))
      for (const [at, pattern] of expected.entries()) assert.match(errors[at], pattern, query)
    }
    for (const at of [1, 6, 7]) assert.equal(await orderOf(`E-${at}`), undefined)
  })

  test('IDs of other systems are unique, also within a file, and the currency must be the one here', async () => {
    const order = { status: 'paid', created_at: '2024-02-03', total: 4 }
    const line = { ...order, name: 'Tea', quantity: 1, unit_price: 4 }
    const { errors } = await importLines(
      { ...line, number: 'X-1', external_id: 'EXT-1' },
      { ...line, number: 'X-2', external_id: 'EXT-2' },
      { ...line, number: 'X-3', external_id: 'EXT-2' },
      { ...line, number: 'X-4', currency: 'EUR' },
      { ...order, number: 'X-5', items: [], currency: 'USD' },
      { ...order, number: 'X-6', items: [{ name: 'Tea', quantity: 1, unit_price: 'x' }] },
    )
    assert.deepEqual(errors, [
      [1, 'external_id', '4092'],
      [3, 'external_id', '4092'],
      [4, 'currency', '4221'],
      [5, 'items', '4221'],
      [6, 'items[0].unit_price', '4221'],
    ])
    assert.equal((await orderOf('X-2')).external_id, 'EXT-2')
  })

  test('an order of more items than an order may have, or of very many rows, is an error', async () => {
    const row = (number: string) => `${number},,,,,,,,Tea,1,4,,,,`
    const first = (number: string, total: number) =>
      `${number},2024-02-03,paid,,,,,,Tea,1,4,,,,${total}`
    const rows = (number: string, count: number) => [
      first(number, 4 * count),
      ...Array.from({ length: count - 1 }, () => row(number)),
    ]
    const { operation, errors } = await importOrders(
      ...rows('L-200', 200),
      ...rows('L-201', 201),
      ...rows('L-2000', 2000),
      ...rows('L-2', 2),
    )
    assert.deepEqual(errors, [
      [202, 'items', '4221'],
      [403, 'number', '4221'],
    ])
    assert.deepEqual(operation.progress, { done: 2, total: 4, failed: 2 })
    assert.equal((await orderOf('L-2')).item_count, 2)
  })

  test('the rows of an order that failed come as they were, and a number again changes nothing', async () => {
    const path = await importing.begin(
      'orders',
      fileOf(
        'F-1,2024-02-03,paid,,,,,,Tea,1,4,,,,9',
        'F-1,,,,,,,,Cake,1,4,,,,',
        'F-2,2024-02-03,paid,,,,,,Tea,1,4,,,,4',
      ),
    )
    await importing.finish(path)
    const csv = { accept: 'text/csv' }
    const { text } = await importing.admin.request('GET', `${path}/errors`, undefined, csv)
    assert.equal(text.trim().split('\r\n').length, 3)
    assert.match(text, /\r\nF-1,,,,,,,,Cake,1,4,,,,,\r\n$/)
    const again = await importing.importFile(
      'orders',
      `${text.replace('4,,,,9,', '4,,,,8,')}F-2,2024-02-03,paid,,,,,,Other,1,5,,,,5,\r\n`,
    )
    assert.deepEqual(again.errors, [])
    assert.partialDeepStrictEqual(again.operation.result, { created: 1, unchanged: 1 })
    assert.equal((await orderOf('F-2')).total, 4)
  })

  test('a dry run tells what an import does, and stores nothing', async () => {
    const file = fileOf(
      'D-1,2024-02-03,paid,,d@old.example,,,CUP,,1,4,,,,4',
      'F-2,2024-02-03,paid,,,,,,Tea,1,4,,,,4',
      'D-1,2024-02-03,paid,,,,,CUP,,1,4,,,,4',
    )
    for (const query of ['orders&dry_run=true', 'orders']) {
      assert.equal(await orderOf('D-1'), undefined)
      const { operation, errors } = await importing.importFile(query, file)
      assert.deepEqual(errors, [])
      assert.partialDeepStrictEqual(operation.result, { created: 1, unchanged: 2, overwritten: 0 })
    }
  })

  test('an import goes on after a kill, within the rows of no order', async () => {
    const rows = Array.from({ length: 350 }, (_, at) => [
      `K-${at},2024-02-03,paid,,k${at % 7}@old.example,,,CUP,,1,4,,,,9`,
      `K-${at},,,,,,,,Tea,1,5,,,,`,
    ]).flat()
    const { starts, operation } = await importing.importWithKills('orders', fileOf(...rows))
    assert.ok(starts > 2)
    assert.partialDeepStrictEqual(operation.result, { created: 350, unchanged: 0 })
    const { db } = importing.shop
    const found = db.selectFrom('orders').selectAll().where('number', 'like', 'K-%')
    const orders = await found.execute()
    assert.equal(orders.length, 350)
    assert.ok(orders.every(({ item_count, total }) => item_count === 2 && total === 900))
    assert.equal(new Set(orders.map(({ user_id }) => user_id)).size, 7)
  })

  for (const mediaType of [ndjsonType, 'text/csv']) {
    test(`an export of another shop is imported as ${mediaType}`, async (t) => {
      const other = await startImportingShop(kind)
      t.after(() => other.dispose())
      const { admin } = other
      const fields = { name: 'Cup', sku: 'CUP', price: 7 }
      const { id } = (await admin.request('POST', '/products', fields)).json
      const items = [{ product_id: id, quantity: 3 }]
      const body = { items, shipping: testShipping, note: 'Ring "twice", please.' }
      const { json: order } = await admin.request('POST', '/orders', body)
      for (const version of [1, 2]) {
        const number = `${order.number}-${version}${mediaType.length}`
        const { payload } = await other.shop.app.inject({
          url: '/orders?include=items,shipping',
          headers: {
            accept: `${mediaType};version=${version}`,
            authorization: `Bearer ${admin.token}`,
          },
        })
        const file = payload.replaceAll(order.number, number)
        const result = await importing.importFile('orders', file, mediaType)
        assert.deepEqual(result.errors, [], payload)
        const found = await orderOf(number)
        for (const name of ['status', 'total', 'tax', 'note', 'created_at', 'item_count']) {
          assert.deepEqual(found[name], order[name], name)
        }
        const shipping = await read(`/orders/${found.id}/shipping`)
        assert.partialDeepStrictEqual(shipping, { recipient: testShipping.recipient })
        assert.partialDeepStrictEqual(shipping.address, testShipping.address)
      }
    })
  }

  test('it needs the scope of orders, and a column of numbers', async () => {
    const { shop, admin } = importing
    const token = await scopedToken(shop, admin, ['imports:write', 'products:write'])
    const { statusCode, json } = await shop.app.inject({
      method: 'POST',
      url: '/imports?resource=orders',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      payload: fileOf('S-1,2024-02-03,paid,,,,,,Tea,1,4,,,,4'),
    })
    assert.deepEqual([statusCode, json().error_code], [403, '4033'])
    const unnamed = await importing.send('orders', 'status,total\npaid,4\n')
    assert.equal(unnamed.status, 422)
  })
})
