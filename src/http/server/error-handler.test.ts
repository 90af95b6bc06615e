import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog } from '#src/observability/log.ts'
import { startTestApp, type TestApp } from '#test/support/app.ts'

const lines: Record<string, unknown>[] = []
let shop: TestApp
before(async () => {
  const log = createLog('error', { write: (line) => void lines.push(JSON.parse(line)) })
  shop = await startTestApp('sqlite', { composition: { log } })
})
after(() => shop.dispose())

test('requests that an unavailable database fails are logged once a second, without a stack', async () => {
  await shop.store.close()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => shop.request('GET', '/products?q=pot')),
  )
  for (const { status } of answers) assert.equal(status, 503)
  assert.equal(lines.length, 1)
  const { reason, err, msg } = lines[0] ?? {}
  assert.equal(reason, 'StoreClosedError: The store is closing')
  assert.deepEqual([msg, err], ['request failed', undefined])
})
