import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import type { CompiledQuery } from 'kysely'
import postgres from 'postgres'
import { sqlQueries } from '#store/query/prepared.ts'
import {
  databaseKinds,
  openTemporaryStore,
  skipReason,
  type TemporaryStore,
} from '#test/support/services/databases.ts'

const root = join(import.meta.dirname, '../..')

/** Every parameter is null. */
const noValues = new Proxy({}, { get: () => null })

/** Returns the names of the columns that a database gives the rows of a statement. */
const describers = {
  sqlite: (url: string) => {
    const database = new DatabaseSync(url.slice('sqlite:'.length))
    return {
      columnsOf: async (sql: string) =>
        database
          .prepare(sql)
          .columns()
          .map(({ name }) => name),
      close: async () => database.close(),
    }
  },
  postgres: (url: string) => {
    const client = postgres(url, { max: 1 })
    return {
      columnsOf: async (sql: string) => {
        const { columns } = await client.unsafe(sql).describe()
        return (columns ?? []).map(({ name }) => name)
      },
      close: () => client.end(),
    }
  },
}

for (const kind of databaseKinds) {
  describe(`the queries that are written in SQL, on ${kind},`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    let describer: ReturnType<(typeof describers)[typeof kind]>
    before(async () => {
      for (const file of globSync('src/shop/**/*.ts', { cwd: root })) {
        if (/store\.ts$/.test(file)) await import(join(root, file))
      }
      temporary = await openTemporaryStore(kind)
      describer = describers[kind](temporary.url)
    })
    after(async () => {
      await describer.close()
      await temporary.dispose()
    })

    test('have the columns that they declare', async () => {
      assert.ok(sqlQueries.length > 20, 'hardly any query is found')
      for (const { columns, query } of sqlQueries) {
        const { sql }: CompiledQuery = query.write(noValues).compiled(temporary.store.db)
        const found = await describer.columnsOf(sql).catch((error: Error) => [error.message])
        assert.deepEqual(found.toSorted(), columns.toSorted(), sql)
      }
    })
  })
}
