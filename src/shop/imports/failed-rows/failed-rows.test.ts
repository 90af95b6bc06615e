import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase } from '#test/support/app.ts'
import { type ImportingShop, runWaitingImports, startImportingShop } from '#test/support/imports.ts'

eachDatabase((kind) => {
  let shop: ImportingShop
  before(async () => {
    shop = await startImportingShop(kind)
  })
  after(() => shop.dispose())

  /** Imports a file, and returns its failed rows as CSV. */
  const failedRows = async (query: string, file: string, type?: string, language = 'en') => {
    const path = await shop.begin(query, file, type)
    await runWaitingImports(shop.shop)
    const headers = { accept: 'text/csv', 'accept-language': language }
    const { status, text } = await shop.admin.request('GET', `${path}/errors`, undefined, headers)
    assert.equal(status, 200, text)
    return text
  }

  test('the failed rows come as they were, to be corrected and sent again', async () => {
    const file = 'SKU;Name;Price;My note\nA-1;Tee;5;x\nA-2;;abc;"=1+1; ""é"""\nA-3;Mug;7;\n'
    const text = await failedRows('products', file)
    assert.equal(
      text,
      'SKU,Name,Price,My note,error\r\nA-2,,abc,"\'=1+1; ""é""","name: is required; price: must be a number such as 19.90, without a currency"\r\n',
    )
    const again = await shop.importFile('products', text.replace(',,abc', ',Cup,6'))
    assert.deepEqual(again.errors, [])
    assert.partialDeepStrictEqual(again.operation.result, { created: 1 })
    assert.match(await failedRows('products', text, 'text/csv', 'de'), /price: /)
  })

  test('all records of a product of another system come with the one that failed', async () => {
    const header =
      'Handle,Title,Variant Price,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty'
    const file = `${header}\nbowl,Bowl,4,,,BOWL,1\npot,Pot,5,Size,S,POT-S,-1\npot,,six,,L,POT-L,2\n`
    const text = await failedRows('products', file)
    assert.equal(
      text,
      `${header},error\r\npot,Pot,5,Size,S,POT-S,'-1,\r\npot,,six,,L,POT-L,2,"price: must be a number such as 19.90, without a currency"\r\n`,
    )
    const again = await shop.importFile('products', text.replace('six', '6'))
    assert.deepEqual(again.errors, [])
    assert.partialDeepStrictEqual(again.operation.result, { created: 1, unchanged: 2 })
  })

  test('lines of NDJSON become cells', async () => {
    const lines = [
      { sku: 'N-1', name: 'Tee', price: 'x', options: { Size: 'S' } },
      { sku: 'N-2', price: 1, tags: ['a'] },
    ]
    const file = `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnull\n`
    const text = await failedRows('products', file, 'application/x-ndjson')
    const [header, ...rows] = text.trimEnd().split('\r\n')
    assert.equal(header, 'sku,name,price,options,tags,error')
    assert.equal(rows.length, 3)
    assert.match(rows[0] ?? '', /^N-1,Tee,x,"\{""Size"":""S""\}",,/)
    assert.match(rows[2] ?? '', /^,,,,,must be an object/)
  })

  test('rows of users go when any user is erased, and only administrators see rows', async () => {
    const path = await shop.begin('users', 'email,name,age\nmia@example.com,Mia,old\n')
    await runWaitingImports(shop.shop)
    const read = async () =>
      (await shop.admin.request('GET', `${path}/errors`, undefined, { accept: 'text/csv' })).text
    assert.match(await read(), /mia@example\.com,Mia,old/)
    const narrow = async (scopes: readonly string[]) => {
      const { json } = await shop.admin.request('POST', '/api-keys', { name: 'narrow', scopes })
      const headers = { accept: 'text/csv', authorization: `Api-Key ${json.key}` }
      return shop.shop.request('GET', `${path}/errors`, undefined, headers)
    }
    const refused = await narrow(['imports:write', 'products:write'])
    assert.deepEqual([refused.status, refused.json.error_code], [403, '4033'])
    assert.match((await narrow(['imports:write', 'users:write'])).text, /mia@example/)
    const customer = await shop.shop.signInAs('customer')
    const { status } = await customer.request('GET', `${path}/errors`, undefined, {
      accept: 'text/csv',
    })
    assert.equal(status, 403)
    assert.equal((await shop.admin.request('DELETE', `/users/${customer.id}`)).status, 204)
    assert.doesNotMatch(await read(), /mia/)
  })
})
