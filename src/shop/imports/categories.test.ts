import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { runWaitingImports } from '#test/support/imports.ts'

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  const headers = () => ({ authorization: `Bearer ${admin.token}` })

  async function send(payload: string | Buffer, query = '', type = 'text/csv') {
    const { json } = await shop.app.inject({
      method: 'POST',
      url: `/imports?resource=categories${query}`,
      headers: { ...headers(), 'content-type': type },
      payload,
    })
    await runWaitingImports(shop)
    const { json: ended } = await admin.request('GET', `/operations/${json().id}`)
    const errors = await admin.request('GET', `/operations/${json().id}/errors`)
    return { ...ended.result, errors: errors.json.data }
  }

  const counts = (result: { created: number; updated: number; unchanged: number }) => [
    result.created,
    result.updated,
    result.unchanged,
  ]
  const pathOf = async (handle: string) =>
    (await admin.request('GET', `/categories?handle=${handle}`)).json.data[0]?.path

  const file = `name,handle,parent,position,description
Mugs,,tableware,2,To drink
Espresso cups,,mugs,,
Tableware,tableware,Home,1,
Home,,,,All
`

  test('categories and those above them are imported in any order', async () => {
    const dry = await send(file, '&dry_run=true')
    assert.deepEqual([dry.errors, await pathOf('mugs')], [[], undefined])
    const first = await send(file)
    assert.deepEqual(first.errors, [])
    assert.deepEqual(await pathOf('espresso-cups'), ['Home', 'Tableware', 'Mugs', 'Espresso cups'])
    assert.deepEqual(counts(await send(file)), [0, 0, 4])
    assert.deepEqual(counts(await send('handle,name\nmugs,Cups\n')), [0, 1, 0])
    assert.deepEqual(await pathOf('mugs'), ['Home', 'Tableware', 'Cups'])
  })

  test('an export is imported again', async () => {
    for (const type of ['text/csv', 'application/x-ndjson']) {
      const { rawPayload, statusCode } = await shop.app.inject({
        url: '/categories',
        headers: { ...headers(), accept: type },
      })
      assert.equal(statusCode, 200)
      const result = await send(rawPayload, '', type)
      assert.deepEqual([result.errors, counts(result)], [[], [0, 0, 4]], type)
    }
  })

  test('rows that make a cycle or have no name are told', async () => {
    const { errors } = await send('name,parent\nHome,Cups\n,Home\n')
    assert.equal(errors.length, 2)
  })
})
