import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

eachDatabase((kind) => {
  describe('names of options', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(async () => {
      await reconcile(shop.db)
      await shop.dispose()
    })

    const create = async (fields: object) => {
      const { status, json, text } = await admin.request('POST', '/products', {
        name: 'Shirt',
        price: 1,
        ...fields,
      })
      assert.equal(status, 201, text)
      return json
    }
    const idsOf = async (query: string): Promise<number[]> => {
      const { status, json, text } = await shop.request('GET', `/products?${query}`)
      assert.equal(status, 200, text)
      return json.data.map(({ id }: { id: number }) => id)
    }
    const facets = async (query: string) => {
      const { status, json, text } = await shop.request('GET', `/products?limit=1&${query}`)
      assert.equal(status, 200, text)
      return json.facets
    }

    test('are any text, and their filters and facets take any spelling of it', async () => {
      const { id } = await create({})
      const names = { 'Größe / EU': 'M', '色, 柄': '赤' }
      const variant = await create({ variant_of: id, options: names })
      const other = { 'GRÖSSE / EU ': 'L', '色, 柄': '青' }
      const second = await create({ variant_of: id, options: other })
      assert.deepEqual(variant.options, names)
      assert.deepEqual(second.options, { 'Größe / EU': 'L', '色, 柄': '青' })
      const parent = (await shop.request('GET', `/products/${id}`)).json
      assert.deepEqual(parent.option_names, ['Größe / EU', '色, 柄'])
      for (const name of ['Größe / EU', 'grösse / eu', 'GRO\u0308SSE  / EU']) {
        const parameter = `option.${encodeURIComponent(name)}`
        assert.deepEqual(await idsOf(`${parameter}=m`), [id], name)
        assert.deepEqual(await idsOf(`${parameter}=m&variants=all`), [variant.id], name)
        for (const variants of ['', '&variants=all', '&price_min=1']) {
          assert.deepEqual(await facets(`facets=${parameter}${variants}`), {
            [`option.${name}`]: [
              { value: 'L', count: 1 },
              { value: 'M', count: 1 },
            ],
          })
        }
      }
      const colour = encodeURIComponent('色, 柄')
      assert.deepEqual(await idsOf(`option.${colour}=赤&option.Größe / EU=M`), [id])
      assert.deepEqual(await idsOf(`option.${colour}=青&option.Größe / EU=M`), [])
      assert.deepEqual(await facets(`facets=option.${colour.replace('%2C', '%5C%2C')}`), {
        'option.色, 柄': [
          { value: '赤', count: 1 },
          { value: '青', count: 1 },
        ],
      })
    })

    test('are the same in capitals, for the values of one as for those of both', async () => {
      const { id } = await create({})
      const small = await create({ variant_of: id, options: { Fit: 'Slim' } })
      await create({ variant_of: id, options: { fit: 'Wide' } })
      assert.deepEqual(await idsOf('option.fit=slim'), [id])
      assert.deepEqual((await idsOf('option.fit=slim&option.FIT=wide')).length, 1)
      const twice = { name: 'x', price: 1, variant_of: id, options: { FIT: 'slim' } }
      assert.equal((await admin.request('POST', '/products', twice)).json.error_code, '4092')
      const path = `/products/${small.id}`
      const patched = await admin.request('PATCH', path, { options: { FIT: 'Tight' } })
      assert.deepEqual([patched.status, patched.json.options], [200, { Fit: 'Tight' }])
      const etag = patched.headers['etag']
      const put = { name: 'Shirt', price: 1, variant_of: id, options: { fIT: 'Tight' } }
      const replaced = await admin.request('PUT', path, put)
      assert.deepEqual([replaced.status, replaced.json.options], [200, { Fit: 'Tight' }])
      assert.equal(replaced.headers['etag'], etag)
    })

    test('have 1 to 50 characters to read, each once in a product', async () => {
      const { id } = await create({})
      const rejected = [
        [{ Size: 'M', ſize: 'L' }, 422, 'options.ſize'],
        [{ ' ': 'M' }, 422, 'options. '],
        [{ '\u200b': 'M' }, 422, 'options.\u200b'],
        [{ ['n'.repeat(51)]: 'M' }, 422, `options.${'n'.repeat(51)}`],
        [JSON.parse('{"__proto__": "M"}'), 422, 'options.__proto__'],
        [{ Size: 'v'.repeat(101) }, 422, 'options.Size'],
        [{ Size: '\u3000' }, 400, 'options.Size'],
      ] as const
      for (const [options, status, field] of rejected) {
        const body = { name: 'Shirt', price: 1, variant_of: id, options }
        const { status: answered, json } = await admin.request('POST', '/products', body)
        assert.deepEqual([answered, json.errors?.[0]?.field], [status, field])
      }
      const longest = { ['😀'.repeat(50)]: 'v'.repeat(100) }
      const variant = await create({ variant_of: id, options: longest })
      assert.deepEqual(variant.options, longest)
      assert.deepEqual(
        await idsOf(`option.${encodeURIComponent('😀'.repeat(50))}=${'V'.repeat(100)}`),
        [id],
      )
      const xml = await shop.request('GET', `/products/${variant.id}`, undefined, {
        accept: 'application/xml',
      })
      assert.match(xml.text, new RegExp('😀'.repeat(50)))
      const twice = { options: { a: 'M', A: 'L' } }
      const patched = await admin.request('PATCH', `/products/${variant.id}`, twice)
      assert.deepEqual([patched.status, patched.json.errors[0].field], [422, 'options.A'])
    })
  })
})
