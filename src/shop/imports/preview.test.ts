import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase } from '#test/support/app.ts'
import { type ImportingShop, runWaitingImports, startImportingShop } from '#test/support/imports.ts'

eachDatabase((kind) => {
  let shop: ImportingShop
  before(async () => {
    shop = await startImportingShop(kind)
  })
  after(() => shop.dispose())

  /** Returns what a dry run says of a file. */
  const tryFile = async (resource: string, file: string, type?: string) => {
    const { operation } = await shop.importFile(`${resource}&dry_run=true`, file, type)
    assert.equal(operation.status, 'succeeded')
    return operation.result
  }

  test('a dry run says what each column is, and shows the first rows as they would become', async () => {
    await shop.importFile('products', 'sku,name,price\nT-1,Tea,5\nT-2,Cup,6\n')
    const result = await tryFile(
      'products',
      'SKU;Name;Price;options.Size;Remark;created_at;rating.count\nT-1;Tea;5;;x;;0\nT-2;Mug;7,5;;;;\nT-3;Pot;9,25;;;;\nT-4;;9,1;;;;\n',
    )
    const { mapping, preview } = result
    assert.deepEqual(mapping, {
      ...{ SKU: 'sku', Name: 'name', Price: 'price' },
      ...{ 'options.Size': 'options.Size', Remark: null, created_at: null },
      'rating.count': null,
    })
    assert.deepEqual(preview, [
      {
        ...{ row: 2, key: 'T-1', outcome: 'unchanged' },
        fields: { sku: 'T-1', name: 'Tea', price: '5' },
      },
      {
        ...{ row: 3, key: 'T-2', outcome: 'updated' },
        fields: { sku: 'T-2', name: 'Mug', price: '7.5' },
      },
      {
        ...{ row: 4, key: 'T-3', outcome: 'created' },
        fields: { sku: 'T-3', name: 'Pot', price: '9.25' },
      },
      {
        ...{ row: 5, key: 'T-4', outcome: 'failed' },
        fields: { sku: 'T-4', name: null, price: '9.1' },
      },
    ])
    assert.equal(await shop.productOf('T-3'), undefined)
  })

  test('rows of another system are shown in the fields of the shop, in the order of the file', async () => {
    const header =
      'Handle,Title,Tags,Variant Price,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Image Src,Vendor code'
    const { mapping, preview } = await tryFile(
      'products',
      `${header}\ntee,Tee,"a, b",9.90,Size,S,TEE-S,120,https://example.com/tee.jpg,7\ntee,,,9.90,,M,TEE-M,130,,\n`,
    )
    assert.deepEqual(mapping, {
      ...{ Handle: 'handle', Title: 'name', Tags: 'tags', 'Variant Price': 'price' },
      ...{ 'Variant SKU': 'sku', 'Variant Grams': 'weight_grams' },
      ...{ 'Image Src': 'image_url', 'Vendor code': null },
    })
    assert.deepEqual(
      preview.map(({ row, key }: { row: number; key: string }) => [row, key]),
      [
        [2, 'tee'],
        [2, 'TEE-S'],
        [3, 'TEE-M'],
      ],
    )
    const [tee, small] = preview
    assert.partialDeepStrictEqual(tee.fields, {
      ...{ tags: '["a","b"]', image_urls: 'https://example.com/tee.jpg' },
    })
    assert.partialDeepStrictEqual(small.fields, {
      ...{ price: '9.9', 'options.Size': 'S', weight_grams: '120', variant_of_sku: 'tee' },
    })
  })

  test('a mapping of the request is told, and a parent after its variants stays at its place', async () => {
    const form = new FormData()
    form.append('mapping', JSON.stringify({ Article: 'sku', Text: null }))
    const file = 'Article,Name,Price,Text,variant_of_sku,options.Size\n'
    const rows = 'V-S,Vest S,5,x,VEST,S\nVEST,Vest,5,,,\n'
    form.append('file', new Blob([file + rows], { type: 'text/csv' }), 'vests.csv')
    const request = new Request('http://localhost/', { method: 'POST', body: form })
    const type = request.headers.get('content-type') ?? ''
    const payload = Buffer.from(await request.arrayBuffer())
    const path = await shop.begin('products&dry_run=true', payload, type)
    await runWaitingImports(shop.shop)
    const { result } = await shop.read(path)
    assert.partialDeepStrictEqual(result.mapping, { Article: 'sku', Text: null, Name: 'name' })
    assert.deepEqual(
      result.preview.map(({ key, outcome }: { key: string; outcome: string }) => [key, outcome]),
      [
        ['V-S', 'created'],
        ['VEST', 'created'],
      ],
    )
  })

  test('keys that repeat are told with their rows, also by an import', async () => {
    const rows = ['A-1', 'A-2', 'a-1', 'A-3', 'A-1', 'A-2'].map((sku, at) => `${sku},Any,${at + 1}`)
    const file = `sku,name,price\n${rows.join('\n')}\n`
    const expected = [
      { key: 'a-1', count: 3, rows: [2, 4, 6] },
      { key: 'A-2', count: 2, rows: [3, 7] },
    ]
    const tried = await tryFile('products', file)
    assert.deepEqual(tried.repeated_keys, expected)
    assert.equal(tried.overwritten, 3)
    const { operation } = await shop.importFile('products', file)
    assert.deepEqual(operation.result.repeated_keys, expected)
    assert.equal('preview' in operation.result, false)
  })

  test('what is told is bounded: rows, values, the fields of a row, repeated keys', async () => {
    const attributes = Object.fromEntries(
      Array.from({ length: 90 }, (_, at) => [`Property ${at}`, 'é'.repeat(300)]),
    )
    const lines = Array.from({ length: 300 }, (_, at) => ({
      ...{ sku: `B-${at % 150}`, name: 'N'.repeat(200), price: 1, attributes },
    }))
    const file = lines.map((line) => JSON.stringify(line)).join('\n')
    const { mapping, preview, repeated_keys } = await tryFile(
      'products',
      file,
      'application/x-ndjson',
    )
    assert.deepEqual(mapping, {})
    assert.equal(preview.length, 10)
    assert.equal(repeated_keys.length, 100)
    assert.equal(preview[0].fields.name, 'N'.repeat(100))
    assert.equal(preview[0].fields['attributes.Property 0'], 'é'.repeat(100))
    assert.ok(Buffer.byteLength(JSON.stringify(preview)) < 10 * 5000)
  })

  test('rows and repeated keys need the scope of what is imported, and go when any user is erased', async () => {
    const person = 'nora@example.com,Nora\n'
    const path = await shop.begin('users&dry_run=true', `email,name\n${person}${person}`)
    await runWaitingImports(shop.shop)
    const narrow = async (scopes: readonly string[]) => {
      const { json } = await shop.admin.request('POST', '/api-keys', { name: 'narrow', scopes })
      const headers = { authorization: `Api-Key ${json.key}` }
      const one = await shop.shop.request('GET', path, undefined, headers)
      const all = await shop.shop.request(
        'GET',
        '/operations?limit=1&order=desc',
        undefined,
        headers,
      )
      assert.deepEqual([one.status, all.status], [200, 200])
      return one.text + all.text
    }
    const shown = await narrow(['imports:write', 'users:write'])
    assert.equal(shown.match(/"preview":\[\{"row":2,"key":"nora@example\.com"/g)?.length, 2)
    const hidden = await narrow(['imports:write', 'products:write'])
    assert.doesNotMatch(hidden, /nora|preview|repeated_keys/)
    assert.match(hidden, /"mapping":\{"email":"email","name":"name"\}/)
    const told = [
      await shop.shop.db.selectFrom('events').selectAll().execute(),
      await shop.shop.db.selectFrom('outbox').selectAll().execute(),
    ]
    assert.match(JSON.stringify(told), /import\.completed/)
    assert.doesNotMatch(JSON.stringify(told), /nora/)
    const before = await shop.read(path)
    assert.equal(before.result.preview.length, 2)
    const other = await shop.shop.signInAs('customer')
    assert.equal((await shop.admin.request('DELETE', `/users/${other.id}`)).status, 204)
    const { result } = await shop.read(path)
    assert.deepEqual([result.preview, result.repeated_keys], [[], []])
  })

  test('warnings about persons have no values without the scope of users', async () => {
    const phone = `0${'4711'.repeat(20)}`
    const header = 'First Name,Last Name,Email,Default Address Address1,Phone'
    const { operation } = await shop.importFile(
      'users',
      `${header}\nIda,Long,ida@example.com,,${phone}\n`,
    )
    const [warning] = operation.result.warnings
    assert.deepEqual([warning.field, warning.value], ['phone', phone])
    const { json } = await shop.admin.request('GET', `/events?subject=/operations/${operation.id}`)
    assert.deepEqual(json.data[0].data.result.warnings, [{ ...warning, value: null }])
  })

  test('the personal data of an administrator has no rows of others', async () => {
    await tryFile('users', 'email,name\notto@example.com,Otto\n')
    const { status, text } = await shop.admin.request('GET', `/users/${shop.admin.id}?include=data`)
    assert.equal(status, 200, text)
    assert.match(text, /"dry_run":true/)
    assert.doesNotMatch(text, /otto/)
  })

  test('both versions and XML have the same', async () => {
    const path = await shop.begin(
      'products&dry_run=true',
      'sku,name,Price (EUR),price\nX-1,Tea,1,5\n',
    )
    await runWaitingImports(shop.shop)
    const { result } = await shop.read(path)
    const second = await shop.admin.request('GET', `/v2${path}`)
    assert.deepEqual(second.json.result, result)
    const xml = await shop.admin.request('GET', path, undefined, { accept: 'application/xml' })
    assert.match(xml.text, /<mapping>.*<member name="Price \(EUR\)" nil="true"\/>.*<\/mapping>/s)
    assert.match(xml.text, /<preview>.*<fields>.*<price>5<\/price>.*<\/fields>.*<\/preview>/s)
  })
})
