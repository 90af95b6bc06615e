import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Db } from '#store/database.ts'
import {
  openTemporaryStore,
  skipReason,
  storeKinds,
  type TemporaryStore,
} from '#test/support/services/databases.ts'
import { sortKey } from '#values/sort-key.ts'
import type { PageCursor } from './ordering.ts'
import { type PageRequest, paginate } from './page.ts'
import type { TimeLimits } from './time-limits.ts'

const ages = [30, null, 20, 30, null, 25, 20, 30, null, 41, 20]

async function fill(db: Db): Promise<void> {
  for (const [index, age] of ages.entries()) {
    const name = `u${index % 3}`
    const row = {
      name,
      name_sort: sortKey(name),
      age,
      created_at: index,
      updated_at: (index * 7) % 10,
    }
    await db.insertInto('users').values(row).execute()
  }
  const outside = { name: 'outside', status: 'suspended', created_at: 1, updated_at: 1 } as const
  await db.insertInto('users').values(outside).execute()
}

function list(db: Db, request: PageRequest) {
  return paginate(
    db,
    db.selectFrom('users').where('status', '=', 'active'),
    {
      id: 'users.id',
      name: 'users.name_sort',
      age: { nullable: 'users.age' },
      created_at: 'users.created_at',
      updated_at: 'users.updated_at',
    },
    request,
    (query) =>
      query.select(['users.id', 'users.age', 'users.name', 'users.created_at', 'users.updated_at']),
  )
}

const timeLimits: readonly TimeLimits[] = [
  { created_since: 3 },
  { created_before: 3 },
  { updated_since: 3, updated_before: 8 },
  { created_since: 2, created_before: 9, updated_since: 1, updated_before: 9 },
  { updated_since: 100 },
]

const isWithin = (row: Listed, times: TimeLimits): boolean =>
  row.created_at >= (times.created_since ?? 0) &&
  row.created_at < (times.created_before ?? Infinity) &&
  row.updated_at >= (times.updated_since ?? 0) &&
  row.updated_at < (times.updated_before ?? Infinity)

type Listed = Awaited<ReturnType<typeof list>>['rows'][number]

/** The ids by the column, nulls smallest, then by id, in one direction. */
function expectedIds(rows: readonly Listed[], sort: 'id' | 'name' | 'age', order: 'asc' | 'desc') {
  const sign = order === 'asc' ? 1 : -1
  const rank = (row: Listed) => row[sort] ?? Number.NEGATIVE_INFINITY
  const sorted = rows.toSorted((one, other) => {
    if (rank(one) === rank(other)) return sign * (one.id - other.id)
    return rank(one) < rank(other) ? -sign : sign
  })
  return sorted.map((row) => row.id)
}

async function idsByCursor(db: Db, request: Omit<PageRequest, 'page'>) {
  const ids: number[] = []
  let cursor: PageCursor | undefined
  do {
    const result = await list(db, { ...request, page: 1, cursor })
    ids.push(...result.rows.map((row) => row.id))
    cursor = result.next
  } while (cursor !== undefined)
  return ids
}

async function idsByPage(db: Db, sort: string, order: 'asc' | 'desc', limit: number) {
  const ids: number[] = []
  for (let page = 1; page <= Math.ceil(ages.length / limit); page += 1) {
    const result = await list(db, { page, limit, sort, order })
    ids.push(...result.rows.map((row) => row.id))
  }
  return ids
}

for (const kind of storeKinds) {
  describe(`pages on ${kind}`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    before(async () => {
      temporary = await openTemporaryStore(kind)
      await fill(temporary.store.db)
    })
    after(() => temporary.dispose())

    for (const sort of ['id', 'name', 'age'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        test(`by ${sort} ${order} neither repeat nor skip a row, ties and nulls included`, async () => {
          const { db } = temporary.store
          const all = await list(db, { page: 1, limit: 100, sort, order })
          const ids = expectedIds(all.rows, sort, order)
          for (const limit of [1, 2, 3, 5, ages.length, 100]) {
            assert.deepEqual(await idsByCursor(db, { sort, order, limit }), ids)
            assert.deepEqual(await idsByPage(db, sort, order, limit), ids)
          }
        })
      }
    }

    for (const times of timeLimits) {
      for (const sort of ['id', 'age', 'created_at', 'updated_at'] as const) {
        for (const order of ['asc', 'desc'] as const) {
          test(`with ${JSON.stringify(times)} by ${sort} ${order} have the rows within the limits`, async () => {
            const { db } = temporary.store
            const all = await list(db, { page: 1, limit: 100, sort, order })
            const expected = all.rows.filter((row) => isWithin(row, times)).map(({ id }) => id)
            const whole = await list(db, { page: 1, limit: 100, sort, order, times })
            assert.deepEqual(
              whole.rows.map(({ id }) => id),
              expected,
            )
            assert.equal(whole.totalItems, expected.length)
            assert.deepEqual(await idsByCursor(db, { sort, order, limit: 2, times }), expected)
          })
        }
      }
    }

    test('with a cursor from before their limits begin at the limits', async () => {
      const { db } = temporary.store
      const request = { page: 1, limit: 100, sort: 'updated_at' } as const
      const [first, last] = [
        { value: 0, id: 1 },
        { value: 1000, id: 99 },
      ]
      const since = { ...request, order: 'asc', times: { updated_since: 5 } } as const
      assert.deepEqual(await list(db, { ...since, cursor: first }), await list(db, since))
      const before = { ...request, order: 'desc', times: { updated_before: 5 } } as const
      assert.deepEqual(await list(db, { ...before, cursor: last }), await list(db, before))
    })

    test('have the selected columns only', async () => {
      const request = { page: 1, limit: 1, sort: 'age', order: 'asc' } as const
      const { rows } = await list(temporary.store.db, request)
      assert.deepEqual(rows, [{ id: 2, age: null, name: 'u1', created_at: 1, updated_at: 7 }])
    })

    test('past the end are empty, with the exact count and no next page', async () => {
      const request = { page: 99, limit: 10, sort: 'id', order: 'asc' } as const
      const result = await list(temporary.store.db, request)
      assert.deepEqual(result, {
        rows: [],
        totalItems: ages.length,
        isCapped: false,
        next: undefined,
      })
    })

    test('skip no row where the row of the cursor was deleted', async () => {
      const cursor = { value: 30, id: 5 }
      const request = { page: 1, limit: 2, sort: 'age', order: 'asc', cursor } as const
      const { rows } = await list(temporary.store.db, request)
      assert.deepEqual(
        rows.map((row) => row.id),
        [8, 10],
      )
    })

    test('with a sort that is not among the columns are a TypeError', async () => {
      for (const sort of ['password_hash', 'toString', '']) {
        const work = list(temporary.store.db, { page: 1, limit: 1, sort, order: 'asc' })
        await assert.rejects(work, TypeError)
      }
    })
  })
}
