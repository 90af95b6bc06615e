import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readAsUtf8, type TextEncoding } from './text-encoding.ts'

const text = 'sku,name\nÄ-1,Café “Größe” 12 €\nB-2,plain\n'
const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
const windows1252 = Buffer.from(
  text.replace('“', '\x93').replace('”', '\x94').replace('€', '\x80'),
  'latin1',
)

const files: readonly (readonly [string, Buffer, TextEncoding, string])[] = [
  ['UTF-8', Buffer.from(text), 'UTF-8', text],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`), 'UTF-8', text],
  ['UTF-16, the low byte first', utf16, 'UTF-16LE', text],
  ['UTF-16, the high byte first', Buffer.from(utf16).swap16(), 'UTF-16BE', text],
  ['windows-1252', windows1252, 'windows-1252', text],
  [
    'windows-1252 that ends within what would be a sequence',
    Buffer.from('caf\xe9', 'latin1'),
    'windows-1252',
    'café',
  ],
  ['ASCII', Buffer.from('a,b'), 'UTF-8', 'a,b'],
  ['one byte', Buffer.from('a'), 'UTF-8', 'a'],
  ['nothing', Buffer.alloc(0), 'UTF-8', ''],
]

async function* inChunks(bytes: Buffer, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

describe('the encoding of a file', () => {
  for (const [name, bytes, expected, decoded] of files) {
    test(`is recognised: ${name}`, async () => {
      for (const length of [1, 2, 3, 5, 1000]) {
        const found: TextEncoding[] = []
        const chunks = await Array.fromAsync(
          readAsUtf8(inChunks(bytes, length), (encoding) => found.push(encoding)),
        )
        assert.deepEqual(found, [expected])
        assert.equal(Buffer.concat(chunks).toString(), decoded)
      }
    })
  }

  test('stays UTF-8 where a later row is broken, which that row tells', async () => {
    const bytes = Buffer.concat([Buffer.from('é\n'), Buffer.from([0xe9]), Buffer.from('\n')])
    const chunks = await Array.fromAsync(readAsUtf8(inChunks(bytes, 2), () => undefined))
    assert.deepEqual(Buffer.concat(chunks), bytes)
  })
})
