import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { runWaitingImports } from '#test/support/imports.ts'

eachDatabase((kind) => {
  describe('cells of an imported file that a mistake has joined', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())

    /** Imports a file; returns how many rows it created, and the lines, fields and messages of errors. */
    async function importFile(lines: readonly string[]) {
      const started = await shop.app.inject({
        method: 'POST',
        url: '/imports?resource=products',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'text/csv' },
        payload: lines.join('\n'),
      })
      assert.equal(started.statusCode, 202, started.payload)
      await runWaitingImports(shop)
      const path = `/operations/${started.json().id}`
      const { json } = await admin.request('GET', path)
      const errors = (await admin.request('GET', `${path}/errors`)).json.data
      return {
        created: json.result.created,
        errors: errors.map(
          ({ line, field, message }: Record<string, unknown>) => `${line} ${field} ${message}`,
        ),
      }
    }

    test('are refused where a cell goes on after its closing quote', async () => {
      const { created, errors } = await importFile([
        'sku,name,price',
        'Q-1,"Deluxe" set,1',
        'Q-2,"5" pipe",2',
        'Q-3,5" pipe,3',
        'Q-4,"""Deluxe"" set",4',
      ])
      assert.equal(created, 2)
      assert.equal(errors.length, 2)
      assert.match(errors[0], /^2 .*closing quote/)
      assert.match(errors[1], /^3 .*closing quote/)
      const nameOf = async (sku: string) =>
        (await shop.request('GET', `/products?sku=${sku}`)).json.data[0]?.name
      assert.deepEqual([await nameOf('Q-3'), await nameOf('Q-4')], ['5" pipe', '"Deluxe" set'])
    })

    test('are refused where a quote that is left open has taken rows into a name', async () => {
      const { created, errors } = await importFile([
        'sku,name,price,tags,options.Size,attributes.Care,description,variant_of_sku',
        'N-4,"Deluxe set,1,,,,,',
        'N-5,b,2,,,,,',
        'N-6,c",3,,,,,',
        'N-7,d,4,"[""one"",""two\\nthree""]",,,,',
        'N-8,e,5,,"S\nM",,,N-9',
        'N-9,f,6,,,"by\nhand","two\nlines",',
      ])
      assert.equal(created, 1)
      assert.equal(errors.length, 3)
      for (const [at, place] of ['2 name', '5 tags[1]', '6 options.Size'].entries()) {
        assert.match(errors[at], new RegExp(`^${place.replace(/[[\].]/g, '\\$&')} .*line breaks`))
      }
    })

    test('are refused where one address has several', async () => {
      const { created, errors } = await importFile([
        'sku,name,price,image_url',
        'U-1,Dress,240,"https://shop.example/a.jpg, https://shop.example/b.png"',
        'U-2,Dress,240,"https://shop.example/a.jpg,https://shop.example/b.png"',
        'U-3,Dress,240,"https://shop.example/a.jpg?from=x,y"',
      ])
      assert.equal(created, 1)
      assert.equal(errors.length, 2)
      for (const error of errors) assert.match(error, /^[23] image_url .*one URL/)
    })
  })
})
