import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inheritedEnvironment } from '#test/support/services/server-process.ts'

const source = `
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
const passed = async () => { await sleep(50) }
describe('a suite', () => {
  test('one', passed)
  test('two', async () => {
    await sleep(1)
    Promise.reject(new Error('nobody awaits this'))
    await passed()
  })
  test('three', passed)
  test('four', async () => {
    await sleep(1)
    setTimeout(() => { throw new Error('nobody catches this') })
    await passed()
  })
  test('five', passed)
})
`

test('an error that nobody handles fails the test during which it occurs, and no other', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-stray-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'stray.mjs')
  await writeFile(file, source)
  const preload = import.meta.resolve('./stray-errors.ts')
  const args = ['--import', preload, '--test-reporter=tap', file]
  const { code, stdout } = await new Promise<{ readonly code: unknown; readonly stdout: string }>(
    (resolve) => {
      execFile(process.execPath, args, { env: inheritedEnvironment }, (error, stdout) =>
        resolve({ code: error?.code ?? 0, stdout }),
      )
    },
  )
  assert.equal(code, 1)
  const results = [...stdout.matchAll(/^ {4}((?:not )?ok) \d - (\w+)$/gm)]
  assert.deepEqual(
    results.map(([, result, name]) => `${name} ${result}`),
    ['one ok', 'two not ok', 'three ok', 'four not ok', 'five ok'],
  )
  for (const message of ['nobody awaits this', 'nobody catches this']) {
    assert.match(stdout, new RegExp(`error: '${message}'[^]*stack: [^]*stray\\.mjs`))
  }
})
