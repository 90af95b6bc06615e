import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefixesOf, searchTextOf, wordsAsked, wordsIn } from './words.ts'

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
    assert.deepEqual(wordsIn(text), words)
  })
}

test('a query of a script without spaces asks for neighbouring signs, not for its last alone', () => {
  assert.deepEqual(wordsAsked('紅茶壺'), ['紅茶', '茶壺'])
  assert.deepEqual(wordsAsked('壺'), ['壺'])
})

test('a query asks for 32 words at most', () => {
  const query = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')
  assert.equal(wordsAsked(query).length, 32)
})

test('a product is looked for in its name, its description and its category', () => {
  const product = { name: 'Red kettle', description: 'Boils.', category: 'kitchen' }
  assert.equal(searchTextOf(product), ' red kettle boils kitchen')
  assert.equal(searchTextOf({ ...product, category: null }), ' red kettle boils')
})

test('a word begins with each number of its signs, of which none is cut', () => {
  assert.deepEqual(prefixesOf('te茶𠮷'), ['t', 'te', 'te茶', 'te茶𠮷'])
  assert.deepEqual(prefixesOf(''), [])
})
