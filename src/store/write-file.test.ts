import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createFileAtomically, writeFileAtomically } from './write-file.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-write-'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('a file is written with its folders, replaced, and leaves no draft', async () => {
  const path = join(folder, 'new', 'deep', 'file')
  await writeFileAtomically(path, 'first')
  await writeFileAtomically(path, Buffer.from('second'), { isSynced: false })
  assert.equal(await readFile(path, 'utf8'), 'second')
  assert.deepEqual(await readdir(join(folder, 'new', 'deep')), ['file'])
})

test('only its owner may read a file, unless another mode is given', async () => {
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777
  await writeFileAtomically(join(folder, 'private'), 'x')
  await writeFileAtomically(join(folder, 'public'), 'x', { mode: 0o644 })
  assert.equal(await modeOf(join(folder, 'private')), 0o600)
  assert.equal(await modeOf(join(folder, 'public')), 0o644 & ~process.umask())
  assert.equal(await modeOf(folder), 0o700)
})

test('of several writers that create a file, the first one wins', async () => {
  const path = join(folder, 'created', 'file')
  const texts = ['one', 'two', 'three']
  await Promise.all(texts.map((text) => createFileAtomically(path, text)))
  const first = await readFile(path, 'utf8')
  assert.ok(texts.includes(first), first)
  await createFileAtomically(path, 'four')
  assert.equal(await readFile(path, 'utf8'), first)
  assert.deepEqual(await readdir(join(folder, 'created')), ['file'])
})

test('a file that cannot be written leaves no draft', async () => {
  const parent = join(folder, 'failing')
  await mkdir(join(parent, 'taken', 'full'), { recursive: true })
  await assert.rejects(writeFileAtomically(join(parent, 'taken'), 'x'))
  assert.deepEqual(await readdir(parent), ['taken'])
})
