import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { temporaryStore } from '#test/support/services/databases.ts'
import { personalDataDeclarations } from './personal-data.ts'

/** The tables that hold nothing about a user, or whose row of a user is blanked first of all. */
const impersonal = new Set([
  'users',
  'products',
  'oauth_keys',
  'product_counts',
  'product_words',
  'user_counts',
  'review_counts',
  'list_counts',
  'digest_nonces',
  'settings',
  'migrations',
])

test('whatever table there is, somebody has said what of a user is erased in it', async () => {
  const { store, dispose } = await temporaryStore('memory')
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`.execute(
    store.db,
  )
  await dispose()
  const spokenFor = new Set<string>(personalDataDeclarations.flatMap(({ tables }) => tables))
  const forgotten = rows
    .map(({ name }) => name)
    .filter((name) => !spokenFor.has(name) && !impersonal.has(name))
  assert.deepEqual(
    forgotten,
    [],
    'add a Holding to src/server/personal-data.ts, or the table to those without anything personal',
  )
})
