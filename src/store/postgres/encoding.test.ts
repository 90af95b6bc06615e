import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { StartError } from '#src/server/start-error.ts'
import { openDatabase } from '#src/server/startup/database.ts'
import { openTemporaryStore, skipReason } from '#test/support/services/databases.ts'

for (const encoding of ['LATIN1', 'SQL_ASCII']) {
  test(`a PostgreSQL database in ${encoding} is refused with one line`, {
    skip: skipReason('postgres'),
  }, async () => {
    const { store, url: other, dispose } = await openTemporaryStore('postgres')
    const name = `cw_test_${randomBytes(6).toString('hex')}`
    await sql`create database ${sql.ref(name)} encoding ${sql.lit(encoding)}
      lc_collate 'C' lc_ctype 'C' template template0`.execute(store.db)
    const url = new URL(other)
    url.pathname = `/${name}`
    await assert.rejects(openDatabase({ kind: 'postgres', url: url.href }), (error) => {
      assert.ok(error instanceof StartError)
      assert.match(
        error.message,
        new RegExp(`^DATABASE_URL: .*/${name} cannot be opened: its encoding is ${encoding}, .*$`),
      )
      return true
    })
    await sql`drop database ${sql.ref(name)} with (force)`.execute(store.db)
    await dispose()
  })
}
