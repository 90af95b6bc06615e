import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createEmptyDatabase, skipReason } from '#test/support/services/databases.ts'
import { type ServerProcess, start } from '#test/support/services/server-process.ts'

const SECRET_KEY = 'a secret key that only tests sign with'

/** The process ids of the workers that became ready, in that order, including dead ones. */
function readyWorkers({ output }: ServerProcess): readonly number[] {
  return [...output().matchAll(/"pid":(\d+),[^\n]*"msg":"ready"/g)].map(([, pid]) => Number(pid))
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('several workers', { skip: skipReason('postgres') }, () => {
  async function withWorkers(
    work: (server: ServerProcess, url: string) => Promise<void>,
  ): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'cartwright-workers-'))
    const { url: DATABASE_URL, remove } = await createEmptyDatabase('postgres')
    const server = start(folder, { DATABASE_URL, SECRET_KEY, WORKERS: '2' })
    const url = await server.url
    await until(() => readyWorkers(server).length === 2)
    await work(server, url)
    await server.stop()
    await remove()
    await rm(folder, { recursive: true, force: true })
  }

  test('initialize the database once and exit with 0 on SIGTERM', async () => {
    await withWorkers(async (server, url) => {
      assert.equal((await fetch(`${url}/health/ready`)).status, 200)
      assert.equal(await server.stop(), 0, server.output())
      for (const once of ['An administrator was made', 'mails are written to a folder']) {
        assert.equal(server.output().split(once).length, 2, once)
      }
      assert.deepEqual(readyWorkers(server).filter(isAlive), [])
    })
  })

  test('are replaced when they die', async () => {
    await withWorkers(async (server, url) => {
      const [first = 0] = readyWorkers(server)
      process.kill(first, 'SIGKILL')
      await until(() => readyWorkers(server).length === 3)
      assert.equal((await fetch(`${url}/health/ready`)).status, 200)
      assert.equal(await server.stop(), 0, server.output())
    })
  })

  test('keep in the metrics what a worker that died has counted', async () => {
    await withWorkers(async (server, url) => {
      const headers = { connection: 'close' }
      const scrape = async () => (await fetch(`${url}/metrics`, { headers })).text()
      const counted = async () =>
        /_count{method="GET",route="\/health\/live",status="200"} (\d+)/.exec(await scrape())?.[1]
      for (let count = 0; count < 6; count += 1) await fetch(`${url}/health/live`, { headers })
      assert.equal(await counted(), '6')
      for (const pid of readyWorkers(server)) process.kill(pid, 'SIGKILL')
      await until(() => readyWorkers(server).length === 4)
      assert.equal(await counted(), '6')
    })
  })

  test('each answer with the metrics of all workers', async () => {
    await withWorkers(async (_server, url) => {
      // A new connection per request, so that the workers alternate.
      const headers = { connection: 'close' }
      for (let count = 0; count < 6; count += 1) await fetch(`${url}/health/live`, { headers })
      const text = await (await fetch(`${url}/metrics`, { headers })).text()
      const series = 'http_request_duration_seconds_count{method="GET",route="/health/live"'
      assert.ok(text.includes(`${series},status="200"} 6`), text.slice(0, 2000))
    })
  })
})
