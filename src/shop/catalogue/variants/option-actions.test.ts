import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

eachDatabase((kind) => {
  describe('the options of a parent', () => {
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
    /** Creates a parent with variants of these options. */
    const createParent = async (...variants: object[]) => {
      const { id } = await create({})
      const ids: number[] = []
      for (const options of variants) ids.push((await create({ variant_of: id, options })).id)
      return { id, ids }
    }
    const read = async (id: number, version = '') =>
      (await shop.request('GET', `${version}/products/${id}`)).json
    const optionsOf = async (ids: readonly number[]) => {
      const variants = await Promise.all(ids.map((id) => read(id)))
      return variants.map(({ options }) => options)
    }
    const change = (id: number, options: unknown) =>
      admin.request('PATCH', `/products/${id}`, { options })

    test('are listed with their values, in both versions and only there', async () => {
      const { id, ids } = await createParent(
        { Size: 'M', Colour: 'red' },
        { Size: 'S', Colour: 'red' },
      )
      const expected = [
        { name: 'Size', values: ['M', 'S'] },
        { name: 'Colour', values: ['red'] },
      ]
      const parent = await read(id)
      assert.deepEqual([parent.options, parent.option_names], [expected, ['Size', 'Colour']])
      assert.deepEqual((await read(id, '/v2')).options, expected)
      assert.deepEqual(await optionsOf(ids), [
        { Size: 'M', Colour: 'red' },
        { Size: 'S', Colour: 'red' },
      ])
      assert.equal('options' in (await create({})), false)
      await admin.request('DELETE', `/products/${ids[0]}`)
      assert.deepEqual((await read(id)).options[0], { name: 'Size', values: ['S'] })
    })

    test('are renamed, reordered, added and removed at once for all variants', async () => {
      const { id, ids } = await createParent(
        { Size: 'S', Colour: 'red', Fit: 'slim' },
        { Size: 'M', Colour: 'red', Fit: 'slim' },
        { Size: 'L', Colour: 'blue', Fit: 'slim' },
      )
      const etags = await Promise.all(
        ids.map(async (each) => (await shop.request('GET', `/products/${each}`)).headers['etag']),
      )
      const { status, json, text } = await change(id, [
        { name: 'Farbe', from: 'colour', values: [{ value: 'rot', from: 'RED' }, 'grün'] },
        { name: 'Größe', from: 'Size', values: ['L', { value: 'Mittel', from: 'M' }] },
        { name: 'Stoff', values: ['Leinen', 'Wolle'] },
      ])
      assert.equal(status, 200, text)
      assert.deepEqual(json.options, [
        { name: 'Farbe', values: ['rot', 'grün', 'blue'] },
        { name: 'Größe', values: ['L', 'Mittel', 'S'] },
        { name: 'Stoff', values: ['Leinen', 'Wolle'] },
      ])
      const changed = await optionsOf(ids)
      assert.deepEqual(changed, [
        { Farbe: 'rot', Größe: 'S', Stoff: 'Leinen' },
        { Farbe: 'rot', Größe: 'Mittel', Stoff: 'Leinen' },
        { Farbe: 'blue', Größe: 'L', Stoff: 'Leinen' },
      ])
      assert.deepEqual(Object.keys(changed[0] ?? {}), ['Farbe', 'Größe', 'Stoff'])
      for (const [at, each] of ids.entries()) {
        const { headers } = await shop.request('GET', `/products/${each}`)
        assert.notEqual(headers['etag'], etags[at])
        const events = await admin.request('GET', `/events?subject=/products/${each}`)
        const last = events.json.data.at(-1)
        assert.deepEqual([last.type, last.data.options], ['product.updated', changed[at]])
      }
      const events = await admin.request('GET', `/events?subject=/products/${id}`)
      assert.deepEqual(events.json.data.at(-1).data.options, json.options)
      const found = await shop.request('GET', '/products?option.größe=mittel')
      assert.deepEqual(
        found.json.data.map((each: { id: number }) => each.id),
        [id],
      )
      assert.deepEqual((await shop.request('GET', '/products?option.fit=slim')).json.data, [])
      const wool = await create({
        variant_of: id,
        options: { stoff: 'wolle', farbe: 'rot', größe: 'L' },
      })
      assert.deepEqual(wool.options, { Farbe: 'rot', Größe: 'L', Stoff: 'wolle' })
      await admin.request('DELETE', `/products/${wool.id}`)
      const stoff = (await read(id)).options.at(-1)
      assert.deepEqual(stoff, { name: 'Stoff', values: ['Leinen'] })
    })

    test('swap their names and values', async () => {
      const { id, ids } = await createParent({ A: '1', B: '2' }, { A: '2', B: '1' })
      const values = [
        { value: '2', from: '1' },
        { value: '1', from: '2' },
      ]
      assert.equal((await change(id, [{ name: 'A', values }, { name: 'B' }])).status, 200)
      assert.deepEqual(await optionsOf(ids), [
        { A: '2', B: '2' },
        { A: '1', B: '1' },
      ])
      assert.equal(
        (
          await change(id, [
            { name: 'A', values },
            { name: 'B', values },
          ])
        ).status,
        200,
      )
      assert.deepEqual(await optionsOf(ids), [
        { A: '1', B: '1' },
        { A: '2', B: '2' },
      ])
      const names = [
        { name: 'B', from: 'A' },
        { name: 'A', from: 'B', values },
      ]
      assert.equal((await change(id, names)).status, 200)
      assert.deepEqual(await optionsOf(ids), [
        { B: '1', A: '2' },
        { B: '2', A: '1' },
      ])
    })

    test('stay as they are where what was read is sent back', async () => {
      const { id, ids } = await createParent({ Size: 'S' }, { Size: 'M' })
      const { headers, json } = await admin.request('GET', `/products/${id}`)
      assert.equal((await change(id, json.options)).headers['etag'], headers['etag'])
      const replaced = await admin.request('PUT', `/products/${id}`, json)
      assert.deepEqual([replaced.status, replaced.headers['etag']], [200, headers['etag']])
      assert.deepEqual(await optionsOf(ids), [{ Size: 'S' }, { Size: 'M' }])
      const accept = { accept: 'application/xml' }
      const xml = await shop.request('GET', `/products/${id}`, undefined, accept)
      const { text } = await shop.request('GET', `/products/${ids[0]}`, undefined, accept)
      assert.match(text, /<options><Size>S<\/Size><\/options>/)
      assert.match(xml.text, /<options type="array"><option type="object"><name>Size<\/name>/)
    })

    test('are refused where they are none, or make two variants equal', async () => {
      const { id, ids } = await createParent({ Size: 'S', Fit: 'slim' }, { Size: 'M', Fit: 'slim' })
      const single = await create({})
      const cases = [
        [id, [{ name: 'Fit' }], 409, undefined],
        [id, [{ name: 'Size', values: [{ value: 's', from: 'M' }] }], 409, undefined],
        [id, [], 422, 'options'],
        [id, [{ name: 'Size' }, { name: 'SIZE', from: 'Fit' }], 422, 'options.SIZE'],
        [id, [{ name: 'Länge', from: 'Length' }], 422, 'options[0].from'],
        [id, [{ name: 'Size' }, { name: 'Stoff' }], 400, 'options[1].values'],
        [
          id,
          [{ name: 'Size', values: [{ value: 'X', from: 'XL' }] }],
          422,
          'options[0].values[0].from',
        ],
        [
          id,
          [{ name: 'Size', values: ['S', { value: 'M', from: 's' }] }],
          422,
          'options[0].values[1]',
        ],
        [id, [{ name: '__proto__' }], 422, 'options[0].name'],
        [single.id, [{ name: 'Size', values: ['S'] }], 422, 'options'],
        [ids[0] ?? 0, [{ name: 'Size' }], 422, 'options'],
      ] as const
      for (const [product, options, status, field] of cases) {
        const { status: answered, json } = await change(product, options)
        const [{ field: named } = { field: undefined }] = json.errors ?? []
        assert.deepEqual([answered, named], [status, field], JSON.stringify(options))
      }
      assert.equal((await change(id, [{ name: 'Fit' }])).json.error_code, '4092')
      assert.deepEqual(await optionsOf(ids), [
        { Size: 'S', Fit: 'slim' },
        { Size: 'M', Fit: 'slim' },
      ])
    })
  })
})
