import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { pgbouncerSkipReason, startPgbouncer } from '#test/support/services/pgbouncer.ts'

// Fewer than the connections of a store.
const poolSize = 6
const root = join(import.meta.dirname, '../..')
const server = process.env['TEST_DATABASE_URL']
const files = [
  'src/shop/orders/orders/resource.test.ts',
  'src/shop/orders/payments/resource.test.ts',
  'src/shop/events/recording.test.ts',
  'src/shop/events/feed-gaps.test.ts',
  'src/http/pipeline/idempotency/idempotency.test.ts',
  'src/store/database.test.ts',
  'src/server/jobs.test.ts',
]

test('orders, payments, events, idempotency keys, transactions and jobs work through PgBouncer', {
  skip: pgbouncerSkipReason() || (!server && 'PostgreSQL is not tested'),
}, async (t) => {
  const pgbouncer = await startPgbouncer(server ?? '', { poolSize })
  t.after(() => pgbouncer.stop())
  // The variable of the test runner would make the tests of the child report to it.
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  const env = { ...inherited, TEST_DATABASE_POOLER_URL: pgbouncer.urlOf(server ?? '') }
  const output = await new Promise<string>((resolve) => {
    const command = ['test/run.ts', ...files]
    const options = { cwd: root, env, maxBuffer: 2 ** 26 }
    execFile(process.execPath, command, options, (_error, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    )
  })
  assert.match(output, /^[1-9]\d* passed, 0 failed, 0 skipped$/m, output)
  t.diagnostic(output.trimEnd().split('\n').at(-1) ?? '')
})
