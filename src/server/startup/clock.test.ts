import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordAuditEvent } from '#shop/audit/record.ts'
import { eachDatabase } from '#test/support/app.ts'
import { openTemporaryStore } from '#test/support/services/databases.ts'
import { serverActor } from '#values/audit.ts'
import { dayMs, hourMs, secondMs } from '#values/instant.ts'
import { warnOfClock } from './clock.ts'

eachDatabase((kind) => {
  test('a clock that cannot be right is warned of', async (t) => {
    const { store, dispose } = await openTemporaryStore(kind)
    t.after(dispose)
    const warningsAt = async (offsetMs: number) => {
      const warnings: string[] = []
      const log = { warn: (_facts: object, message?: string) => void warnings.push(message ?? '') }
      await warnOfClock(store, log, () => Date.now() + offsetMs)
      return warnings.map((warning) => /behind|differ/.exec(warning)?.[0])
    }
    const differ = kind === 'postgres' ? ['differ'] : []
    assert.deepEqual(await warningsAt(0), [])
    assert.deepEqual(await warningsAt(1 * secondMs), [])
    assert.deepEqual(await warningsAt(-3 * secondMs), differ)
    assert.deepEqual(await warningsAt(-100 * 365 * dayMs), ['behind', ...differ])
    await store.transaction((db) =>
      recordAuditEvent(db, serverActor(Date.now()), { action: 'user_erased', subjectId: 1 }),
    )
    assert.deepEqual(await warningsAt(-23 * hourMs), differ)
    assert.deepEqual(await warningsAt(-25 * hourMs), ['behind', ...differ])
    assert.deepEqual(await warningsAt(100 * dayMs), differ)
  })
})
