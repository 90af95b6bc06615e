import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productRows } from '#shop/catalogue/products/table.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { createImportRunner } from './runner.ts'

type Columns = Readonly<Record<string, unknown>>

/** Stores products, of which the API would not take all texts. */
const store = ({ db }: TestApp, rows: readonly Columns[]): Promise<void> =>
  productRows.insertAll(
    db,
    rows.map((row) => ({
      ...productRows.withFollowing({ name: 'Tee', price: 500, availability: 'in_stock', ...row }),
      ...{ search_text: ' tee', created_at: 1, updated_at: 1 },
    })) as never,
  )

/** Starts a dry run of new prices, and returns it once its thread has ended it. */
async function tryPrices(shop: TestApp, admin: TestCaller, skus: readonly string[]) {
  const started = await shop.app.inject({
    method: 'POST',
    url: '/imports?resource=prices&dry_run=true',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'text/csv' },
    payload: `sku,price\n${skus.map((sku) => `${sku},7`).join('\n')}\n`,
  })
  assert.equal(started.statusCode, 202, started.payload)
  const errors: unknown[] = []
  const runner = createImportRunner({
    clock: Date.now,
    ...{ store: shop.store, databaseUrl: shop.url, shop: shop.parts.shop },
    ...{ storage: shop.parts.storage, scaler: shop.parts.scaler },
    fetchImage: async () => assert.fail('no row names an image'),
    log: { error: ({ err }: { readonly err?: unknown }) => errors.push(err) },
  })
  runner.wake()
  const { json: ended } = await pollUntil(
    () => admin.request('GET', `/operations/${started.json().id}`),
    ({ json }) => json.finished_at !== null,
  )
  await runner.stop()
  return { ended, errors }
}

eachDatabase((kind) => {
  test('an import in its thread has memory for every catalogue, or says at once that it has not', async (t) => {
    const shop = await startTestApp(kind)
    t.after(() => shop.dispose())
    shop.now = Date.now()
    const admin = await shop.signInAs('admin')
    const parents = Array.from({ length: 160 }, (_, at) => ({ id: 1 + at * 100, sku: `P-${at}` }))
    const description = 'ж'.repeat(10_000)
    for (const { id, sku } of parents) {
      const summary = {
        variant_count: 20,
        option_list: '[{"name":"size","values":[]}]',
        price_from: 500,
      }
      const variants = Array.from({ length: 20 }, (_, at) => ({
        ...{ id: id + at + 1, sku: `${sku}-${at}`, description, variant_of: id },
        options: JSON.stringify({ size: String(at) }),
      }))
      await store(shop, [{ id, sku, description, ...summary }])
      await store(shop, variants)
    }
    const skus = parents.map(({ sku }) => sku)
    const { ended, errors } = await tryPrices(shop, admin, skus)
    assert.deepEqual(errors, [])
    assert.partialDeepStrictEqual(ended.result, { created: 0, updated: 160, unchanged: 0 })

    await store(shop, [{ id: 100_000, sku: 'LONG', description: 'ж'.repeat(20_000_000) }])
    const long = await tryPrices(shop, admin, ['LONG'])
    assert.equal(long.ended.status, 'failed')
    assert.match(long.ended.failure, /^The rows from line 1 on need more memory/)
    const codes = long.errors.map((error) => (error as NodeJS.ErrnoException).code)
    assert.deepEqual(codes, ['ERR_WORKER_OUT_OF_MEMORY'])
  })
})
