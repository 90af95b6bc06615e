import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ndjsonType, xlsxType } from '#http/message/media-type.ts'
import { insertDemo } from '#src/demo/insert.ts'
import { eachDatabase } from '#test/support/app.ts'
import { type ImportingShop, startImportingShop } from '#test/support/imports.ts'
import { randomProducts } from '#test/support/shop/random-products.ts'

const count = 200
const seed = 20_260_601

/** What another shop has otherwise: its IDs and times, and what no file brings. */
const ownToShop = new Set([
  ...['id', 'variant_of', 'shop_id', 'parent_id', 'created_at', 'updated_at', '_links'],
  ...['images', 'rating', 'lowest_price_30_days'],
])

type Entity = Readonly<Record<string, unknown>>

eachDatabase((kind) => {
  let from: ImportingShop
  before(async () => {
    from = await startImportingShop(kind)
    await from.shop.store.transaction((db) =>
      insertDemo(db, { currency: 'USD', currencyDigits: 2 }, from.shop.now),
    )
    const rows = randomProducts(count, seed).map((row) => JSON.stringify(row))
    const { errors, operation } = await from.importFile('products', rows.join('\n'), ndjsonType)
    assert.deepEqual(errors, [])
    assert.equal(operation.result.created, rows.length)
    const { admin } = from
    for (const [at, name] of ['Ася', '=Ada', 'Μαρία', "O'Neil, jr.", '李'].entries()) {
      const user = { name, email: `move-${at}@example.com`, phone: at % 2 ? `+49 30 ${at}` : null }
      const { status, json, text } = await admin.request('POST', '/users', {
        ...{ ...user, external_id: at % 2 ? `C/${at}` : null, language: at % 2 ? 'de' : 'fr' },
        status: at === 3 ? 'suspended' : 'active',
      })
      assert.equal(status, 201, text)
      assert.equal(json.name, name)
    }
  })
  after(() => from.dispose())

  const exportOf = async ({ shop, admin }: ImportingShop, url: string, accept: string) => {
    const headers = { accept, authorization: `Bearer ${admin.token}` }
    const { statusCode, rawPayload } = await shop.app.inject({ url, headers })
    assert.equal(statusCode, 200, rawPayload.toString())
    return rawPayload
  }

  /** What a shop has, without what is its own, in the order of its IDs there. */
  const readAll = async (shop: ImportingShop, url: string): Promise<readonly Entity[]> => {
    const lines = (await exportOf(shop, url, ndjsonType)).toString().trim().split('\n')
    return lines.map((line) => {
      const entity = Object.entries(JSON.parse(line) as Entity)
      return Object.fromEntries(entity.filter(([name]) => !ownToShop.has(name)))
    })
  }

  const byKey = (entities: readonly Entity[]): ReadonlyMap<string, Entity> =>
    new Map(
      entities.map((entity) => {
        const { sku, handle, email, name } = entity
        return [String(sku ?? handle ?? email ?? name), entity]
      }),
    )

  const resources = {
    categories: '/categories?sort=id',
    products: '/products?variants=all&sort=id',
    users: '/users?role=customer&sort=id',
  }

  for (const mediaType of [ndjsonType, 'text/csv', xlsxType]) {
    test(`a shop moves to an empty one as ${mediaType}`, async () => {
      const to = await startImportingShop(kind)
      try {
        const files = new Map<string, Buffer>()
        for (const [resource, url] of Object.entries(resources)) {
          const file = await exportOf(from, url, mediaType)
          files.set(resource, file)
          const { operation, errors } = await to.importFile(resource, file, mediaType)
          assert.deepEqual(errors, [])
          assert.equal(operation.outcome, 'complete')
        }
        for (const [resource, url] of Object.entries(resources)) {
          const [there, here] = [byKey(await readAll(from, url)), byKey(await readAll(to, url))]
          for (const [key, entity] of there) assert.deepEqual(here.get(key), entity, key)
          assert.equal(here.size, there.size)
          const { operation } = await to.importFile(resource, files.get(resource) ?? '', mediaType)
          assert.equal(operation.result.unchanged, there.size, resource)
          assert.partialDeepStrictEqual(operation.result, { created: 0, updated: 0 })
        }
      } finally {
        await to.dispose()
      }
    })
  }
})
