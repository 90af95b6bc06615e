import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addGeneratedData } from '#src/demo/fill.ts'
import { rangesOfQuery, wordsToBeginWith } from '#store/search/beginnings.ts'
import { rowTimestamp } from '#test/support/rows.ts'
import {
  openTemporaryStore,
  skipReason,
  storeKinds,
  type TemporaryStore,
} from '#test/support/services/databases.ts'
import { listUsers } from './list-store.ts'
import type { UserRow } from './table.ts'

// So many that some searches match more users than are sorted.
const count = 6000

for (const kind of storeKinds) {
  describe(`a search of many users on ${kind}`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    let people: readonly (UserRow & { readonly words: readonly string[] })[]
    before(async () => {
      temporary = await openTemporaryStore(kind)
      const shop = { currency: 'USD', currencyDigits: 2 }
      const given = { kind: 'users', count, shop, now: rowTimestamp } as const
      await addGeneratedData(temporary.store, given, () => undefined)
      const rows = await temporary.store.db.selectFrom('users').selectAll().orderBy('id').execute()
      people = rows.map((row) => ({
        ...row,
        words: wordsToBeginWith([row.name, row.username, row.email]),
      }))
    })
    after(() => temporary.dispose())

    for (const q of ['e', 'a m', 'example', 'example a', 'customer1']) {
      test(`finds exactly who has words that begin as in ${q}`, async () => {
        const expected = people.filter(({ words }) =>
          rangesOfQuery(q).every(([range]) =>
            words.some((word) => word.startsWith(range?.from ?? '')),
          ),
        )
        const byName = expected.toSorted((one, other) =>
          one.name === other.name ? one.id - other.id : one.name < other.name ? -1 : 1,
        )
        for (const [sort, inOrder] of [
          ['id', expected],
          ['name', byName],
        ] as const) {
          const page = { page: 2, limit: 20, sort, order: 'asc' } as const
          const { rows, totalItems } = await listUsers(temporary.store.db, { q }, page)
          assert.equal(totalItems, expected.length)
          assert.deepEqual(
            rows.map(({ id }) => id),
            inOrder.slice(20, 40).map(({ id }) => id),
          )
        }
      })
    }
  })
}
