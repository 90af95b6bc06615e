import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeFolder } from './folder.ts'

const directory = mkdtempSync(join(tmpdir(), 'folder-'))
after(() => rmSync(directory, { recursive: true }))

test('a folder is made with those above it, and a second time left as it is', () => {
  const path = join(directory, 'a', 'b', 'c')
  makeFolder(path)
  makeFolder(path)
  assert.ok(statSync(path).isDirectory())
})

test('below a file no folder is made, nor in place of one', () => {
  const file = join(directory, 'file')
  writeFileSync(file, '')
  assert.throws(() => makeFolder(file), { code: 'EEXIST' })
  assert.throws(() => makeFolder(join(file, 'folder')), { code: 'ENOTDIR' })
})

test('where the file system lets nobody make one, the error is told at once', (t) => {
  if (!existsSync('/proc/self')) return t.skip('there is no /proc here')
  assert.throws(() => makeFolder('/proc/nowhere/deeper'), { code: 'ENOENT' })
})
