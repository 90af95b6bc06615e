import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { retryWhileLocked } from './retry-while-locked.ts'

test('work is repeated while another connection holds the write lock, and no longer', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-lock-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'store.db')
  const other = new DatabaseSync(file)
  const own = new DatabaseSync(file, { timeout: 0 })
  other.exec('begin immediate')
  let attempts = 0
  await retryWhileLocked(async () => {
    attempts += 1
    if (attempts === 3) other.exec('rollback')
    own.exec('begin immediate')
  })
  assert.equal(attempts, 3)
  assert.equal(own.isTransaction, true)
  other.close()
  own.close()
})

test('any other error of the work is thrown at once', async () => {
  let attempts = 0
  const work = async () => {
    attempts += 1
    throw new TypeError('not a lock')
  }
  await assert.rejects(retryWhileLocked(work), TypeError)
  assert.equal(attempts, 1)
})
