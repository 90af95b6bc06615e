import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readShopId } from '#shop/shop-id-store.ts'
import { createRandom, type Random } from '#src/demo/random.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { runWaitingImports } from '#test/support/imports.ts'

type Row = Readonly<Record<string, unknown>>

/** The tables in which an import leaves something besides what it imports. */
const effects = [
  'outbox',
  'events',
  'audit_events',
  'mails',
  'product_words',
  'categories',
] as const

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  let count = 0
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  const create = async (path: string, body: object) => {
    const { status, json, text } = await admin.request('POST', path, body)
    assert.equal(status, 201, text)
    return json
  }

  async function importRows(resource: string, rows: readonly Row[]) {
    const started = await shop.app.inject({
      method: 'POST',
      url: `/imports?resource=${resource}`,
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'application/x-ndjson',
      },
      payload: rows.map((row) => JSON.stringify(row)).join('\n'),
    })
    assert.equal(started.statusCode, 202, started.payload)
    await runWaitingImports(shop)
    const path = `/operations/${started.json().id}`
    const { json } = await admin.request('GET', path)
    const { id, _links, created_at, updated_at, finished_at, dry_run, ...told } = json
    const errors = await admin.request('GET', `${path}/errors?limit=100`)
    return { ...told, errors: errors.json.data }
  }

  const contents = async () => {
    const own = [...effects, 'products', 'users'] as const
    return Promise.all(own.map((table) => shop.db.selectFrom(table).selectAll().execute()))
  }

  /** Asserts that a dry run stores nothing and says what the import then says; returns that. */
  async function assertForetold(resource: string, rows: readonly Row[], name = '') {
    await shop.db.deleteFrom('outbox').execute()
    const before = await contents()
    const foretold = await importRows(`${resource}&dry_run=true`, rows)
    const unrelated = ({ type }: { readonly type: string }) => type !== 'import.completed'
    const after = await contents()
    after[0] = (after[0] as { type: string }[]).filter(unrelated) as never
    assert.deepEqual(after, before, `the dry run ${name} left something`)
    const imported = await importRows(resource, rows)
    const { preview, ...result } = foretold.result
    assert.equal(preview.length, Math.min(rows.length, 10))
    assert.deepEqual(
      { ...foretold, result },
      imported,
      `${name}\n${rows.map((row) => JSON.stringify(row)).join('\n')}`,
    )
    return imported
  }

  const unique = (text: string) => `${text}-${kind}-${count++}`

  test('a dry run sees what the rows before have led to', async () => {
    const [shirt, small, pan] = [unique('SHIRT'), unique('SMALL'), unique('PAN')]
    const { id } = await create('/products', { name: 'Shirt', price: 9, sku: shirt })
    const variant = { name: 'Shirt S', price: 9, variant_of: id, options: { size: 'S' } }
    await create('/products', { ...variant, options: { size: 'XL' } })
    const shop_id = await readShopId(shop.db)
    const rows: readonly Row[] = [
      { sku: pan, name: 'Pan', price: 5 },
      { sku: pan.toLowerCase(), stock: 3 },
      { sku: small, ...variant },
      { sku: unique('TWIN'), ...variant, options: { size: 's' } },
      { sku: unique('OTHER'), ...variant, options: { colour: 'red' } },
      { sku: shirt, stock: 4 },
      { sku: unique('KNOWN'), ...variant, options: { size: 'XL' } },
      { sku: unique('NESTED'), name: 'x', price: 1, variant_of_sku: small, options: { size: 'S' } },
      { sku: small, variant_of: null },
      { sku: shirt, stock: 4 },
    ]
    const { result, errors } = await assertForetold(
      'products',
      rows.map((row) => ({ shop_id, ...row })),
    )
    assert.partialDeepStrictEqual(result, { created: 2, updated: 2, unchanged: 2 })
    const failed = errors.map(({ line, error_code }: Row) => [line, error_code])
    assert.deepEqual(failed, [
      [4, '4092'],
      [5, '4221'],
      [7, '4092'],
      [8, '4091'],
    ])
  })

  test('a dry run finds parents that stand after their variants', async () => {
    const [shirt, small, once] = [unique('SHIRT'), unique('SMALL'), unique('ONCE')]
    const variant = { price: 9, options: { size: 'S' } }
    const { result, errors } = await assertForetold('products', [
      { sku: small, name: 'Shirt S', variant_of_sku: shirt, ...variant },
      { sku: shirt, name: 'Shirt', price: 9 },
      { sku: once, name: 'Once', price: 9 },
      { sku: unique('ONE'), name: 'Once S', variant_of_sku: once, ...variant },
      { sku: once, variant_of_sku: shirt, options: { size: 'M' } },
    ])
    assert.partialDeepStrictEqual(result, { created: 4, updated: 0, unchanged: 0 })
    assert.deepEqual(
      errors.map(({ line, error_code }: Row) => [line, error_code]),
      [[5, '4091']],
    )
  })

  test('a dry run has the texts of variants, also of those that it first knew by their parents', async () => {
    const [shirt, small] = [unique('SHIRT'), unique('SMALL')]
    const { id } = await create('/products', { name: 'Shirt', price: 9, sku: shirt })
    const texts = { name: 'Shirt S', description: 'Soft' }
    await create('/products', {
      ...{ ...texts, sku: small, price: 9, variant_of: id },
      options: { size: 'S' },
    })
    // A key that occurs again begins another batch.
    const rows = [
      { sku: shirt, price: 8 },
      { sku: shirt, price: 7 },
      { sku: small, ...texts },
    ]
    const { result } = await assertForetold('products', rows)
    assert.partialDeepStrictEqual(result, { created: 0, updated: 2, unchanged: 1 })
  })

  test('a dry run of users finds names that other rows take and give up', async () => {
    const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((name) => unique(name))
    const mail = (name: string | undefined) => `${name}@example.com`
    await create('/users', { name: 'One', email: mail(one), username: one })
    await create('/users', { name: 'Four', email: unique('other@example.com'), username: four })
    const { errors, result } = await assertForetold('users', [
      { email: mail(two), name: 'Two', username: one },
      { email: mail(one), username: three },
      { email: mail(two), name: 'Two', username: one },
      { email: mail(three), name: 'Three', username: three },
      { email: mail(three), name: 'Three', username: mail(two) },
      { email: mail(three), name: 'Three' },
      { email: mail(three), username: null },
      { email: mail(three), username: four },
    ])
    const failed = errors.map(({ line, error_code }: Row) => [line, error_code])
    assert.deepEqual(failed, [
      [1, '4092'],
      [4, '4092'],
      [5, '4221'],
      [8, '4092'],
    ])
    assert.partialDeepStrictEqual(result, { created: 2, updated: 1, unchanged: 1 })
  })

  test('a dry run of many rows goes on where another process began it', async () => {
    const rows = Array.from({ length: 400 }, (_, at) => ({
      sku: unique('ROW'),
      name: `${at}`,
      price: 1,
    }))
    const file = [...rows, ...rows.map(({ sku }) => ({ sku, stock: 2 }))]
    let commits = 0
    const { transaction } = shop.parts
    const dying: typeof transaction = (work) =>
      transaction(async (db) => {
        const done = await work(db)
        commits += 1
        if (commits === 3) throw new Error('killed')
        return done
      })
    const started = await shop.app.inject({
      method: 'POST',
      url: '/imports?resource=products&dry_run=true',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/x-ndjson' },
      payload: file.map((row) => JSON.stringify(row)).join('\n'),
    })
    await assert.rejects(runWaitingImports(shop, { transaction: dying }), /killed/)
    const path = `/operations/${started.json().id}`
    const { json: halfway } = await admin.request('GET', path)
    assert.equal(halfway.status, 'running')
    assert.ok(halfway.progress.done > 0)
    shop.now += 30_000
    assert.equal(await runWaitingImports(shop), 1)
    const { json } = await admin.request('GET', path)
    assert.partialDeepStrictEqual(json.result, { created: 400, updated: 400, unchanged: 0 })
    assert.deepEqual(json.progress, { done: 800, total: 800, failed: 0 })
  })

  const pick = <T>(random: Random, values: readonly T[]): T =>
    values[Math.floor(random() * values.length)] as T
  /** Returns some of the fields that are made. */
  const some = (
    random: Random,
    share: number,
    makers: Readonly<Record<string, () => unknown>>,
  ): Row =>
    Object.fromEntries(
      Object.entries(makers).flatMap(([name, make]) => (random() < share ? [[name, make()]] : [])),
    )

  test('a dry run of random products says what their import says', async () => {
    const ownId = await readShopId(shop.db)
    for (let seed = 1; seed <= 3; seed += 1) {
      const random = createRandom(seed)
      const skus = Array.from({ length: 7 }, (_, at) => `R${seed}${kind}${at}`)
      const parents = [
        (await create('/products', { name: 'Shirt', price: 9, sku: skus[0] })).id,
        (await create('/products', { name: 'Hat', price: 9 })).id,
      ]
      const size = () => ({ size: pick(random, ['S', 's', 'M', 'L']) })
      const makers = {
        name: () => pick(random, ['Kettle', 'Pan', ' ']),
        price: () => pick(random, [5, 6, -1]),
        stock: () => pick(random, [null, 0, 3]),
        category: () => pick(random, ['Kitchen', 'kitchen', `New ${seed}`, null]),
        variant_of: () => pick(random, [...parents, null, 'x']),
        shop_id: () => pick(random, [ownId, ownId, null, 'another shop']),
        id: () => pick(random, [...parents, null, 1e9]),
        variant_of_sku: () => pick(random, [...skus, null]),
        options: () => pick(random, [size(), size(), null, { colour: 'red' }]),
      }
      const rows = Array.from({ length: 40 }, () => ({
        ...{ sku: pick(random, skus), name: 'Shirt', price: 9 },
        ...some(random, 0.25, makers),
      }))
      const full = rows.map((row, at) =>
        at % 4 ? row : { sku: row.sku, ...some(random, 0.4, makers) },
      )
      const { result } = await assertForetold('products', full, `of seed ${seed}`)
      assert.ok(result.created > 0 && result.updated > 0)
      for (const field of ['stock', 'price'] as const) {
        const sku = () => pick(random, [...skus, 'unknown'])
        const some = Array.from({ length: 20 }, () => ({ sku: sku(), [field]: makers[field]() }))
        await assertForetold(field === 'stock' ? 'stock' : 'prices', some, `of seed ${seed}`)
      }
    }
  })

  test('a dry run of random users says what their import says', async () => {
    for (let seed = 1; seed <= 3; seed += 1) {
      const random = createRandom(seed)
      const names = Array.from({ length: 5 }, (_, at) => `u${seed}${kind}${at}`)
      const mails = names.map((name) => `${name}@example.com`)
      await create('/users', { name: 'Admin', email: mails[0], username: names[1], role: 'admin' })
      const makers = {
        name: () => pick(random, ['Ada', ' ']),
        username: () => pick(random, [...names, ...mails, null]),
        status: () => pick(random, ['active', 'suspended', 'gone']),
        age: () => pick(random, [1, null, -1]),
        role: () => pick(random, ['customer', 'admin']),
      }
      const rows = Array.from({ length: 40 }, () => ({
        ...{ email: pick(random, mails), name: 'Ada' },
        ...some(random, 0.3, makers),
      }))
      const { result } = await assertForetold('users', rows, `of seed ${seed}`)
      assert.ok(result.created > 0 && result.updated > 0)
    }
  })
})
