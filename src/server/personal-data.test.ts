import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTemporaryStore } from '#test/support/services/databases.ts'
import { personalDataDeclarations } from './personal-data.ts'

/** Tables without personal data, and `users`, which erasure clears first. */
const impersonal = new Set([
  'users',
  'products',
  'categories',
  'oauth_keys',
  'product_counts',
  'product_changes',
  'product_column_changes',
  'product_facet_counts',
  'former_handles',
  'product_options',
  'product_attributes',
  'product_prices',
  'product_option_counts',
  'product_attribute_counts',
  'product_words',
  'product_images',
  'files',
  'user_counts',
  'review_counts',
  'list_counts',
  'digest_nonces',
  'settings',
  'event_sinks',
  'webhook_delivery_counts',
  'shipping_methods',
  'tax_rates',
  'discounts',
  'migrations',
  'host_processes',
])

test('every table declares its personal data or is listed as impersonal', async () => {
  const { store, dispose } = await openTemporaryStore('memory')
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`.execute(
    store.db,
  )
  await dispose()
  const declared = new Set<string>(personalDataDeclarations.flatMap(({ tables }) => tables))
  const undeclared = rows
    .map(({ name }) => name)
    .filter((name) => !declared.has(name) && !impersonal.has(name))
  assert.deepEqual(
    undeclared,
    [],
    'declare the personal data in src/server/personal-data.ts, or add the table to the impersonal ones',
  )
})
