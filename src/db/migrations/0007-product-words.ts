import type { Kysely } from 'kysely'
import { rowsFromJson } from '#db/query/dialect.ts'
import { indexWords } from '#db/search/word-index.ts'
import { searchTextOf } from '#db/search/words.ts'
import type { Tables } from '#db/tables/tables.ts'
import { createTable, integer, text } from './table-builder.ts'

const atOnce = 5000

/** Creates the index of words that `q` looks in, and fills it with the products there are. */
export async function createProductWords(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'product_words', { word: text(), block: integer(), ids: text() }, (table) =>
    table.addPrimaryKeyConstraint('product_words_key', ['word', 'block']),
  )
  for (let last = 0; ; ) {
    const products = await db
      .selectFrom('products')
      .select(['id', 'name', 'description', 'category', 'deleted_at'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(atOnce)
      .execute()
    const rows = products.map((product) => ({ ...product, search_text: searchTextOf(product) }))
    await writeTexts(
      db,
      rows.map(({ id, search_text }) => ({ id, search_text })),
    )
    const present = rows.filter(({ deleted_at }) => deleted_at === null)
    await indexWords(
      db,
      present.map((row) => ({ id: row.id, before: null, after: row })),
    )
    const [end] = products.slice(-1)
    if (end === undefined) return
    last = end.id
  }
}

interface Text {
  readonly id: number
  readonly search_text: string
}

const writeTexts = (db: Kysely<Tables>, texts: readonly Text[]) =>
  db
    .updateTable('products')
    .from(rowsFromJson(db, texts, { id: 'integer', search_text: 'text' }).as('said'))
    .set((eb) => ({ search_text: eb.ref('said.search_text') }))
    .whereRef('products.id', '=', 'said.id')
    .execute()
