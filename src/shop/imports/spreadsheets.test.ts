import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { xlsxType } from '#http/message/media-type.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { runWaitingImports } from '#test/support/imports.ts'
import { workbookOf } from '#test/support/workbook.ts'

/** A file of kettles as a program writes it, what is recognised in it, and their prices. */
const files: readonly {
  readonly name: string
  readonly text: string
  readonly encoding?: BufferEncoding
  readonly type?: string
  readonly detected: object
  readonly prices: readonly number[]
  readonly kettle?: string
}[] = [
  {
    name: 'semicolons and decimal commas, as in Germany',
    text: 'sku;name;price;stock\nK-1;Kettle, red;1.249,90;3\nK-2;Kettle;5,5;12.0\nK-3;Kettle;7;\n',
    detected: { separator: ';', encoding: 'UTF-8', decimal: ',' },
    prices: [1249.9, 5.5, 7],
    kettle: 'Kettle, red',
  },
  {
    name: 'the line of Excel that names the separator',
    text: 'sep=;\r\nsku;name;price\r\nK-1;Kettle;5\r\n',
    detected: { separator: ';', decimal: '.' },
    prices: [5],
  },
  {
    name: 'UTF-16 with tabs, the Unicode text of Excel',
    text: '\ufeffsku\tname\tprice\r\nK-1\tTeekännchen\t5,25\r\n',
    encoding: 'utf16le',
    detected: { separator: '\t', encoding: 'UTF-16LE', decimal: ',' },
    prices: [5.25],
    kettle: 'Teekännchen',
  },
  {
    name: 'windows-1252',
    text: 'sku,name,price\nK-1,Teek\xe4nnchen,5\n',
    encoding: 'latin1',
    detected: { separator: ',', encoding: 'windows-1252', decimal: '.' },
    prices: [5],
    kettle: 'Teekännchen',
  },
  {
    name: 'tab-separated values',
    text: 'sku\tname, long or short\tname\tprice\nK-1\t\tKettle\t5.10\n',
    type: 'text/tab-separated-values',
    detected: { separator: '\t' },
    prices: [5.1],
  },
  {
    name: 'pipes, names in capitals, blank rows and empty cells at the end',
    text: 'SKU|Name|Price\nK-1|Kettle|5||\n|  |\n||\nK-2|Kettle|6\n\n',
    detected: { separator: '|' },
    prices: [5, 6],
  },
]

eachDatabase((kind) => {
  describe('a file of a spreadsheet', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())

    const importFile = async (file: string | Buffer, type = 'text/csv') => {
      const { payload } = await shop.app.inject({
        ...{ method: 'POST', url: '/imports?resource=products', payload: file },
        headers: { 'content-type': type, authorization: `Bearer ${admin.token}` },
      })
      await runWaitingImports(shop)
      const { json } = await admin.request('GET', `/operations/${JSON.parse(payload).id}`)
      const errors = await admin.request('GET', `/operations/${json.id}/errors`)
      return { ...json, errors: errors.json.data }
    }

    for (const { name, text, encoding = 'utf8', type, detected, prices, kettle } of files) {
      test(`with ${name} is understood`, async () => {
        await shop.db.deleteFrom('products').execute()
        const { result, errors, outcome } = await importFile(Buffer.from(text, encoding), type)
        assert.deepEqual([errors, outcome], [[], 'complete'])
        assert.partialDeepStrictEqual(result.detected, detected)
        const { json } = await admin.request('GET', '/products?sort=id')
        assert.deepEqual(
          json.data.map(({ price }: { price: number }) => price),
          prices,
        )
        assert.equal(json.data[0].name, kettle ?? 'Kettle')
      })
    }

    test('with two kinds of decimals has errors where they are not those of JSON', async () => {
      const { errors, outcome, result } = await importFile(
        'sku;name;price\nM-1;Cup;1.50\nM-2;Cup;1,50\n',
      )
      assert.equal(result.detected.decimal, '.')
      assert.deepEqual([outcome, errors.length, errors[0].line], ['partial', 1, 3])
      assert.match(errors[0].message, /number such as 19\.90/)
    })

    test('with errors tells the row of the spreadsheet, its SKU and the value', async () => {
      const text =
        'sep=,\nsku,description,price,name\nR-1,"two\nlines",5,Cup\n\nR-2,,1 EUR,Cup\n,,5,Cup\n'
      const { errors } = await importFile(text)
      const places = errors.map(({ line, record, key, field, value }: Record<string, unknown>) => [
        ...[line, record, key, field, value],
      ])
      assert.deepEqual(places, [
        [6, 4, 'R-2', 'price', '1 EUR'],
        [7, 5, null, 'sku', null],
      ])
    })

    const send = (payload: string | Buffer, type: string) =>
      shop.app.inject({
        ...{ method: 'POST', url: '/imports?resource=products', payload },
        headers: { 'content-type': type, authorization: `Bearer ${admin.token}` },
      })

    test('as a workbook is imported, also one that is called CSV', async () => {
      for (const [sku, type] of [
        ['007', xlsxType],
        ['008', 'text/csv'],
      ] as const) {
        const workbook = await workbookOf(
          `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c></row>
           <row r="4"><c t="inlineStr"><is><t>${sku}</t></is></c><c t="s"><v>3</v></c><c><v>46.5</v></c></row>
           <row r="6"><c><v>9</v></c><c t="s"><v>3</v></c><c t="str"><v>dear</v></c></row>`,
          { texts: ['sku', 'name', 'price', 'Vase'].map((text) => `<t>${text}</t>`) },
        )
        const started = await send(workbook, type)
        assert.equal(started.statusCode, 202, started.payload)
        await runWaitingImports(shop)
        const path = `/operations/${started.json().id}`
        const { result } = (await admin.request('GET', path)).json
        assert.partialDeepStrictEqual(result, { created: 1, detected: { separator: null } })
        const [error] = (await admin.request('GET', `${path}/errors`)).json.data
        assert.deepEqual([error.record, error.key, error.field], [6, '9', 'price'])
        const [vase] = (await admin.request('GET', `/products?sku=${sku}`)).json.data
        assert.deepEqual([vase.sku, vase.name, vase.price], [sku, 'Vase', 46.5])
      }
    })

    test('that is no workbook, or an old one, is refused with what to do', async () => {
      for (const [payload, type] of [
        ['PK\x03\x04\x00', 'text/csv'],
        ['\xd0\xcf\x11\xe0', xlsxType],
      ] as const) {
        const { statusCode, payload: text } = await send(payload, type)
        assert.equal(statusCode, 422)
        assert.match(text, /"error_code":"4221".*save it as \.xlsx without a password/)
      }
    })

    test('in another currency than that of the shop has errors', async () => {
      const { errors, outcome } = await importFile('sku,name,price,currency\nE-1,Cup,5,EUR\n')
      assert.deepEqual([outcome, errors[0].field], ['nothing', 'currency'])
    })

    test('that names a SKU twice tells so', async () => {
      const { result } = await importFile('sku,name,price\nT-1,Cup,5\nt-1,Cup S,5\nT-1 ,Cup M,5\n')
      assert.equal(result.overwritten, 2)
    })
  })
})
