import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { eachDatabase, startTestApp } from '#test/support/app.ts'
import { decodeBits } from './id-set.ts'
import { stemsOf } from './stems.ts'
import { categoryEntry, type IndexedText, updateWordIndex, variantEntry } from './word-index.ts'
import { prefixesOf } from './words.ts'

const words = [
  'c',
  'co',
  'cop',
  'copper',
  'coppers',
  'cord',
  'dust',
  'du',
  '@size=m',
  '汉',
  '汉字',
  '😀a',
  '😀b',
]
const line = fc.subarray(words).map((chosen) => chosen.map((word) => ` ${word}`).join(''))
const text = fc.record({
  search_text: fc.tuple(line, line, line).map((lines) => lines.join('\n')),
  category: fc.constantFrom(null, 'copper', 'toys'),
  variant_of: fc.constantFrom(null, 1),
})
// At the border of two blocks of the index.
const id = fc.integer({ min: 8190, max: 8193 })
const change = fc.record({ id, after: fc.option(text) })
const batches = fc.array(fc.uniqueArray(change, { selector: (each) => each.id, maxLength: 4 }), {
  maxLength: 6,
})

/** Every prefix and the stems of every word, each after its rank. */
function entriesOf({ search_text, category, variant_of }: IndexedText): readonly string[] {
  const found = [category && categoryEntry(category), variant_of && variantEntry]
  for (const [rank, ofRank] of search_text.split('\n').entries()) {
    for (const word of ofRank.split(' ').slice(1)) {
      const keys = [...prefixesOf(word), ...stemsOf(word).map((stem) => `${stem}.`)]
      found.push(...(word.startsWith('@') ? [word] : keys.map((key) => `${rank}${key}`)))
    }
  }
  return [...new Set(found.filter((entry) => typeof entry === 'string'))]
}

const idsOf = (block: number, ids: string): readonly number[] =>
  Array.from(decodeBits(ids)).flatMap((bits, at) =>
    Array.from({ length: 32 }, (_, bit) => bit)
      .filter((bit) => (bits >>> bit) & 1)
      .map((bit) => 8192 * block + 32 * at + bit),
  )

eachDatabase((kind) => {
  test('after any changes the index has every prefix of every word, and nothing else', async () => {
    const { db, store, dispose } = await startTestApp(kind)
    const everyChange = fc.asyncProperty(batches, async (changes) => {
      await db.deleteFrom('product_words').execute()
      const current = new Map<number, IndexedText>()
      for (const batch of changes) {
        const wordChanges = batch.map((each) => ({ ...each, before: current.get(each.id) ?? null }))
        await store.transaction((transaction) => updateWordIndex(transaction, wordChanges))
        for (const { id: changed, after } of batch) {
          if (after === null) current.delete(changed)
          else current.set(changed, after)
        }
      }
      const expected = [...current].flatMap(([product, indexed]) =>
        entriesOf(indexed).map((entry) => `${entry} ${product}`),
      )
      const rows = await db.selectFrom('product_words').selectAll().execute()
      const stored = rows.flatMap(({ word, block, ids }) =>
        idsOf(block, ids).map((product) => `${word} ${product}`),
      )
      assert.deepEqual(stored.sort(), expected.sort())
    })
    try {
      await fc.assert(everyChange, { numRuns: 60 })
    } finally {
      await dispose()
    }
  })
})
