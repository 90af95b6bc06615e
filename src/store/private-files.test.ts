import { tableDeclarations } from '#src/server/tables.ts'
import '#test/support/run/own-process.ts'
import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openLedger } from '#shop/providers/sandbox/ledger/ledger.ts'
import { loadOrCreateSecretKey, secretKeyFileOf } from '#src/server/startup/secret-key.ts'
import { openStore } from './database.ts'

const modeOf = (path: string): number => statSync(path).mode & 0o777
const suffixes = ['', '-wal', '-shm']

describe('the files of the data', () => {
  const cwd = process.cwd()
  let folder = ''
  let umask = 0
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'private-'))
    process.chdir(folder)
    // The most permissive one.
    umask = process.umask(0)
  })
  after(() => {
    process.umask(umask)
    process.chdir(cwd)
    rmSync(folder, { recursive: true })
  })

  test('are created for their owner only, with their folders', async () => {
    const file = join(folder, 'new', 'deep', 'shop.db')
    const store = await openStore(`sqlite:${file}`)
    await store.migrate(tableDeclarations)
    const ledger = openLedger(`${file}.charges`)
    for (const suffix of suffixes) {
      assert.equal(modeOf(`${file}${suffix}`), 0o600, suffix)
      assert.equal(modeOf(`${file}.charges${suffix}`), 0o600, `charges ${suffix}`)
    }
    for (const path of ['new', 'new/deep']) assert.equal(modeOf(join(folder, path)), 0o700, path)
    ledger.close()
    await store.close()
  })

  test('that others can read are restricted to the owner at the next start', async () => {
    const file = join(folder, 'old.db')
    const first = await openStore(`sqlite:${file}`)
    const charges = openLedger(`${file}.charges`)
    await loadOrCreateSecretKey(file)
    const files = [file, `${file}.charges`].flatMap((path) =>
      suffixes.map((suffix) => path + suffix),
    )
    for (const path of [...files, secretKeyFileOf(file)]) chmodSync(path, 0o664)
    const second = await openStore(`sqlite:${file}`)
    const again = openLedger(`${file}.charges`)
    await loadOrCreateSecretKey(file)
    for (const path of [...files, secretKeyFileOf(file)]) assert.equal(modeOf(path), 0o600, path)
    again.close()
    charges.close()
    await second.close()
    await first.close()
  })

  test('restrict the default folder, but neither a configured nor a linked one', async () => {
    mkdirSync('data', 0o777)
    mkdirSync('shared', 0o777)
    for (const name of ['data', 'shared']) {
      const store = await openStore(`sqlite:${join(folder, name)}/shop.db`)
      await store.close()
    }
    assert.equal(modeOf('data'), 0o700)
    assert.equal(modeOf('shared'), 0o777)
    rmSync('data', { recursive: true })
    symlinkSync('shared', 'data')
    const store = await openStore('sqlite:data/linked.db')
    await store.close()
    assert.equal(modeOf('shared'), 0o777)
    assert.equal(modeOf('shared/linked.db'), 0o600)
  })

  test('that cannot be created are an error of the system', async () => {
    writeFileSync('file', '')
    await assert.rejects(openStore('sqlite:file/shop.db'), { code: /ENOTDIR|EEXIST/ })
  })
})
