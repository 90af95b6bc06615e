import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readShopId } from '#shop/shop-id-store.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { runWaitingImports } from '#test/support/imports.ts'

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  let keys = 0
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  const send = async (
    resource: string,
    payload: string | Buffer,
    headers: Readonly<Record<string, string>> = {},
    caller = admin,
  ) => {
    const response = await shop.app.inject({
      method: 'POST',
      url: `/imports?resource=${resource}`,
      headers: {
        authorization: `Bearer ${caller.token}`,
        'content-type': 'text/csv',
        ...headers,
      },
      payload,
    })
    return { status: response.statusCode, headers: response.headers, json: response.json() }
  }
  const run = () => runWaitingImports(shop)
  /** Imports a file and returns the operation and its errors. */
  const importFile = async (resource: string, payload: string | Buffer, headers = {}) => {
    const { status, json } = await send(resource, payload, headers)
    assert.equal(status, 202, JSON.stringify(json))
    await run()
    const { json: operation } = await admin.request('GET', `/operations/${json.id}`)
    const errors = await admin.request('GET', `/operations/${json.id}/errors?limit=100`)
    const listed = errors.json.data.map(
      (error: { line: number; field: string | null; error_code: string }) =>
        [error.line, error.field, error.error_code] as const,
    )
    assert.equal(operation.progress.done + operation.progress.failed, operation.progress.total)
    return { operation, errors: listed }
  }
  const ndjson = { 'content-type': 'application/x-ndjson' }
  const productOf = async (sku: string) =>
    (await admin.request('GET', `/products?sku=${encodeURIComponent(sku)}&variants=all`)).json
      .data[0]
  const eventsOf = async (id: number) =>
    (await admin.request('GET', `/events?subject=/products/${id}&limit=1000`)).json.data.map(
      ({ type }: { type: string }) => type,
    )
  const sku = () => `IMP-${kind}-${keys++}`

  test('products are created, and changed in the columns of the file', async () => {
    const [one, two] = [sku(), sku()]
    const first = await importFile(
      'products',
      `sku,name,price,stock,category\r\n${one},Kettle,19.99,3,kitchen\r\n${two},Pan,5,,\r\n`,
    )
    assert.partialDeepStrictEqual(first.operation.result, { created: 2, updated: 0, unchanged: 0 })
    assert.equal(first.operation.status, 'succeeded')
    const kettle = await productOf(one)
    assert.deepEqual(
      [kettle.name, kettle.price, kettle.stock, kettle.category, kettle.availability],
      ['Kettle', 19.99, 3, 'kitchen', 'in_stock'],
    )
    assert.equal((await productOf(two)).stock, null)
    const second = await importFile('products', `sku,stock\n${one},0\n`)
    assert.partialDeepStrictEqual(second.operation.result, { created: 0, updated: 1, unchanged: 0 })
    const sold = await productOf(one)
    assert.deepEqual([sold.name, sold.stock, sold.availability], ['Kettle', 0, 'out_of_stock'])
    assert.deepEqual(await eventsOf(kettle.id), ['product.created', 'product.out_of_stock'])
    const found = await admin.request('GET', '/products?q=kettle')
    assert.ok(found.json.data.some(({ id }: { id: number }) => id === kettle.id))
  })

  test('rows that change nothing change no ETag and give no events', async () => {
    const key = sku()
    const file = `sku,name,price,category\n${key},Kettle,5,Kitchen\n`
    await importFile('products', file)
    const { id } = await productOf(key)
    const before = await admin.request('GET', `/products/${id}`)
    shop.now += 1000
    const { operation } = await importFile('products', file.replace('Kitchen', ' KITCHEN'))
    assert.partialDeepStrictEqual(operation.result, { created: 0, updated: 0, unchanged: 1 })
    const now = await admin.request('GET', `/products/${id}`)
    assert.equal(now.headers['etag'], before.headers['etag'])
    assert.equal(now.json.updated_at, before.json.updated_at)
    assert.deepEqual(await eventsOf(id), ['product.created'])
  })

  test('every bad row is named by line and field, and the others are imported', async () => {
    const [good, other] = [sku(), sku()]
    const { operation, errors } = await importFile(
      'products',
      [
        'sku,description,name,price,availability',
        `${good},"Two`,
        'lines",Good,5,',
        '',
        `,,No SKU,5,`,
        `${sku()},,Dear,cheap,`,
        `${sku()},,Many decimals,1.999,gone`,
        `${sku()},,Short,1`,
        `${sku()},,,,`,
        `${other},,Last,7,`,
      ].join('\r\n'),
    )
    assert.deepEqual(errors, [
      [5, 'sku', '4001'],
      [6, 'price', '4221'],
      [7, 'price', '4221'],
      [7, 'availability', '4221'],
      [8, null, '4221'],
      [9, 'name', '4001'],
      [9, 'price', '4001'],
    ])
    assert.deepEqual(operation.progress, { done: 2, total: 7, failed: 5 })
    assert.equal(operation.status, 'succeeded')
    assert.equal((await productOf(good)).description, 'Two\r\nlines')
    assert.equal((await productOf(other)).name, 'Last')
  })

  test('NDJSON rows have the fields that they have; the same key twice: the last wins', async () => {
    const key = sku()
    const rows = [
      { sku: key, name: 'Kettle', price: 5 },
      { sku: key, price: 6 },
      { sku: key, stock: 4, unknown: 1 },
      { sku: key, stock: 4 },
      [],
    ]
    const { operation, errors } = await importFile(
      'products',
      `\ufeff${rows.map((row) => JSON.stringify(row)).join('\n')}\n\n{"sku":`,
      ndjson,
    )
    assert.deepEqual(errors, [
      [5, null, '4221'],
      [7, null, '4002'],
    ])
    assert.deepEqual(operation.result, {
      ...{ created: 1, updated: 2, unchanged: 1, overwritten: 3, made_skus: 0, warnings: [] },
      detected: { format: 'cartwright', separator: null, encoding: 'UTF-8', decimal: null },
      ...{ mapping: {}, ignored_columns: [{ name: 'unknown', values: 1 }] },
      repeated_keys: [{ key, count: 4, rows: [1, 2, 3, 4] }],
    })
    const { name, price, stock } = await productOf(key)
    assert.deepEqual([name, price, stock], ['Kettle', 6, 4])
  })

  test('a repeated column, and none by which rows are found, reject the whole file', async () => {
    for (const [resource, header, field, reason] of [
      ['products', 'sku,name,SKU', 'SKU', 'occurs more than once'],
      ['products', 'Vendor;Title', 'sku', 'must be a column of the file, which has: Vendor, Title'],
      ['stock', 'stock', 'sku', 'must be a column of the file, which has: stock'],
      ['users', 'name', 'external_id', 'must be a column of the file, which has: name'],
    ] as const) {
      const { status, json } = await send(resource, `${header}\n${sku()},x,y\n`)
      assert.deepEqual([status, json.error_code], [422, '4221'])
      const [{ field: named, message }] = json.errors
      assert.deepEqual([named, message], [field, reason])
    }
    assert.equal((await send('products', '')).status, 422)
  })

  test('a column that means nothing is told with the number of its values', async () => {
    const file = `Vendor,sku,name,price,,price.value,\nACME,${sku()},Cup,5,,9,\n,${sku()},Pan,6,,9,\n`
    const { operation, errors } = await importFile('products', file)
    assert.deepEqual(errors, [])
    assert.deepEqual([operation.outcome, operation.progress.total], ['complete', 2])
    assert.deepEqual(operation.result.ignored_columns, [
      { name: 'Vendor', values: 1 },
      { name: 'price.value', values: 2 },
    ])
  })

  test('what an export has besides is ignored, and its quotes are taken off', async () => {
    const key = sku()
    await importFile(
      'products',
      `\ufeffid,sku,name,price,rating.average,_links.self.href,created_at\n9,${key},'=1+1,5,,/x,2020-01-01T00:00:00.000Z\n`,
    )
    assert.equal((await productOf(key)).name, '=1+1')
  })

  test('variants follow the rules of the API', async () => {
    const { json: parent } = await admin.request('POST', '/products', { name: 'Shirt', price: 1 })
    const [small, medium, twin] = [sku(), sku(), sku()]
    const own = await readShopId(shop.db)
    const { operation, errors } = await importFile(
      'products',
      [
        'sku,name,price,variant_of,options,options.Size,shop_id',
        `${small},Shirt S,9,${parent.id},"{""size"":""S""}",,${own}`,
        `${medium},Shirt M,8,${parent.id},,M,${own}`,
        `${twin},Shirt m,8,${parent.id},,m,${own}`,
        `${sku()},No parent,8,999999999,,m,${own}`,
        `${sku()},Unknown shop,8,${parent.id},,L,`,
        `${sku()},Other shop,8,${parent.id},,L,${randomUUID()}`,
      ].join('\n'),
    )
    assert.deepEqual(errors, [
      [4, null, '4092'],
      [5, 'variant_of', '4221'],
      [6, 'variant_of', '4221'],
      [7, 'variant_of', '4221'],
    ])
    assert.partialDeepStrictEqual(operation.result, { created: 2, updated: 0, unchanged: 0 })
    assert.deepEqual((await productOf(medium)).options, { size: 'M' })
    const { json } = await admin.request('GET', `/products/${parent.id}`)
    assert.deepEqual([json.option_names, json.price_from], [['size'], 8])
  })

  test('an ID is that of the product with the SKU, but in a file of another shop', async () => {
    const key = sku()
    const { json } = await admin.request('POST', '/products', { name: 'Zero', price: 1, sku: key })
    const { id } = json
    shop.now += 1000
    const file = ['id,sku,name,price,shop_id']
    const own = await readShopId(shop.db)
    file.push(`${id},${key},Zero,2,`, `${id},0${key},Zero,2,`, `${id},00${key},Zero,2,${own}`)
    file.push(`${id},000${key},Other,3,${randomUUID()}`)
    const { operation, errors } = await importFile('products', file.join('\n'))
    assert.deepEqual(errors, [
      [3, 'id', '4221'],
      [4, 'id', '4221'],
    ])
    assert.partialDeepStrictEqual(operation.result, { created: 1, updated: 1 })
    assert.equal((await productOf(key)).id, id)
    const stock = await importFile('stock', `id,sku,stock\n${id},0${key},5\n,${key},\n`)
    assert.deepEqual(stock.errors, [
      [2, 'id', '4221'],
      [3, 'stock', '4001'],
    ])
  })

  test('variants name their parent by its SKU, also in the file that creates it', async () => {
    const [parent, small, medium, early, late] = [sku(), sku(), sku(), sku(), sku()]
    const { operation, errors } = await importFile(
      'products',
      [
        'sku,name,price,variant_of_sku,options.size',
        `${early},Hat S,9,${late},S`,
        `${parent},Shirt,20,,`,
        `${small},Shirt S,20,${parent.toLowerCase()},S`,
        `${medium},Shirt M,20,${parent},M`,
        `${late},Hat,9,,`,
      ].join('\n'),
    )
    assert.deepEqual(errors, [])
    assert.partialDeepStrictEqual(operation.result, { created: 5, updated: 0, unchanged: 0 })
    assert.equal((await productOf(early)).variant_of, (await productOf(late)).id)
    const { id } = await productOf(parent)
    assert.deepEqual(
      [(await productOf(small)).variant_of, (await productOf(parent)).price_from],
      [id, 20],
    )
    const rows = [
      { sku: small, variant_of_sku: parent, variant_of: id },
      { sku: small, variant_of_sku: parent, variant_of: id + 1 },
      { sku: small, variant_of_sku: 7 },
      { sku: medium, variant_of_sku: null, options: null },
    ]
    const text = rows.map((row) => JSON.stringify(row)).join('\n')
    const again = await importFile('products', text, ndjson)
    assert.deepEqual(again.errors, [
      [2, 'variant_of_sku', '4221'],
      [3, 'variant_of_sku', '4221'],
    ])
    assert.partialDeepStrictEqual(again.operation.result, { created: 0, updated: 1, unchanged: 1 })
    assert.equal((await productOf(medium)).variant_of, undefined)
  })

  test('parents come before their variants wherever they stand, also where an import stops', async () => {
    const [first, second, unknown] = [sku(), sku(), sku()]
    const sizes = Array.from({ length: 400 }, (_, at) => `${at}`)
    const rows = [
      ...sizes.map((size) => ({ sku: `${first}-${size}`, parent: at(size), size })),
      { sku: unknown, parent: sku(), size: 'S' },
      { sku: second, parent: '', size: '' },
      { sku: first, parent: '', size: '' },
      { sku: second, parent: '', size: '' },
    ].map((row) => `${row.sku},Shirt,20,${row.parent},${row.size}`)
    function at(size: string) {
      return Number(size) % 2 ? first : second
    }
    const file = ['sku,name,price,variant_of_sku,options.size', ...rows, '"'].join('\n')
    const { json } = await send('products', file)
    const readOperation = async () => (await admin.request('GET', `/operations/${json.id}`)).json
    let starts = 0
    for (; (await readOperation()).finished_at === null; starts += 1) {
      const stopping = new AbortController()
      let claims = 0
      const onClaim = () => {
        claims += 1
        if (claims === 2) stopping.abort()
      }
      await runWaitingImports(shop, { onClaim, signal: stopping.signal })
    }
    assert.ok(starts > 3, 'it has been stopped in both readings')
    const { result, progress, status } = await readOperation()
    assert.equal(status, 'failed', 'the last line cannot be read')
    assert.partialDeepStrictEqual(result, { created: 402, updated: 0, unchanged: 1 })
    assert.deepEqual([progress.done, progress.failed], [403, 1])
    const { id, option_names } = await productOf(first)
    assert.deepEqual([(await productOf(`${first}-399`)).variant_of, option_names], [id, ['size']])
  })

  test('the stock of a product with variants is an error of its row', async () => {
    const [parent, variant] = [sku(), sku()]
    const { json } = await admin.request('POST', '/products', {
      name: 'Tee',
      price: 5,
      sku: parent,
    })
    const options = { variant_of: json.id, options: { size: 'S' } }
    const body = { name: 'Tee S', price: 5, sku: variant, stock: 1, ...options }
    assert.equal((await admin.request('POST', '/products', body)).status, 201)
    const rows = `${parent},7\n${variant},7\n`
    const { errors, operation } = await importFile('stock', `sku,stock\n${rows}`)
    assert.deepEqual(errors, [[2, 'stock', '4091']])
    assert.equal(operation.result.updated, 1)
    const empty = await importFile('stock', `sku,stock\n${parent},\n`)
    assert.deepEqual([empty.errors, empty.operation.result.unchanged], [[], 1])
  })

  test('stock and prices change products that exist, and nothing else', async () => {
    const key = sku()
    await importFile('products', `sku,name,price,stock\n${key},Kettle,5,1\n`)
    const stock = await importFile('stock', `sku,stock\n${key},7\n${sku()},1\n${key},-1\n`)
    assert.deepEqual(stock.errors, [
      [3, null, '4041'],
      [4, 'stock', '4221'],
    ])
    const prices = await importFile('prices', `{"sku":"${key}","price":6.5,"name":"x"}\n`, ndjson)
    assert.deepEqual(prices.operation.result.ignored_columns, [{ name: 'name', values: 1 }])
    const { name, price, stock: left } = await productOf(key)
    assert.deepEqual([name, price, left], ['Kettle', 6.5, 7])
  })

  test('a file may have the form of version 2', async () => {
    const [one, two] = [sku(), sku()]
    const first = await importFile(
      'products',
      [
        'sku,name,price.amount,price.currency,availability.status,availability.stock',
        `${one},Kettle,19.99,USD,preorder,4`,
        `${two},Pan,5.00,USD,,`,
        `${sku()},Cup,5.00,EUR,,`,
        `${sku()},Cup,,USD,,`,
        `${sku()},Cup,,,,`,
      ].join('\n'),
    )
    assert.deepEqual(first.errors, [
      [4, 'price.currency', '4221'],
      [5, 'price.amount', '4001'],
      [6, 'price', '4001'],
    ])
    const read = async (key: string) => {
      const { price, availability, stock } = await productOf(key)
      return [price, availability, stock]
    }
    assert.deepEqual(await read(one), [19.99, 'preorder', 4])
    assert.deepEqual(await read(two), [5, 'in_stock', null])
    const row = { sku: one, price: { amount: '20.00', currency: 'USD' } }
    const more = { sku: two, price: 6, availability: { status: 'discontinued' } }
    const lines = [row, { ...row, sku: two, availability: { stock: 7 } }, more]
    const { errors } = await importFile(
      'products',
      lines.map((line) => JSON.stringify(line)).join('\n'),
      ndjson,
    )
    assert.deepEqual(errors, [[3, 'price', '4221']])
    assert.deepEqual(await read(one), [20, 'preorder', 4])
    assert.deepEqual(await read(two), [20, 'in_stock', 7])
    const prices = await importFile('prices', `sku,price.amount,price.currency\n${one},7,USD\n`)
    assert.deepEqual([prices.errors, await read(one)], [[], [7, 'preorder', 4]])
  })

  test('users are found by their email; roles cannot be changed', async () => {
    const email = `Import-${keys++}@Example.com`
    const { operation, errors } = await importFile(
      'users',
      `email,name,age,role\n${email},Ada,36,\n,Nobody,1,\nb${email},Eve,1,admin\nnot an email,Eve,1,\n`,
    )
    assert.deepEqual(errors, [
      [3, 'email', '4001'],
      [4, 'role', '4031'],
      [5, 'email', '4221'],
    ])
    assert.equal(operation.progress.failed, 3)
    const changed = await importFile('users', `email,name,age\n${email},Ada Lovelace,37\n`)
    assert.partialDeepStrictEqual(changed.operation.result, {
      created: 0,
      updated: 1,
      unchanged: 0,
    })
    const again = await importFile('users', `email,role,age\n${email.toLowerCase()},customer,\n`)
    assert.partialDeepStrictEqual(again.operation.result, { created: 0, updated: 1, unchanged: 0 })
    const { json } = await admin.request('GET', `/users?email=${encodeURIComponent(email)}`)
    assert.deepEqual([json.data[0].name, json.data[0].age], ['Ada Lovelace', null])
  })

  test('a row that the database rejects costs few transactions', async () => {
    const taken = `taken-${kind}`
    const { status } = await admin.request('POST', '/users', { name: 'x', username: taken })
    assert.equal(status, 201)
    const rows = Array.from({ length: 64 }, (_, at) => `row-${at}-${kind}@example.com,x,`)
    rows[40] = `row-40-${kind}@example.com,x,${taken}`
    const { json } = await send('users', `email,name,username\n${rows.join('\n')}\n`)
    let transactions = 0
    const { transaction } = shop.parts
    const counted: typeof transaction = (work) => {
      transactions += 1
      return transaction(work)
    }
    await runWaitingImports(shop, { transaction: counted })
    const { json: ended } = await admin.request('GET', `/operations/${json.id}`)
    assert.deepEqual(ended.progress, { done: 63, total: 64, failed: 1 })
    assert.ok(transactions < 20, String(transactions))
  })

  test('a credential without a password cannot change who somebody is', async () => {
    const { json: victim } = await admin.request('POST', '/users', {
      name: 'Vera',
      email: `vera-${keys++}@example.com`,
    })
    const { json: key } = await admin.request('POST', '/api-keys', {
      name: 'Importer',
      scopes: ['imports:write', 'users:write'],
    })
    const headers = { authorization: `Api-Key ${key.key}`, 'content-type': 'text/csv' }
    const post = (resource: string, payload: string) =>
      shop.app.inject({ method: 'POST', url: `/imports?resource=${resource}`, headers, payload })
    assert.equal((await post('products', 'sku\n')).json().error_code, '4033')
    const started = await post(
      'users',
      `email,name,username\n${victim.email},Vera,mine-${keys++}\n`,
    )
    await run()
    const { json } = await admin.request('GET', `/operations/${started.json().id}/errors`)
    assert.deepEqual([json.data[0].field, json.data[0].error_code], ['username', '4033'])
  })

  test('the erasure of a user takes emails and values from errors of imported users', async () => {
    const email = `${sku()}@example.com`
    const { operation, errors } = await importFile('users', `email,name,age\n${email},Ada,old\n`)
    assert.equal(errors.length, 1)
    const read = async () => {
      const { json } = await admin.request('GET', `/operations/${operation.id}/errors`)
      return json.data.map(({ key, value }: Record<string, unknown>) => [key, value])
    }
    assert.deepEqual(await read(), [[email, 'old']])
    const { id } = await shop.signUp()
    assert.equal((await admin.request('DELETE', `/users/${id}`)).status, 204)
    assert.deepEqual(await read(), [[null, null]])
  })

  test('a dry run checks every row and stores none', async () => {
    const key = sku()
    const { operation, errors } = await importFile(
      'products&dry_run=true',
      `sku,name,price\n${key},Kettle,5\n${sku()},Pan,x\n`,
    )
    assert.equal(operation.dry_run, true)
    assert.partialDeepStrictEqual(operation.result, { created: 1, updated: 0, unchanged: 0 })
    assert.deepEqual(errors, [[3, 'price', '4221']])
    assert.equal(await productOf(key), undefined)
  })

  test('a file that cannot be read any further fails, and its rows so far stay', async () => {
    const key = sku()
    const { operation } = await importFile(
      'products',
      `sku,name,price\n${key},Kettle,5\n${sku()},"Pan,5\n`,
    )
    assert.equal(operation.status, 'failed')
    assert.match(operation.failure, /never closed/)
    assert.equal((await productOf(key)).name, 'Kettle')
    const long = await importFile(
      'products',
      `{"sku":"x","name":"${'x'.repeat(1_100_000)}"}`,
      ndjson,
    )
    assert.deepEqual([long.operation.status, long.operation.progress.total], ['failed', 0])
  })

  test('a CSV record that is too long fails the import, as a header the request', async () => {
    const key = sku()
    const long = 'x'.repeat(2_000_000)
    const { operation } = await importFile(
      'products',
      `sku,name,price\n${key},Kettle,5\n${sku()},${long},1\n${sku()},Pan,1\n`,
    )
    assert.equal(operation.status, 'failed')
    assert.match(operation.failure, /line 3 has more than/)
    assert.equal((await productOf(key)).name, 'Kettle')
    const { status, json } = await send('products', `${long}\n`)
    assert.deepEqual([status, json.error_code], [422, '4221'])
  })

  test('a file whose Content-Type names another charset than UTF-8 is rejected', async () => {
    const headers = { 'content-type': 'text/csv; charset=iso-8859-1' }
    const { status, json } = await send('products', 'sku,name,price\n', headers)
    assert.deepEqual([status, json.error_code], [415, '4151'])
    const utf8 = { 'content-type': 'text/csv; charset=UTF-8' }
    assert.equal((await send('products', 'sku,name,price\n', utf8)).status, 202)
  })

  test('rows that are no UTF-8, or hold NUL, fail alone', async () => {
    const [bad, nul, good] = [sku(), sku(), sku()]
    const file = Buffer.concat([
      Buffer.from(`sku,name,price\n${sku()},Bücher,5\n${bad},K`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(`,5\n${nul},a\0b,5\n${good},Kettle,5\n`),
    ])
    const { operation, errors } = await importFile('products', file)
    assert.deepEqual(errors, [
      [3, null, '4002'],
      [4, 'name', '4221'],
    ])
    assert.deepEqual([operation.progress.done, operation.outcome], [2, 'partial'])
  })

  test('keys and names of fields that no database stores fail alone', async () => {
    const good = sku()
    const product = { name: 'x', price: 1 }
    const rows = [
      { ...product, sku: `${sku()}\0` },
      { ...product, sku: `${sku()}\ud800` },
      { ...product, sku: sku(), 'a\0b': 1 },
      { ...product, sku: sku(), 'a\ud800': 1 },
      { ...product, sku: sku(), ['k'.repeat(1000)]: 1 },
      { ...product, sku: good },
    ]
    const text = rows.map((row) => JSON.stringify(row)).join('\n')
    const { operation, errors } = await importFile('products', text, ndjson)
    assert.equal(operation.result.created, 4)
    assert.equal((await productOf(good)).name, 'x')
    assert.deepEqual(errors, [
      [1, 'sku', '4221'],
      [2, 'sku', '4221'],
    ])
    assert.deepEqual(operation.result.ignored_columns, [
      { name: 'a\ufffdb', values: 1 },
      { name: 'a\ufffd', values: 1 },
      { name: 'k'.repeat(200), values: 1 },
    ])
    const users = await importFile('users', '{"email":"a\\u0000@example.com","name":"x"}', ndjson)
    assert.deepEqual(users.errors, [[1, 'email', '4221']])
  })

  test('an import ends once the one who began it is no administrator any more', async () => {
    for (const change of [{ status: 'suspended' }, { role: 'customer' }, undefined]) {
      const other = await shop.signInAs('admin', { email: `importer-${sku()}@example.com` })
      const rows = [{ sku: sku(), name: 'Kettle', price: 5 }]
      const products = await send(
        'products',
        rows.map((row) => JSON.stringify(row)).join('\n'),
        ndjson,
        other,
      )
      const { json: user } = await admin.request('GET', `/users/${other.id}`)
      const file = `email,name,status\n${user.email},Back,active\n`
      const users = await send('users', file, {}, other)
      assert.deepEqual([products.status, users.status], [202, 202])
      const path = `/users/${other.id}`
      const changed = await admin.request(change ? 'PATCH' : 'DELETE', path, change)
      assert.ok(changed.status < 300, changed.text)
      await run()
      for (const { json } of [products, users]) {
        const { json: ended } = await admin.request('GET', `/operations/${json.id}`)
        assert.deepEqual([ended.status, ended.progress.done], ['cancelled', 0])
      }
      assert.equal(await productOf(rows[0]?.sku ?? ''), undefined)
      const after = await admin.request('GET', path)
      if (change) assert.deepEqual({ ...after.json, ...change }, after.json)
    }
  })

  test('an import ends once the API key that began it is revoked', async () => {
    const key = await admin.request('POST', '/api-keys', {
      name: 'Importer',
      scopes: ['imports:write', 'products:write'],
    })
    assert.equal(key.status, 201, key.text)
    const rows = [0, 1].map(() => ({ sku: sku(), name: 'Kettle', price: 5 }))
    const begin = (row: object) =>
      send('products', JSON.stringify(row), {
        ...ndjson,
        authorization: `Api-Key ${key.json.key}`,
      })
    const first = await begin(rows[0] ?? {})
    assert.equal(first.status, 202, JSON.stringify(first.json))
    await run()
    assert.ok(await productOf(rows[0]?.sku ?? ''))
    const second = await begin(rows[1] ?? {})
    assert.equal((await admin.request('DELETE', `/api-keys/${key.json.id}`)).status, 204)
    await run()
    const { json } = await admin.request('GET', `/operations/${second.json.id}`)
    assert.equal(json.status, 'cancelled')
    assert.equal(await productOf(rows[1]?.sku ?? ''), undefined)
  })

  test('the digest is verified before the response, and nothing is left of a wrong one', async () => {
    const file = `sku,name,price\n${sku()},Kettle,5\n`
    const digest = createHash('sha256').update(file).digest('base64')
    const right = await send('products', file, { 'content-digest': `sha-256=:${digest}:` })
    assert.equal(right.status, 202)
    assert.equal(right.headers['location'], `/operations/${right.json.id}`)
    const wrong = await send('products', `${file} `, { 'content-digest': `sha-256=:${digest}:` })
    assert.deepEqual([wrong.status, wrong.json.error_code], [400, '4001'])
    await run()
    const left = await shop.db.selectFrom('operation_parts').selectAll().execute()
    assert.deepEqual(left, [])
    const receiving = shop.db.selectFrom('operations').where('status', '=', 'receiving')
    assert.deepEqual(await receiving.selectAll().execute(), [])
  })

  test('a compressed file is imported', async () => {
    const key = sku()
    await importFile('products', gzipSync(`sku,name,price\n${key},Kettle,5\n`), {
      'content-encoding': 'gzip',
    })
    assert.equal((await productOf(key)).name, 'Kettle')
  })

  test('the same Idempotency-Key starts one import', async () => {
    const file = `sku,name,price\n${sku()},Kettle,5\n`
    const key = { 'idempotency-key': `import-${kind}` }
    const first = await send('products', file, key)
    const again = await send('products', file, key)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal(again.json.id, first.json.id)
    assert.equal((await send('products', `${file}\n`, key)).json.error_code, '4222')
    assert.equal(await run(), 1)
  })

  test('an operation can be cancelled until it ends', async () => {
    const { json } = await send('products', `sku,name,price\n${sku()},Kettle,5\n`)
    assert.equal(json._links.cancel.method, 'DELETE')
    assert.equal((await admin.request('DELETE', `/operations/${json.id}`)).status, 204)
    assert.equal((await admin.request('DELETE', `/operations/${json.id}`)).status, 204)
    assert.equal(await run(), 0)
    const { json: ended } = await admin.request('GET', `/operations/${json.id}`)
    assert.deepEqual([ended.status, ended._links.cancel], ['cancelled', undefined])
    const { operation: done } = await importFile('products', `sku,name,price\n${sku()},Kettle,5\n`)
    const late = await admin.request('DELETE', `/operations/${done.id}`)
    assert.deepEqual([late.status, late.json.error_code], [409, '4091'])
  })

  test('an import whose process dies goes on after its last batch, and no row is imported twice', async () => {
    const key = sku()
    await importFile('products', `sku,name,price,stock\n${key},Kettle,5,0\n`)
    const { id } = await productOf(key)
    // A key that occurs again begins a new batch.
    const { json } = await send(
      'stock',
      `sku,stock\n${[1, 2, 3, 4, 5, 6].map((n) => `${key},${n}\n`).join('')}`,
    )
    const { transaction } = shop.parts
    let commits = 0
    const dying: typeof transaction = (work) => {
      commits += 1
      return transaction(async (db) => {
        const result = await work(db)
        if (commits === 4) throw new Error('killed')
        return result
      })
    }
    const dies = runWaitingImports(shop, { transaction: dying })
    await assert.rejects(dies, /killed/)
    assert.equal(await run(), 0, 'the claim has not ended')
    const { json: halfway } = await admin.request('GET', `/operations/${json.id}`)
    assert.deepEqual([halfway.status, halfway.progress.done], ['running', 3])
    shop.now += 30_000
    assert.equal(await run(), 1)
    const { json: ended } = await admin.request('GET', `/operations/${json.id}`)
    assert.deepEqual([ended.status, ended.progress.done], ['succeeded', 6])
    assert.deepEqual(await eventsOf(id), [
      'product.created',
      'product.back_in_stock',
      ...Array.from({ length: 5 }, () => 'product.updated'),
    ])
  })

  test('an import that ends its process again and again is given up', async () => {
    const { json } = await send('products', `sku,name,price\n${sku()},Kettle,5\n`)
    const transaction = async () => {
      throw new Error('killed')
    }
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const dies = runWaitingImports(shop, { transaction })
      await assert.rejects(dies, /killed/)
      shop.now += 30_000
    }
    assert.equal(await run(), 1)
    const { json: ended } = await admin.request('GET', `/operations/${json.id}`)
    assert.deepEqual([ended.status, ended.progress.done], ['failed', 0])
    assert.match(ended.failure, /beyond line 1, /)
  })

  test('Prefer: wait answers once the import has ended', async () => {
    const file = `sku,name,price\n${sku()},Kettle,5\n`
    const [done] = await Promise.all([
      send('products', file, { prefer: 'wait=20' }),
      (async () => {
        while ((await run()) === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      })(),
    ])
    assert.deepEqual([done.status, done.json.status], [200, 'succeeded'])
    assert.equal(done.headers['preference-applied'], 'wait=20')
    const { json } = await send('products', file)
    const [read] = await Promise.all([
      admin.request('GET', `/operations/${json.id}`, undefined, { prefer: 'wait=20' }),
      run(),
    ])
    assert.deepEqual(
      [read.json.status, read.headers['preference-applied']],
      ['succeeded', 'wait=20'],
    )
  })

  test('the end of an import is an event', async () => {
    const { operation } = await importFile('products', `sku,name,price\n${sku()},Kettle,5\n`)
    const { json } = await admin.request('GET', `/events?subject=/operations/${operation.id}`)
    assert.equal(json.data[0].type, 'import.completed')
    const { repeated_keys: _, ...result } = operation.result
    assert.deepEqual(json.data[0].data.result, result)
  })

  test('only administrators with the scopes import and see operations', async () => {
    const customer = await shop.signInAs('customer')
    assert.equal((await send('products', 'sku\n', {}, customer)).json.error_code, '4031')
    assert.equal((await customer.request('GET', '/operations')).json.error_code, '4031')
    const { json } = await admin.request('GET', '/operations?status=succeeded&sort=created_at')
    assert.ok(json.data.length > 0)
  })
})
