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

    test('are those of all its variants while these are added and changed', async () => {
      const { id } = (await admin.request('POST', '/products', { name: 'Shirt', price: 1 })).json
      const add = (name: string, value: string) =>
        admin.request('POST', `/products/${id}/variants`, { options: { [name]: value } })
      const ids: number[] = []
      for (const value of ['1', '2', '3', '4']) ids.push((await add('Size', value)).json.id)
      const change = (product: number | undefined, fields: object) =>
        admin.request('PATCH', `/products/${product}`, fields)
      const names = ['Size', 'Taille', 'Talla', 'Size'] as const
      for (const [turn, name] of names.slice(1).entries()) {
        const from = names[turn] ?? ''
        const status = turn === 1 ? 'active' : 'draft'
        const certain = await Promise.all([
          change(id, { options: [{ name, from }] }),
          change(id, { status }),
          ...ids.map((each) => change(each, { price: 2 + turn })),
        ])
        assert.deepEqual(new Set(certain.map((answer) => answer.status)), new Set([200]))
        // The former name is refused once the other one is there.
        const back = change(id, { options: [{ name: from, from: name }] })
        const [own, added] = await Promise.all([
          change(ids[1], { options: { [name]: `of ${turn}` } }),
          add(name, `more ${turn}`),
          back,
        ])
        assert.ok([200, 422].includes(own.status), own.text)
        assert.ok([201, 422].includes(added.status), added.text)
        assert.equal((await back).status, 200)
        assert.equal((await change(id, { options: [{ name, from }] })).status, 200)
        const { data } = (await admin.request('GET', `/products/${id}/variants?limit=100`)).json
        const values = data.map(({ options }: { options: Record<string, string> }) => {
          assert.deepEqual(Object.keys(options), [name])
          return options[name]
        })
        const [shown, ...more] = (await admin.request('GET', `/products/${id}`)).json.options
        assert.deepEqual([shown.name, more], [name, []])
        assert.deepEqual(shown.values.toSorted(), values.toSorted())
      }
    })
  })
})
