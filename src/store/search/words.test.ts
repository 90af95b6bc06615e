import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefixesOf, searchTextOf, wordsOfQuery, wordsOfText } from './words.ts'

const texts: readonly (readonly [string, readonly string[]])[] = [
  ['  Enamel\tKETTLE\u00a0red ', ['enamel', 'kettle', 'red']],
  ['kettle, Kettle; (kettle)', ['kettle']],
  ['Crème brûlée, Ångström', ['creme', 'brulee', 'angstrom']],
  ['19.99 100% cotton_shade', ['19', '99', '100', 'cotton', 'shade']],
  ['Ｗｉｄｅ ﬁsh', ['wide', 'fish']],
  ['чайник ΤΣΆΙ', ['чаиник', 'τσαι']],
  ['हिन्दी', ['हिन्दी']],
  ['紅茶壺', ['紅茶', '茶壺', '壺']],
  ['茶', ['茶']],
  ['tea茶壺set', ['tea', '茶壺', 'set', '壺']],
  ['a'.repeat(40), ['a'.repeat(24)]],
  [' !*% \n', []],
  ['', []],
]

for (const [text, words] of texts) {
  test(`the words of ${JSON.stringify(text)} are ${words.join(', ') || 'none'}`, () => {
    assert.deepEqual(wordsOfText(text), words)
  })
}

test('a query in a script without spaces has pairs of characters, and not the last one alone', () => {
  assert.deepEqual(wordsOfQuery('紅茶壺'), ['紅茶', '茶壺'])
  assert.deepEqual(wordsOfQuery('壺'), ['壺'])
})

test('a query has at most 32 words', () => {
  const query = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')
  assert.equal(wordsOfQuery(query).length, 32)
})

test('the search text of a product has its name, description and category', () => {
  const product = { name: 'Red kettle', description: 'Boils.', category: 'kitchen' }
  assert.equal(searchTextOf(product), ' red kettle boils kitchen')
  assert.equal(searchTextOf({ ...product, category: null }), ' red kettle boils')
})

test('the prefixes of a word split no character', () => {
  assert.deepEqual(prefixesOf('te茶𠮷'), ['t', 'te', 'te茶', 'te茶𠮷'])
  assert.deepEqual(prefixesOf(''), [])
})
