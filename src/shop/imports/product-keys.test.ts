import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase } from '#test/support/app.ts'
import { type ImportingShop, startImportingShop } from '#test/support/imports.ts'

eachDatabase((kind) => {
  describe('products of imports', () => {
    let shop: ImportingShop
    before(async () => {
      shop = await startImportingShop(kind)
    })
    after(() => shop.dispose())

    const countsOf = async (resource: string, file: string) => {
      const { operation, errors } = await shop.importFile(resource, file)
      const { created, updated, unchanged } = operation.result
      return { created, updated, unchanged, errors }
    }
    const found = async (query: string) =>
      (await shop.admin.request('GET', `/products?${query}`)).json.data

    test('are found by an ID of another system, by a SKU, or by a handle', async () => {
      const file = 'external_id,sku,handle,name,price\nE1,,,One,1\n,K2,,Two,2\n,,three,Three,3\n'
      assert.deepEqual(await countsOf('products', file), {
        ...{ created: 3, updated: 0, unchanged: 0, errors: [] },
      })
      assert.deepEqual(await countsOf('products', 'external_id,price\nE1,10\n'), {
        ...{ created: 0, updated: 1, unchanged: 0, errors: [] },
      })
      assert.deepEqual(await countsOf('products', 'handle,price\nthree,30\n'), {
        ...{ created: 0, updated: 1, unchanged: 0, errors: [] },
      })
      const [one] = await found('external_id=E1')
      const [three] = await found('handle=three')
      assert.deepEqual([one.price, one.sku, three.price], [10, null, 30])
    })

    test('get an ID of another system by their SKU, and a SKU by that ID', async () => {
      await countsOf('products', 'sku,name,price\nA1,A,1\n')
      const { updated } = await countsOf('products', 'external_id,sku,price\nEA,a1,2\n')
      assert.equal(updated, 1)
      const [product] = await found('external_id=EA')
      assert.equal(product.price, 2)
      await countsOf('products', 'external_id,sku\nEA,A2\n')
      assert.equal((await shop.productOf('A2')).id, product.id)
    })

    test('are not changed by a row whose ID and SKU are those of two', async () => {
      await countsOf('products', 'external_id,sku,name,price\nEB,B1,B,1\nEC,C1,C,1\n')
      const { errors, updated } = await countsOf('products', 'external_id,sku,price\nEB,C1,9\n')
      assert.deepEqual([errors, updated], [[[2, 'external_id', '4221']], 0])
    })

    test('are one where two rows of a file name it by different keys', async () => {
      const file = 'external_id,sku,name,price\nED,D1,D,1\n,D1,D,2\nED,,D,3\n'
      assert.deepEqual(await countsOf('products', file), {
        ...{ created: 1, updated: 2, unchanged: 0, errors: [] },
      })
      assert.deepEqual((await found('external_id=ED'))[0].price, 3)
    })

    test('have stock and prices by the same keys, and keep these', async () => {
      await countsOf('products', 'external_id,sku,handle,name,price\nEF,F1,f,F,1\n,,g,G,1\n')
      assert.equal((await countsOf('stock', 'external_id,sku,stock\nEF,f1,7\n')).updated, 1)
      assert.equal((await countsOf('prices', 'handle,price\ng,4\n')).updated, 1)
      const [f] = await found('external_id=EF')
      assert.deepEqual([f.sku, f.stock, (await found('handle=g'))[0].price], ['F1', 7, 4])
      const { errors } = await countsOf('stock', 'external_id,stock\nnone,7\n')
      assert.deepEqual(errors, [[2, null, '4041']])
    })
  })
})
