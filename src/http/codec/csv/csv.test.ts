import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { DateTime, Money, moneyObject, nullable, shownOnce } from '#schema/words.ts'
import { parseCsv } from '#test/support/csv.ts'
import { removeFormulaQuote, valuesOf, writeCell, writeRecord } from './cells.ts'
import { columnsOf } from './columns.ts'

const namesOf = (...[schema]: Parameters<typeof columnsOf>) =>
  columnsOf(schema).map(({ name }) => name)

describe('columns of a schema', () => {
  test('nested objects have dotted columns; lists, maps and unions have one', () => {
    const schema = Type.Object({
      id: Type.Integer(),
      price: Money(),
      at: nullable(DateTime()),
      rating: Type.Object({ average: nullable(Type.Number()), count: Type.Integer() }),
      discount: nullable(Type.Object({ code: Type.String(), amount: Money() })),
      tags: Type.Array(Type.Object({ name: Type.String() })),
      options: nullable(
        Type.Unsafe({ type: 'object', additionalProperties: Type.String(), properties: {} }),
      ),
      data: Type.Object({ id: Type.Integer() }, { additionalProperties: true }),
      either: Type.Union([Type.String(), Type.Object({ city: Type.String() })]),
    })
    assert.deepEqual(namesOf(schema), [
      ...['id', 'price', 'at', 'rating.average', 'rating.count', 'discount.code'],
      ...['discount.amount', 'tags', 'options', 'data', 'either'],
    ])
  })
  test('an amount that is an object has two', () => {
    assert.deepEqual(namesOf(Type.Object({ price: nullable(moneyObject(Money())) })), [
      'price.amount',
      'price.currency',
    ])
  })
  test('a secret that is shown once has none', () => {
    const schema = Type.Object({ id: Type.Integer(), key: shownOnce(Type.String()) })
    assert.deepEqual(namesOf(schema), ['id'])
  })
})

describe('cells', () => {
  const cells: readonly (readonly [unknown, string])[] = [
    [null, ''],
    [undefined, ''],
    ['', ''],
    [0, '0'],
    [-5, "'-5"],
    [true, 'true'],
    ['plain', 'plain'],
    [' a ', ' a '],
    ['a,b', '"a,b"'],
    ['say "a"', '"say ""a"""'],
    ['a\nb', '"a\nb"'],
    ['a\r\nb', '"a\r\nb"'],
    ['=1+1', "'=1+1"],
    ['+49', "'+49"],
    ['-x', "'-x"],
    ['@SUM(1)', "'@SUM(1)"],
    ["'quoted", "''quoted"],
    ["'=1", "''=1"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(1)', "'＠SUM(1)"],
    ["'＝1", "''＝1"],
    ['=HYPERLINK("a","b")', `"'=HYPERLINK(""a"",""b"")"`],
    [['a', 'b'], '"[""a"",""b""]"'],
    [{ size: 'M' }, '"{""size"":""M""}"'],
    [[], '[]'],
  ]
  test('a value is quoted where CSV needs it, and guarded where a spreadsheet would run it', () => {
    for (const [value, cell] of cells) assert.equal(writeCell(value), cell)
  })
  test('every text is read back as it was', () => {
    const columns = columnsOf(Type.Object({ a: Type.String(), b: Type.String() }))
    const texts = [
      "'",
      "''",
      "'a",
      "'=",
      '=',
      '"',
      '""',
      ',',
      '\n',
      '\r',
      '\r\n',
      '=,"\n',
      'ä😀',
      '-',
      '\n=1',
      '＝1',
      "'＝1",
      '＠',
      '\t',
    ]
    for (const text of texts) {
      const [row = {}] = parseCsv(
        writeRecord(columns.map(({ name }) => name)) +
          writeRecord(valuesOf(columns, { a: text, b: 'x' })),
      )
      assert.deepEqual([removeFormulaQuote(row['a'] ?? ''), row['b']], [text, 'x'])
    }
  })
  test("a ' that guards nothing stays", () => {
    assert.equal(removeFormulaQuote("'s-Hertogenbosch"), "'s-Hertogenbosch")
  })
})
