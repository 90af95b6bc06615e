import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { StartError } from '#src/server/start-error.ts'
import { loadOrCreateSecretKey, secretKeyFileOf } from './secret-key.ts'

describe('the secret key', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cartwright-key-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('is generated once and readable by its owner only', async () => {
    const file = join(folder, 'new', 'shop.db')
    const key = await loadOrCreateSecretKey(file)
    assert.match(key, /^[\w-]{43}$/)
    assert.equal(await loadOrCreateSecretKey(file), key)
    assert.equal((await stat(secretKeyFileOf(file))).mode & 0o777, 0o600)
  })

  test('is the same for concurrent callers, and no temporary file is left', async () => {
    const file = join(folder, 'at-once', 'shop.db')
    const keys = await Promise.all(Array.from({ length: 16 }, () => loadOrCreateSecretKey(file)))
    assert.equal(new Set(keys).size, 1)
    assert.deepEqual(await readdir(join(folder, 'at-once')), ['shop.db.key'])
  })

  test('of an in-memory database is new each time', async () => {
    assert.notEqual(await loadOrCreateSecretKey(undefined), await loadOrCreateSecretKey(undefined))
  })

  test('is never replaced: an invalid file throws a StartError', async () => {
    const file = join(folder, 'shop.db')
    await writeFile(secretKeyFileOf(file), '')
    await assert.rejects(loadOrCreateSecretKey(file), StartError)
  })
})
