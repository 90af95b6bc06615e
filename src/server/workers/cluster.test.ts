import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { emptyDatabase, skipReason } from '#test/support/services/databases.ts'
import { type Started, start } from '#test/support/services/server-process.ts'

const SECRET_KEY = 'a secret key that only tests sign with'

/** The workers that have said they are ready, in that order, the dead included. */
function workersOf({ output }: Started): readonly number[] {
  return [...output().matchAll(/"pid":(\d+),[^\n]*"msg":"ready"/g)].map(([, pid]) => Number(pid))
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('several workers', { skip: skipReason('postgres') }, () => {
  async function withWorkers(work: (server: Started, url: string) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'cartwright-crew-'))
    const { url: DATABASE_URL, remove } = await emptyDatabase('postgres')
    const server = start(folder, { DATABASE_URL, SECRET_KEY, WORKERS: '2' })
    const url = await server.url
    await until(() => workersOf(server).length === 2)
    await work(server, url)
    await server.stop()
    await remove()
    await rm(folder, { recursive: true, force: true })
  }

  test('begin the database once, and end together without a fault at SIGTERM', async () => {
    await withWorkers(async (server, url) => {
      assert.equal((await fetch(`${url}/health/ready`)).status, 200)
      assert.equal(await server.stop(), 0, server.output())
      assert.equal(server.output().match(/An administrator was made/g)?.length, 1)
      assert.deepEqual(workersOf(server).filter(isAlive), [])
    })
  })

  test('are replaced when they die', async () => {
    await withWorkers(async (server, url) => {
      const [first = 0] = workersOf(server)
      process.kill(first, 'SIGKILL')
      await until(() => workersOf(server).length === 3)
      assert.equal((await fetch(`${url}/health/ready`)).status, 200)
      assert.equal(await server.stop(), 0, server.output())
    })
  })

  test('answer each for all of them what they have measured', async () => {
    await withWorkers(async (_server, url) => {
      // A connection of its own each, so that the workers take turns.
      const headers = { connection: 'close' }
      for (let count = 0; count < 6; count += 1) await fetch(`${url}/health/live`, { headers })
      const text = await (await fetch(`${url}/metrics`, { headers })).text()
      const series = 'http_request_duration_seconds_count{method="GET",route="/health/live"'
      assert.ok(text.includes(`${series},status="200"} 6`), text.slice(0, 2000))
    })
  })
})
