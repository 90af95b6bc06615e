import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sortKey } from './sort-key.ts'
import { isBlank, textKey } from './text-key.ts'

const characters = function* () {
  for (let code = 0; code < 0x20000; code += 1) {
    if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code)
  }
}

test('the key of a text is the same for every form of it', () => {
  for (const character of characters()) {
    const text = `a${character}b`
    const key = textKey(text)
    const forms = [
      key,
      text.toUpperCase(),
      text.toLowerCase(),
      text.normalize('NFD'),
      ` ${text}\u200b`,
    ]
    for (const form of forms) assert.equal(textKey(form), key, JSON.stringify(text))
  }
})

test('texts that look alike have one key', () => {
  const same = [
    ['Bücher', 'Bu\u0308cher', ' bücher ', 'BÜCHER', 'bü\u00adcher'],
    ['Straße', 'STRASSE', 'straẞe'],
    ['Pots  and\u00a0Pans', 'pots and pans', '\tPots\u3000and Pans'],
    ['ＦＵＬＬ', 'full'],
    ['ΟΔΟΣ', 'οδος', 'οδοσ'],
    ['İzmir', 'izmir', 'IZMIR', 'ızmır'],
    ['X', 'X\u200b', '\ufeffX', 'X\u202e'],
  ]
  for (const [first = '', ...others] of same) {
    for (const other of others) assert.equal(textKey(other), textKey(first), `${first} ${other}`)
  }
  assert.notEqual(textKey('TP-1'), textKey('TP1'))
})

test('a text is blank where there is nothing to read', () => {
  for (const text of [
    '',
    ' ',
    '\u00a0',
    '\u3000\t\n',
    '\u200b',
    '\u3164',
    '\u2800',
    '\ufe0f',
    '\u0007',
  ]) {
    assert.equal(isBlank(text), true, JSON.stringify(text))
    assert.equal(textKey(text), '', JSON.stringify(text))
  }
  for (const text of ['-', '☕', 'あ', '0', '\u0301a']) assert.equal(isBlank(text), false, text)
})

test('names are sorted without regard to case and accents, with numbers by value', () => {
  const sorted = [
    ...[
      'Äpfel',
      'apple',
      'Banana',
      'éclair',
      'ＦＵＬＬ',
      'Łódź',
      'Zebra 1',
      'zebra 2',
      'Zebra 010',
    ],
    ...['Zebra 100', 'Ω'],
  ]
  const byKey = sorted.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
  assert.deepEqual(byKey, sorted)
})

test('a sort key fits into an index entry', () => {
  for (const text of ['\ufdfa'.repeat(200), '😀'.repeat(200), '1a'.repeat(100)]) {
    assert.ok(Buffer.byteLength(sortKey(text)) <= 600, text.slice(0, 4))
  }
})
