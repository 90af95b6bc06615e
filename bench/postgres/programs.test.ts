import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram, newestFirst } from './programs.ts'

test('a program is found in the first folder where it may be executed', (context) => {
  const place = mkdtempSync(join(tmpdir(), 'programs-'))
  context.after(() => rmSync(place, { recursive: true }))
  const folders = ['empty', 'plain', 'first', 'second'].map((name) => join(place, name))
  for (const folder of folders) mkdirSync(folder)
  for (const folder of folders.slice(1)) writeFileSync(join(folder, 'tool'), '')
  for (const folder of folders.slice(2)) chmodSync(join(folder, 'tool'), 0o755)
  assert.equal(findProgram('tool', ['', ...folders]), join(place, 'first', 'tool'))
  assert.equal(findProgram('tool', folders.slice(0, 2)), undefined)
})

test('versions are ordered as numbers are', () => {
  const folders = ['9.6', '15', '17', '10'].map((version) => `/usr/lib/postgresql/${version}/bin`)
  const versions = newestFirst(folders).map((folder) => folder.split('/')[4])
  assert.deepEqual(versions, ['17', '15', '10', '9.6'])
})
