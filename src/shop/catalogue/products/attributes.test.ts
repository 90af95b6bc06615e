import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { parseCsv } from '#test/support/csv.ts'
import { sendBytes } from '#test/support/images/uploads.ts'
import { runWaitingImports } from '#test/support/imports.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

eachDatabase((kind) => {
  describe('attributes of products', () => {
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
        ...{ name: 'Pan', price: 1 },
        ...fields,
      })
      assert.equal(status, 201, text)
      return json
    }
    const change = async (id: number, body: object) => {
      const { status, json } = await admin.request('PATCH', `/products/${id}`, body)
      return status === 200 ? json.attributes : [status, json.error_code, json.errors?.[0]?.field]
    }
    const idsOf = async (query: string): Promise<number[]> => {
      const { status, json, text } = await shop.request('GET', `/products?${query}`)
      assert.equal(status, 200, text)
      return json.data.map(({ id }: { id: number }) => id)
    }
    const facet = async (name: string, query = '') => {
      const path = `/products?limit=1&facets=attribute.${encodeURIComponent(name)}${query}`
      const { json } = await shop.request('GET', path)
      return json.facets[`attribute.${name}`].map(({ value, count }: Counted) => [value, count])
    }

    test('are texts, numbers, booleans and lists, and merged by a PATCH (RFC 7396)', async () => {
      const attributes = { Materiál: 'steel', Litres: 2.5, Lid: true, Colours: ['red', 'white'] }
      const { id, ...made } = await create({ attributes })
      assert.deepEqual(made.attributes, attributes)
      const path = `/products/${id}`
      const xml = await shop.request('GET', path, undefined, { accept: 'application/xml' })
      assert.match(xml.text, /<Litres type="number">2.5<\/Litres><Lid type="boolean">true<\/Lid>/)
      const second = (await shop.request('GET', `/v2${path}`)).json
      assert.deepEqual(second.attributes, attributes)
      const merged = await change(id, { attributes: { LITRES: 3, Lid: null, Care: 'dry' } })
      const { Lid: _, ...kept } = attributes
      assert.deepEqual(merged, { ...kept, Litres: 3, Care: 'dry' })
      assert.deepEqual(await change(id, { attributes: null }), null)
    })

    test('are refused where they are not valid', async () => {
      const { id } = await create({})
      const names = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, at]))
      const refused = [
        [{ a: 'x'.repeat(1001) }, 422, 'attributes.a'],
        [{ ['n'.repeat(51)]: 1 }, 422, `attributes.${'n'.repeat(51)}`],
        [{ a: {} }, 422, 'attributes.a'],
        [{ a: [1] }, 422, 'attributes.a[0]'],
        [{ a: Array(21).fill('x') }, 422, 'attributes.a'],
        [{ Size: 1, sIze: 2 }, 422, 'attributes.sIze'],
        [names(101), 422, 'attributes'],
      ] as const
      for (const [attributes, status, field] of refused) {
        assert.deepEqual(await change(id, { attributes }), [status, '4221', field])
      }
      assert.equal(Object.keys(await change(id, { attributes: names(100) })).length, 100)
      assert.deepEqual(await change(id, { attributes: { more: 1 } }), [422, '4221', 'attributes'])
      // An export has as many columns of attributes.
      await admin.request('DELETE', `/products/${id}`)
    })

    test('filter lists and have facets, also those of variants under their parents', async () => {
      const steel = await create({ attributes: { Stoff: 'Stahl', Liter: 2.5 } })
      const iron = await create({ attributes: { stoff: ['Eisen', 'stahl'], Liter: 3 }, price: 9 })
      const parent = await create({ attributes: { Stoff: 'Holz' } })
      const variant = await create({
        ...{ variant_of: parent.id, options: { size: 'S' } },
        attributes: { STOFF: 'Eisen', Liter: 1 },
      })
      assert.deepEqual(await idsOf('attribute.STOFF=stahl'), [steel.id, iron.id])
      assert.deepEqual(await idsOf('attribute.stoff=Eisen'), [iron.id, parent.id])
      assert.deepEqual(await idsOf('attribute.stoff=Eisen&variants=all'), [
        ...[iron.id, parent.id, variant.id],
      ])
      assert.deepEqual(
        await idsOf('attribute.stoff=Eisen&attribute.stoff=Holz&sort=price&order=desc'),
        [iron.id, parent.id],
      )
      assert.deepEqual(await idsOf('attribute.liter=2.50&attribute.stoff=stahl'), [steel.id])
      assert.deepEqual(await idsOf('attribute.stoff=Gold'), [])
      const all = [
        ['Eisen', 2],
        ['Stahl', 2],
        ['Holz', 1],
      ]
      assert.deepEqual(await facet('stoff'), all)
      assert.deepEqual(await facet('Stoff', '&price_max=100'), all)
      assert.deepEqual(await facet('Stoff', '&attribute.stoff=Holz'), all, 'not by its own filter')
      assert.deepEqual(await facet('Stoff', '&price_min=5'), [
        ['Eisen', 1],
        ['stahl', 1],
      ])
      assert.deepEqual(await facet('Stoff', '&variants=all'), [['Eisen', 3], ...all.slice(1)])
      await change(variant.id, { attributes: { stoff: 'Holz' } })
      assert.deepEqual(await facet('Stoff', '&attribute.liter=1'), [['Holz', 1]])
      await admin.request('DELETE', `/products/${iron.id}`)
      await admin.request('DELETE', `/products/${variant.id}`)
      assert.deepEqual(await facet('Stoff'), [
        ['Holz', 1],
        ['Stahl', 1],
      ])
      assert.deepEqual(await idsOf('attribute.liter=1'), [])
    })

    test('of a long value are found, and have no facet', async () => {
      const note = 'ﷺ '.repeat(400)
      const { id } = await create({ attributes: { Note: note } })
      assert.deepEqual(await idsOf(`attribute.note=${encodeURIComponent(note)}`), [id])
      assert.deepEqual(await facet('Note'), [])
    })

    test('are columns of exports, but for what would be read as another value', async () => {
      const attributes = {
        Export: '12',
        'Export b.c': 2.5,
        'export d': ['x', '=1'],
        EXPORT_E: true,
      }
      const { id } = await create({ attributes: { ...attributes, exponent: 1e21 } })
      const other = await create({ attributes: { export: 'other spelling' } })
      const draft = await create({ attributes: { 'Export hidden': 'yes' }, status: 'draft' })
      const linesOf = async (as: Pick<TestCaller, 'token'> | undefined) => {
        const headers = { accept: 'text/csv', authorization: `Bearer ${as?.token}` }
        const url = `/products?name=Pan&sort=id&order=desc&limit=3`
        const { statusCode, payload } = await shop.app.inject({
          url,
          headers: as ? headers : { accept: 'text/csv' },
        })
        assert.equal(statusCode, 200, payload)
        return parseCsv(payload)
      }
      const lines = await linesOf(admin)
      const cellsOf = ({ id: wanted }: { id: number }) => {
        const row = lines.find((line) => line['id'] === String(wanted)) ?? {}
        return Object.fromEntries(
          Object.entries(row).filter(([name, cell]) => /^attributes/.test(name) && cell !== ''),
        )
      }
      assert.deepEqual(cellsOf({ id }), {
        attributes: '{"exponent":1e+21}',
        ...{ 'attributes.Export': '"12"', 'attributes.Export b.c': '2.5' },
        ...{ 'attributes.export d': '["x","=1"]', 'attributes.EXPORT_E': 'true' },
      })
      assert.deepEqual(cellsOf(other), { attributes: '{"export":"other spelling"}' })
      assert.deepEqual(cellsOf(draft), { 'attributes.Export hidden': 'yes' })
      const shown = Object.keys((await linesOf(undefined))[0] ?? {})
      assert.ok(shown.includes('attributes.Export'))
      assert.ok(!shown.includes('attributes.Export hidden'))
    })

    test('are columns of imports', async () => {
      const rows = [
        'sku,name,price,attributes.Litres,attributes.Care. By hand,attributes.Colours',
        'ATT-1,Pot,5,1.5,yes,"[""red"",""blue""]"',
        'ATT-2,Pot,5,"""1.5""",true,',
      ]
      const csv = { 'content-type': 'text/csv' }
      const path = '/imports?resource=products'
      const { status } = await sendBytes(shop, admin, path, Buffer.from(rows.join('\r\n')), csv)
      assert.equal(status, 202)
      await runWaitingImports(shop)
      const attributesOf = async (sku: string) =>
        (await shop.request('GET', `/products?sku=${sku}`)).json.data[0].attributes
      assert.deepEqual(await attributesOf('ATT-1'), {
        ...{ Litres: 1.5, 'Care. By hand': 'yes', Colours: ['red', 'blue'] },
      })
      assert.deepEqual(await attributesOf('ATT-2'), { Litres: '1.5', 'Care. By hand': true })
      assert.deepEqual(await facet('litres', '&q=pot'), [['1.5', 2]])
    })
  })
})

interface Counted {
  readonly value: string
  readonly count: number
}
