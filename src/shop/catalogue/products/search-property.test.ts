import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { array, constantFrom, sample, string, tuple } from 'fast-check'
import { rowTimestamp } from '#test/support/rows.ts'
import {
  openTemporaryStore,
  skipReason,
  storeKinds,
  type TemporaryStore,
} from '#test/support/services/databases.ts'
import { CurrentColumns } from './columns/column-store.ts'
import { listProducts } from './list-store.ts'
import { createProductState } from './rules.ts'
import { insertProduct } from './store.ts'

const seed = 20_260_711
const neighbourCount = 500

/** Words as products have them, and other spellings by which each is found. */
const words: readonly (readonly [word: string, ...spellings: string[]])[] = [
  ['Fußball', 'fussball', 'FUSSBALL', 'FUẞBALL'],
  ['Łódź', 'lodz', 'ŁÓDŹ'],
  ['Đầm', 'dam', 'đầm'.normalize('NFD')],
  ['Smørrebrød', 'smorrebrod', 'smoerrebroed'],
  ['Ærø', 'aero', 'aeroe'],
  ['Œuvre', 'oeuvre'],
  ['Kılıç', 'kilic', 'KILIÇ'],
  ['Þórður', 'thordur'],
  ['Mühle', 'muhle', 'muehle', 'Mühle'.normalize('NFD')],
  ['Crème', 'creme', 'CRÈME'],
  ['كِتَاب', 'كتاب', 'كـتاب'],
  ['إبريق', 'ابريق'],
  ['סֵפֶר', 'ספר'],
  ['コーヒー', 'ｺｰﾋｰ', 'こーひー'],
  ['Ｗｉｄｅ', 'wide', 'WIDE'],
  ['에어컨', '에어컨'.normalize('NFD')],
  ['陶瓷', '陶瓷'],
  ['Wi-Fi', 'wifi', 'wi fi', 'WiFi', 'wi‐fi'],
  ['WH-1000XM4', 'wh1000xm4', 'wh 1000xm4', 'WH-1000-XM4'],
  ['Dr.Martens', 'drmartens', 'dr martens'],
  ['U.S.A.', 'usa', 'u.s.a'],
  ['28 cm', '28cm', '28-cm'],
  ['0.9 L', '0.9l', '0.9 l'],
  ['iPhone 15', 'iphone15', 'iphone 15'],
  ['T-Shirt', 'tshirt', 't shirts', 't-shirt'],
  ['Knife', 'knives', 'KNIFE'],
  ['Shelves', 'shelf'],
  ['Gläser', 'glas', 'glaser', 'glaeser'],
  ['Chevaux', 'cheval'],
  ['Lámpara', 'lamparas'],
]

/** Words like those above, of which a letter is missing or other, or that stand by themselves. */
const likeWord = tuple(constantFrom(...words.flat()), string({ minLength: 1, maxLength: 2 })).chain(
  ([word, letters]) => {
    const characters = Array.from(word)
    return constantFrom(...characters.keys()).map((at) =>
      characters.toSpliced(at, 1, letters).join(''),
    )
  },
)
const neighbour = array(likeWord, { minLength: 1, maxLength: 4 })
  .map((some) => some.join(' ').replaceAll('\0', ''))
  .filter((name) => name.isWellFormed() && name.trim() !== '')

for (const kind of storeKinds) {
  describe(`whatever else is in the shop on ${kind}`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    const idOf = new Map<string, number>()
    const columns = new CurrentColumns()
    before(async () => {
      temporary = await openTemporaryStore(kind)
      const names = sample(neighbour, { seed, numRuns: neighbourCount })
      const texts = words.flatMap(([word]) => [
        { name: word, description: '' },
        { name: 'Product', description: `It is ${word}, or so.` },
      ])
      await temporary.store.transaction(async (db) => {
        const add = (fields: object) =>
          insertProduct(db, createProductState({ name: '', price: 1, ...fields }), rowTimestamp)
        for (const name of names.slice(0, neighbourCount / 2)) await add({ name })
        for (const text of texts) idOf.set(`${text.name} ${text.description}`, (await add(text)).id)
        for (const description of names.slice(neighbourCount / 2))
          await add({ name: 'Other', description })
      })
    })
    after(() => temporary.dispose())

    test('a product is found by each of its words in each spelling', async () => {
      const page = { page: 1, limit: 1000, sort: 'relevance', order: 'asc' } as const
      for (const [word, ...spellings] of words) {
        const ids = [idOf.get(`${word} `), idOf.get(`Product It is ${word}, or so.`)]
        for (const q of [word, ...spellings]) {
          const { rows } = await listProducts(temporary.store.db, columns, { q }, page)
          const found = new Set(rows.map(({ id }) => id))
          for (const id of ids) assert.ok(found.has(Number(id)), `${q} finds ${word}`)
          // The one that is named so comes first, perhaps with others that are.
          const [named, described] = ids.map((id) => rows.findIndex((row) => row.id === id))
          assert.ok(Number(named) < Number(described), q)
        }
      }
    })
  })
}
