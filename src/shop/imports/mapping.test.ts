import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase } from '#test/support/app.ts'
import { type ImportingShop, runWaitingImports, startImportingShop } from '#test/support/imports.ts'

const boundary = 'form-boundary'
const formType = `multipart/form-data; boundary=${boundary}`
interface Part {
  readonly name: string
  readonly value: string
  readonly file?: string
}
const makeForm = (parts: readonly Part[]): string =>
  `${parts
    .map(({ name, value, file }) => {
      const fileName =
        file === undefined ? '' : `; filename="${file}"\r\nContent-Type: application/octet-stream`
      return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName}\r\n\r\n${value}\r\n`
    })
    .join('')}--${boundary}--\r\n`

eachDatabase((kind) => {
  let shop: ImportingShop
  before(async () => {
    shop = await startImportingShop(kind)
  })
  after(() => shop.dispose())

  const formOf = (file: string, mapping: object, name = 'file.csv') =>
    makeForm([
      { name: 'mapping', value: JSON.stringify(mapping) },
      { name: 'file', value: file, file: name },
    ])
  const importForm = async (form: string, query = 'products') => {
    const path = await shop.begin(query, form, formType)
    await runWaitingImports(shop.shop)
    return shop.read(path)
  }

  test('columns are the fields that the mapping names, or ignored', async () => {
    const file =
      'Article;Designation;Cost net;price;Remark\nM-1;Tee;3,5;9,5;x\nM-2;Cup;4,25;8,25;\n'
    const mapping = { article: 'sku', Designation: 'name', 'Cost net': 'cost_price', Remark: null }
    for (const form of [
      formOf(file, mapping),
      // The mapping may come last.
      makeForm([
        { name: 'file', value: file, file: 'a.csv' },
        { name: 'mapping', value: JSON.stringify(mapping) },
      ]),
    ]) {
      const operation = await importForm(form)
      assert.deepEqual(operation.progress, { done: 2, total: 2, failed: 0 })
      assert.deepEqual(operation.result.ignored_columns, [{ name: 'Remark', values: 1 }])
      assert.equal(operation.result.detected.decimal, ',')
    }
    assert.partialDeepStrictEqual(await shop.productOf('M-1'), { name: 'Tee', price: 9.5 })
    const product = (await shop.admin.request('GET', '/products?sku=M-2')).json.data[0]
    assert.equal(product.cost_price, 4.25)
  })

  test('it adds to the format of another system', async () => {
    const file =
      'Handle,Title,Variant Price,Vendor,Variant SKU,Our number\nmap,Map,5,Wrong,MAP-1,X-17\n'
    const operation = await importForm(formOf(file, { 'Our number': 'external_id', Vendor: null }))
    assert.equal(operation.result.detected.format, 'shopify')
    assert.deepEqual(operation.result.ignored_columns, [{ name: 'Vendor', values: 1 }])
    assert.partialDeepStrictEqual(await shop.productOf('MAP-1'), {
      ...{ external_id: 'X-17', brand: null },
    })
  })

  test('a form may have a file alone, whose name tells what it is', async () => {
    const form = makeForm([
      { name: 'file', value: '{"sku":"L-1","name":"Lamp","price":3}\n', file: 'lamps.ndjson' },
    ])
    assert.partialDeepStrictEqual((await importForm(form)).result, { created: 1 })
  })

  test('wrong mappings are refused, and name what is near', async () => {
    const file = 'Article,name\nW-1,Tee\n'
    const problemOf = async (form: string) => {
      const { status, json } = await shop.send('products', form, formType)
      return [status, JSON.stringify(json)] as const
    }
    const wrongField = await problemOf(formOf(file, { Article: 'skku' }))
    assert.equal(wrongField[0], 422)
    assert.match(wrongField[1], /mapping\.Article.*nearest are sku/)
    const wrongColumn = await problemOf(formOf(file, { Artikel: 'sku' }))
    assert.equal(wrongColumn[0], 422)
    assert.match(wrongColumn[1], /mapping\.Artikel.*Article, name/)
    const repeated = await problemOf(formOf('a,b\n1,2\n', { a: 'sku', b: 'sku' }))
    assert.equal(repeated[0], 422)
    for (const [form, status] of [
      [formOf(file, ['sku']), 422],
      [formOf(file, { Article: 7 }), 422],
      [
        makeForm([
          { name: 'mapping', value: '{' },
          { name: 'file', value: file, file: 'a' },
        ]),
        422,
      ],
      [formOf('{"sku":"W"}\n', { a: 'sku' }, 'a.ndjson'), 422],
      [makeForm([{ name: 'mapping', value: '{}' }]), 400],
      [makeForm([{ name: 'picture', value: file, file: 'a' }]), 422],
      [
        makeForm([
          { name: 'file', value: file, file: 'a' },
          { name: 'x', value: '1' },
        ]),
        422,
      ],
      [formOf(file, { Article: 'sku' }).slice(0, -60), 400],
    ] as const) {
      const problem = await problemOf(form)
      assert.equal(problem[0], status, `${form}${problem[1]}`)
    }
    // Nothing of them is left.
    const rows = await shop.shop.store.db
      .selectFrom('operations')
      .where('status', '=', 'receiving')
      .select('id')
      .execute()
    assert.deepEqual(rows, [])
  })
})
