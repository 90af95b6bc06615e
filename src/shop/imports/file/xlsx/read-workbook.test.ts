import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workbookOf, zipOf } from '#test/support/workbook.ts'
import { Problem } from '#values/problem.ts'
import { UnreadableFileError } from '../records.ts'
import { readWorkbook } from './read-workbook.ts'

async function* chunksOf(bytes: Buffer, size = 1000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const csvOf = async (bytes: Buffer): Promise<string> =>
  Buffer.concat(await Array.fromAsync(readWorkbook(chunksOf(bytes)))).toString()

test('a sheet is read as CSV: texts, numbers, dates, booleans and the values of formulas', async () => {
  const bytes = await workbookOf(
    `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>c</t></is></c></row>
     <row r="3"><c r="A3" t="s"><v>2</v></c><c r="C3"><v>19.989999999999998</v></c></row>
     <row r="4"><c r="B4" t="b"><v>1</v></c><c r="C4" t="str"><f>A1</f><v>=sum</v></c></row>
     <row r="5"><c r="A5" s="1"><v>42</v></c><c r="B5" s="2"><v>44197</v></c><c r="C5" s="3"><v>44197.5</v></c></row>
     <row r="6"><c r="A6"><v>1.2E+14</v></c><c r="B6"><v>1E-7</v></c><c r="C6" t="s"><v>3</v></c></row>
     <row r="7"/><row><c/><c t="d"><v>2021-01-01</v></c></row>`,
    {
      texts: [
        '<t>sku</t>',
        '<r><t>na</t></r><r><rPr/><t xml:space="preserve">me </t></r><rPh><t>read so</t></rPh>',
        '<t>00123</t>',
        '<t>a, "b"_x000D_\n&amp; c_x005F_x0041_</t>',
      ],
      formats: ['00000', '[$-409]d\\-mmm\\-yy;@'],
    },
  )
  assert.equal(
    await csvOf(bytes),
    [
      'sku,name ,c',
      '',
      '00123,,19.99',
      ",true,'=sum",
      '00042,2021-01-01,2021-01-01T12:00:00Z',
      '120000000000000,0.0000001,"a, ""b""\r\n& c_x0041_"',
      '',
      ',2021-01-01,',
      '',
    ].join('\n'),
  )
})

test('a workbook that counts days from 1904 has the same dates', async () => {
  const rows = '<row r="1"><c r="A1" s="1"><v>42735</v></c></row>'
  const dates = '<x:workbookPr date1904="1"/>'
  assert.equal(await csvOf(await workbookOf(rows, { formats: ['yyyy'], dates })), '2021-01-01\n')
})

test('what is no workbook is told', async () => {
  const broken = await workbookOf('<row r="1"><c r="A1"><v>1</c></row>')
  for (const bytes of [
    Buffer.from('PK\x03\x04 and nothing else'),
    await zipOf({ 'a.txt': 'a' }),
    broken,
    await workbookOf('<row r="2"/><row r="1"/>'),
    await workbookOf('<row r="1048577"/>'),
  ]) {
    await assert.rejects(csvOf(bytes), (error) => {
      assert.ok(error instanceof UnreadableFileError, String(error))
      assert.equal(error.detail.key, 'import.broken_workbook')
      return true
    })
  }
})

test('what becomes far longer than it was sent is refused: parts, and a text that many cells have', async () => {
  const isTooLarge = (error: unknown) => error instanceof Problem && error.code === '4131'
  const blank = await workbookOf('<x/>'.repeat(4_500_000))
  await assert.rejects(csvOf(blank), isTooLarge)
  const cell = '<row><c t="s"><v>0</v></c></row>'
  const repeated = await workbookOf(cell.repeat(1000), { texts: [`<t>${'x'.repeat(100_000)}</t>`] })
  await assert.rejects(csvOf(repeated), isTooLarge)
})
