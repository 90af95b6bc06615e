import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeFolder } from './folder.ts'

const directory = mkdtempSync(join(tmpdir(), 'folder-'))
after(() => rmSync(directory, { recursive: true }))

test('a folder is created with its parents, and left as it is if it exists', () => {
  const path = join(directory, 'a', 'b', 'c')
  makeFolder(path)
  makeFolder(path)
  assert.ok(statSync(path).isDirectory())
})

test('a folder below a file or in place of a file is an error', () => {
  const file = join(directory, 'file')
  writeFileSync(file, '')
  assert.throws(() => makeFolder(file), { code: 'EEXIST' })
  assert.throws(() => makeFolder(join(file, 'folder')), { code: 'ENOTDIR' })
})

test('a file system that allows no folder is an error at once', (t) => {
  if (!existsSync('/proc/self')) return t.skip('This system has no /proc')
  assert.throws(() => makeFolder('/proc/nowhere/deeper'), { code: 'ENOENT' })
})
