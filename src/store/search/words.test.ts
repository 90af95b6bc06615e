import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsOfQuery } from './query-words.ts'
import { mergeSearchTexts, prefixesOf, searchTextOf, wordsOfText } from './words.ts'

const texts: readonly (readonly [string, readonly string[]])[] = [
  ['  Enamel\tKETTLE\u00a0red ', ['enamel', 'kettle', 'red']],
  ['kettle, Kettle; (kettle)', ['kettle']],
  ['Crème brûlée', ['creme', 'brulee']],
  ['100% cotton', ['100', 'cotton', '%']],
  ['Ｗｉｄｅ ﬁsh', ['wide', 'fish']],
  ['чайник ΤΣΆΙ', ['чаиник', 'τσαι']],
  ['हिन्दी', ['हिन्दी']],
  ['紅茶壺', ['紅茶', '茶壺', '壺']],
  ['茶', ['茶']],
  ['tea茶壺set', ['tea', '茶壺', '壺', 'set']],
  ['紅茶 茶壺', ['紅茶', '茶', '茶壺', '壺', '茶茶']],
  ['a'.repeat(40), ['a'.repeat(24)]],
  [' !,. \n', []],
  ['', []],
  [
    'Fußball Łata Đầm Ærø İş ılık ÞÐ',
    ['fussball', 'lata', 'dam', 'aero', 'is', 'ilik', 'thd', 'aeroe'],
  ],
  ['Müller Straße', ['muller', 'strasse', 'mueller']],
  ['كِتَاب كـتاب إبريق', ['كتاب', 'ابريق']],
  ['סֵפֶר', ['ספר']],
  ['コーヒー ｺｰﾋｰ', ['こー', 'ーひ', 'ひー', 'ー', 'ーこ']],
  ['٢٨ ２８', ['28', '2828']],
  ['Wi-Fi', ['wi', 'fi', 'wifi']],
  ['WH-1000XM4', ['wh', '1000xm4', 'wh1000xm4']],
  ['U.S.A.', ['u', 's', 'a', 'usa', 'sa']],
  ['Pan 28 cm', ['pan', '28', 'cm', 'pan28', '28cm']],
  ['cup ☕️', ['cup', '☕']],
]

for (const [text, words] of texts) {
  test(`the words of ${JSON.stringify(text)} are ${words.join(', ') || 'none'}`, () => {
    assert.deepEqual(wordsOfText(text), words)
  })
}

test('prose has no small words, and of words over a blank those with a number', () => {
  assert.deepEqual(wordsOfText('A knife for the bread, it is 28 cm, iPhone 15', true), [
    'knife',
    'bread',
    '28',
    'cm',
    'iphone',
    '15',
    '28cm',
    'iphone15',
  ])
})

test('a text with a thousand marks on a letter is folded at once', () => {
  const start = performance.now()
  assert.deepEqual(wordsOfText(`a${'\u0323\u0301'.repeat(100_000)}`), ['a'])
  assert.ok(performance.now() - start < 1000)
})

const typed = (query: string) => wordsOfQuery(query).typed

test('a query in a script without spaces has pairs of characters, and not the last one alone', () => {
  assert.deepEqual(typed('紅茶壺'), ['紅茶', '茶壺'])
  assert.deepEqual(typed('壺'), ['壺'])
})

test('a query has at most 32 words', () => {
  const query = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')
  assert.equal(typed(query).length, 32)
})

test('a query has symbols only without words, and may leave out small words beside others', () => {
  assert.deepEqual(typed('cup ☕'), ['cup'])
  assert.deepEqual(typed('☕ ☂'), ['☕', '☂'])
  assert.deepEqual(typed('?!'), [])
  assert.deepEqual([...wordsOfQuery("knife for l'été").optional], [1, 2])
  assert.deepEqual([...wordsOfQuery('to the').optional], [])
})

test('the search text of a product has a line for each rank, and each word once', () => {
  const product = { name: 'Red kettle', details: ['RK-1', 'kitchen'], description: 'Boils red.' }
  const text = searchTextOf({ ...product, entries: ['@size=m;'] })
  assert.equal(text, ' red kettle @size=m;\n rk 1 kitchen rk1\n boils')
  const other = searchTextOf({
    name: 'Kitchen',
    details: [],
    description: 'Boils tea',
    entries: [],
  })
  assert.equal(
    mergeSearchTexts([text, other]),
    ' red kettle @size=m; kitchen\n rk 1 rk1\n boils tea',
  )
})

test('the prefixes of a word split no character', () => {
  assert.deepEqual(prefixesOf('te茶𠮷'), ['t', 'te', 'te茶', 'te茶𠮷'])
  assert.deepEqual(prefixesOf(''), [])
})
