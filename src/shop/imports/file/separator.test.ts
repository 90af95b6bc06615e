import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findSeparator, withoutSeparatorLine } from './separator.ts'

const known = new Set(['sku', 'name', 'price'])

describe('the separator of a CSV file', () => {
  for (const [start, expected] of [
    ['sku,name,price\nA-1,"x;y;z;w",1\n', ','],
    ['sku;name;price\nA-1;Tea, black;1,50\n', ';'],
    ['sku\tname\tprice\n', '\t'],
    ['sku|name|price\n', '|'],
    ['\r\n\n"sku";"name, long";price', ';'],
    ['sku,Categories (a;b;c;d;e)\n', ','],
    ['"sku, or code";Titel;Preis\n', ';'],
    ['sku\nA,B,C\n', ','],
    ['', ','],
  ] as const) {
    test(`of ${JSON.stringify(start.slice(0, 30))} is ${JSON.stringify(expected)}`, () => {
      assert.equal(
        findSeparator(start, (column) => known.has(column)),
        expected,
      )
    })
  }
})

test('a line that names the separator goes, and its line break stays', async () => {
  for (const [text, separators, rest] of [
    ['sep=;\r\nsku;name\r\n', [';'], '\r\nsku;name\r\n'],
    ['"SEP=\t"\nsku\n', ['\t'], '\nsku\n'],
    ['sep=,', [], 'sep=,'],
    ['sep=a\nb\n', [], 'sep=a\nb\n'],
    ['sku,name\nsep=;\n', [], 'sku,name\nsep=;\n'],
  ] as const) {
    const found: string[] = []
    async function* bytes() {
      for (const byte of Buffer.from(text)) yield Buffer.from([byte])
    }
    const chunks = await Array.fromAsync(
      withoutSeparatorLine(bytes(), (separator) => found.push(separator)),
    )
    assert.deepEqual(found, separators)
    assert.equal(Buffer.concat(chunks).toString(), rest)
  }
})
