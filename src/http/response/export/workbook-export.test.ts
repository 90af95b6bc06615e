import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { writeWorkbook } from '#http/codec/xlsx/workbook.ts'
import { xlsxType } from '#http/message/media-type.ts'
import { readWorkbook } from '#shop/imports/file/xlsx/read-workbook.ts'
import { eachDatabase, startTestApp, type TestApp } from '#test/support/app.ts'

async function* asOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
const csvOf = async (bytes: Buffer): Promise<string> =>
  Buffer.concat(await Array.fromAsync(readWorkbook(asOne(bytes)))).toString()

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp(kind)
    const admin = await shop.signInAs('admin')
    for (const [sku, name] of [
      ['00123', '=1+1'],
      ['B', 'a\r\nb_x0041_'],
    ]) {
      await admin.request('POST', '/products', { sku, name, price: 1.5, stock: 3 })
    }
  })
  after(() => shop.dispose())

  const get = (accept: string, url = '/products?sort=id') =>
    shop.app.inject({ url, headers: { accept, 'accept-encoding': 'gzip' } })

  test('a list is a workbook with the columns of CSV, its texts as texts', async () => {
    const { statusCode, headers, rawPayload } = await get(xlsxType)
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], xlsxType)
    assert.equal(headers['content-encoding'], undefined)
    assert.equal(headers['content-disposition'], 'attachment; filename="products.xlsx"')
    const lines = (await csvOf(rawPayload)).split('\n')
    const csv = (await shop.app.inject({ url: '/products', headers: { accept: 'text/csv' } }))
      .payload
    assert.equal(lines[0], csv.split('\r\n')[0])
    for (const cell of [',00123,', ",'=1+1,", ',1.5,']) {
      assert.ok(lines[1]?.includes(cell), `${lines[1]} has no ${cell}`)
    }
    assert.ok(lines[2]?.includes(',"a\r'), String(lines[2]))
    assert.ok(lines[3]?.startsWith('b_x0041_",'), String(lines[3]))
  })

  test('an empty list is a sheet with the header, and what is no list is no workbook', async () => {
    const { rawPayload } = await get(xlsxType, '/products?q=nothing-like-it')
    assert.equal((await csvOf(rawPayload)).split('\n').length, 2)
    assert.equal((await get(xlsxType, '/products/1')).statusCode, 406)
  })

  test('CSV begins with a byte order mark only where it is asked for', async () => {
    const ask = async (accept: string) =>
      (await shop.app.inject({ url: '/products', headers: { accept } })).rawPayload
        .subarray(0, 3)
        .toString('latin1')
    assert.equal(await ask('text/csv;header=present;bom=1'), '\xef\xbb\xbf')
    assert.equal(await ask('text/csv'), 'id,')
    assert.equal(await ask('text/csv;bom=0'), 'id,')
  })
})

test('rows beyond those of a sheet stand in a further one', async () => {
  async function* rows() {
    for (const text of ['<row/>', '<row/>']) yield { text, count: 1_048_575 }
  }
  const bytes = Buffer.concat(await Array.fromAsync(writeWorkbook('<row/>', rows())))
  assert.ok(bytes.includes('xl/worksheets/sheet2.xml'))
  assert.ok(!bytes.includes('xl/worksheets/sheet3.xml'))
})

test('an error while rows are read breaks a workbook off', async () => {
  async function* rows() {
    yield { text: '<row/>', count: 1 }
    throw new Error('lost')
  }
  await assert.rejects(Array.fromAsync(writeWorkbook('', rows())), /lost/)
})
