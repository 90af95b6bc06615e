import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findLastingPort, openDeployment } from '#test/support/services/server.ts'
import type { Started } from '#test/support/services/server-process.ts'
import { openShopping, requireRefused, type Shopping } from './shopping.ts'

const run = promisify(execFile)
const variable = 'TEST_CC'

/** Says why no disk can be made to fail, or false where one can. */
export const faultyDiskSkipReason = (): string | false =>
  process.platform !== 'linux'
    ? 'A failing disk is not tested: only on Linux is one made'
    : process.env[variable] === undefined && `A failing disk is not tested: ${variable} is not set`

/** What a disk does: nothing can be written, or nothing written be made durable. */
export type DiskFault = 'full' | 'sync'

/** What a failing disk came to. */
export interface DiskFaultResult {
  readonly fault: DiskFault
  readonly orders: number
  readonly refused: number
  /** From when the disk was sound again to when a write succeeded. */
  readonly recoveredMs: number
}

/**
 * Lets the disk of an SQLite database fail in each way under load, then kills the server in the
 * middle of a failure and starts it again on the same file.
 */
export async function runDiskFaults(
  faults: readonly DiskFault[],
  ttlMs: number,
): Promise<readonly DiskFaultResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-disk-'))
  const library = join(folder, 'faulty-disk.so')
  const source = join(import.meta.dirname, 'faulty-disk.c')
  await run(process.env[variable] ?? 'cc', [
    '-shared',
    '-fPIC',
    '-O1',
    '-o',
    library,
    source,
    '-ldl',
  ])
  const place = join(folder, 'fault')
  const deployment = await openDeployment('sqlite', {
    settings: { LD_PRELOAD: library, DISK_FAULT: place },
  })
  const breakDisk = (fault: DiskFault | 'none') => writeFile(place, fault)
  try {
    const port = await findLastingPort()
    let server: Started = deployment.start(port)
    const shopping = await openShopping([await server.url], deployment.databaseUrl)
    const figures: DiskFaultResult[] = []
    for (const fault of faults) {
      const before = { orders: shopping.ordered(), refused: refusedOf(shopping) }
      const recoveredMs = await shopping.during(async () => {
        await sleep(200)
        await breakDisk(fault)
        await requireNothingAcknowledged(shopping, ttlMs)
        await breakDisk('none')
        return await timeUntilWritten(shopping)
      })
      figures.push({
        fault,
        recoveredMs,
        orders: shopping.ordered() - before.orders,
        refused: refusedOf(shopping) - before.refused,
      })
      await shopping.during(async () => {
        await breakDisk(fault)
        await sleep(100)
        server.process.kill('SIGKILL')
        await server.ended
        await breakDisk('none')
        server = deployment.start(port)
        await server.url
        await timeUntilWritten(shopping)
      })
    }
    await shopping.audit()
    shopping.close()
    return figures
  } finally {
    await deployment.dispose()
    await rm(folder, { recursive: true, force: true })
  }
}

const refusedOf = ({ counts }: Shopping): number => counts.statuses.get(503) ?? 0

/** While the disk fails, writes are refused, and reads are answered. */
async function requireNothingAcknowledged(shopping: Shopping, ttlMs: number): Promise<void> {
  const request = shopping.admin()
  const until = performance.now() + ttlMs
  do {
    const path = `/products/${shopping.product}`
    requireRefused(await request('PATCH', path, { description: 'Lost' }))
    requireRefused(await request('POST', '/products', { name: 'Lost', price: 1 }))
    const read = await request('GET', path)
    assert.equal(read.status, 200, read.text)
    assert.notEqual(read.json.description, 'Lost')
    await sleep(50)
  } while (performance.now() < until)
}

async function timeUntilWritten(shopping: Shopping): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const body = { description: 'Written' }
    const answer = await shopping
      .admin()('PATCH', `/products/${shopping.product}`, body)
      .catch((error: NodeJS.ErrnoException) => {
        // The connection is of the server that was killed.
        if (error.code !== 'ECONNRESET') throw error
      })
    if (answer?.status === 200) return Math.round(performance.now() - startedAt)
    if (answer) requireRefused(answer)
    await sleep(10)
  }
}
