import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tableDeclarations } from '#src/server/tables.ts'
import { type Db, openStore } from '#store/database.ts'
import { eachDatabase, startTestApp } from '#test/support/app.ts'
import { openTemporaryStore } from '#test/support/services/databases.ts'
import { decodeBits } from './id-set.ts'
import { stemsOf } from './stems.ts'
import {
  categoryEntry,
  entryChanges,
  type IndexedText,
  updateWordIndex,
  variantEntry,
} from './word-index.ts'
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

/** Asserts that the index has the entries of these products, and nothing else. */
async function assertIndexed(db: Db, products: Iterable<readonly [number, IndexedText]>) {
  const expected = [...products].flatMap(([product, indexed]) =>
    entriesOf(indexed).map((entry) => `${entry} ${product}`),
  )
  const rows = await db.selectFrom('product_words').selectAll().execute()
  const stored = rows.flatMap(({ word, block, ids }) =>
    idsOf(block, ids).map((product) => `${word} ${product}`),
  )
  assert.deepEqual(stored.sort(), expected.sort())
}

const textOf = (all: readonly string[]): IndexedText => ({
  search_text: `${all.map((word) => ` ${word}`).join('')}\n\n`,
  category: null,
})

/** Words of five letters that share their beginnings. */
const manyWords = (count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, at) =>
    (from + at)
      .toString(26)
      .padStart(5, '0')
      .replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? ''),
  )

test('entries come in parts that bound memory, however many words a product has', () => {
  const change = { id: 1, before: textOf(manyWords(5000)), after: textOf(manyWords(5000, 2500)) }
  for (const part of entryChanges([change])) assert.ok(part.length <= 10_000, `${part.length}`)
})

eachDatabase((kind) => {
  test('a product with thousands of words is found by those that it has, and only by those', async () => {
    const { store, dispose } = await openTemporaryStore(kind)
    const texts = [textOf(manyWords(1200)), textOf(manyWords(1200, 600))] as const
    const change = (before: IndexedText | null, after: IndexedText) =>
      store.transaction((db) => updateWordIndex(db, [{ id: 1, before, after }]))
    try {
      await change(null, texts[0])
      await change(...texts)
      await assertIndexed(store.db, [[1, texts[1]]])
    } finally {
      await dispose()
    }
  })

  test('two processes that rename neighbours at once leave the index right, without a deadlock', async () => {
    const { store, url, dispose } = await openTemporaryStore(kind)
    const other = await openStore(url)
    await other.migrate(tableDeclarations)
    const names = ['copper kettle', 'kettle copper', 'cord', 'zinc cord', 'dust copper zinc']
    const rename = async (id: number, stores: readonly (typeof store)[]) => {
      let before: IndexedText | null = null
      for (const [at, name] of names.entries()) {
        const order = name.split(' ')
        const after = textOf((id + at) % 2 ? order : order.toReversed())
        const changes = [{ id, before, after }]
        await stores[at % 2]?.transaction((db) => updateWordIndex(db, changes))
        before = after
      }
      return [id, before ?? textOf([])] as const
    }
    try {
      const renamed = await Promise.all(
        Array.from({ length: 20 }, (_, id) =>
          rename(id + 1, id % 2 ? [store, other] : [other, store]),
        ),
      )
      await assertIndexed(store.db, renamed)
    } finally {
      await other.close()
      await dispose()
    }
  })

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
      await assertIndexed(db, current)
    })
    try {
      await fc.assert(everyChange, { numRuns: 60 })
    } finally {
      await dispose()
    }
  })
})
