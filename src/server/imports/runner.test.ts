import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const megabyte = 2 ** 20
const packageFile = fileURLToPath(new URL('../../../package.json', import.meta.url))
const runner = new URL('runner.ts', import.meta.url).href

/** Sends the limit of a thread's heap before the code of the thread runs, which may end at once. */
const report = `
  import { getHeapStatistics } from 'node:v8'
  import { parentPort } from 'node:worker_threads'
  parentPort?.postMessage(getHeapStatistics().heap_size_limit)`

/** Prints the maximum size of the heap of the thread, and of this one. */
const program = `
  import { getHeapStatistics } from 'node:v8'
  import { startImportThread } from '${runner}'
  const worker = startImportThread({ databaseUrl: 'sqlite::memory:', shop: {} })
  worker.on('error', () => undefined)
  const thread = await new Promise((resolve) => worker.once('message', resolve))
  await worker.terminate()
  console.log(JSON.stringify({ thread, process: getHeapStatistics().heap_size_limit }))`

test('with the flags of npm start, the thread of imports has a heap of 110 MB at most', async () => {
  const { scripts } = JSON.parse(readFileSync(packageFile, 'utf8'))
  const flags: string[] = scripts.start.match(/--\S+/g)
  const { stdout } = await run(process.execPath, [
    ...flags,
    `--import=data:text/javascript,${encodeURIComponent(report)}`,
    '--input-type=module',
    '--eval',
    program,
  ])
  const limits = JSON.parse(stdout)
  assert.ok(limits.thread < 110 * megabyte, `${limits.thread} bytes`)
  assert.ok(limits.process > 1024 * megabyte, `${limits.process} bytes`)
})
