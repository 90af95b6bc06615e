import type { Kysely } from 'kysely'
import { rowsFromJson } from '#store/query/dialect.ts'
import { updateWordIndex } from '#store/search/word-index.ts'
import { searchTextOf } from '#store/search/words.ts'
import type { Tables } from '#store/tables/tables.ts'
import { createTable, integer, text } from './table-builder.ts'

const batchSize = 5000

/** Creates the word index and adds the existing products. */
export async function createProductWords(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'product_words', { word: text(), block: integer(), ids: text() }, (table) =>
    table.addPrimaryKeyConstraint('product_words_key', ['word', 'block']),
  )
  for (let lastId = 0; ; ) {
    const products = await db
      .selectFrom('products')
      .select(['id', 'name', 'description', 'category', 'deleted_at'])
      .where('id', '>', lastId)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    const rows = products.map((product) => ({ ...product, search_text: searchTextOf(product) }))
    await updateSearchTexts(
      db,
      rows.map(({ id, search_text }) => ({ id, search_text })),
    )
    const inCatalogue = rows.filter(({ deleted_at }) => deleted_at === null)
    await updateWordIndex(
      db,
      inCatalogue.map((row) => ({ id: row.id, before: null, after: row })),
    )
    const last = products.at(-1)
    if (last === undefined) return
    lastId = last.id
  }
}

interface SearchText {
  readonly id: number
  readonly search_text: string
}

const updateSearchTexts = (db: Kysely<Tables>, texts: readonly SearchText[]) =>
  db
    .updateTable('products')
    .from(rowsFromJson(db, texts, { id: 'integer', search_text: 'text' }).as('computed'))
    .set((eb) => ({ search_text: eb.ref('computed.search_text') }))
    .whereRef('products.id', '=', 'computed.id')
    .execute()
