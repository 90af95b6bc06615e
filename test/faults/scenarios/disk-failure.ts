import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '#test/support/services/ports.ts'
import { openDeployment } from '#test/support/services/server.ts'
import type { ServerProcess } from '#test/support/services/server-process.ts'
import { assertUnavailable, openShopping, type Shopping } from './shopping.ts'

const run = promisify(execFile)
const variable = 'TEST_CC'

/** The reason why a disk failure cannot be simulated, or false: a value for `skip`. */
export const faultyDiskSkipReason = (): string | false =>
  process.platform !== 'linux'
    ? 'A failing disk is not tested: it needs Linux'
    : process.env[variable] === undefined && `A failing disk is not tested: ${variable} is not set`

/** How the disk fails: writes fail as on a full disk, or fsync fails. */
export type DiskFault = 'full' | 'sync'

/** The results of one disk failure. */
export interface DiskFaultResult {
  readonly fault: DiskFault
  readonly orders: number
  readonly rejected: number
  /** The time from the repair of the disk to the first successful write. */
  readonly recoveredMs: number
}

/**
 * Makes the disk of an SQLite database fail in each way under load, then kills the server during
 * a failure and restarts it on the same file.
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
  const faultFile = join(folder, 'fault')
  const deployment = await openDeployment('sqlite', {
    settings: { LD_PRELOAD: library, DISK_FAULT: faultFile },
  })
  const breakDisk = (fault: DiskFault | 'none') => writeFile(faultFile, fault)
  try {
    const port = await freePort()
    let server: ServerProcess = deployment.start(port)
    const shopping = await openShopping([await server.url], deployment.databaseUrl)
    const figures: DiskFaultResult[] = []
    for (const fault of faults) {
      const before = { orders: shopping.ordered(), rejected: countRefused(shopping) }
      const recoveredMs = await shopping.during(async () => {
        await sleep(200)
        await breakDisk(fault)
        await assertWritesRefused(shopping, ttlMs)
        await breakDisk('none')
        return await measureTimeUntilWritten(shopping)
      })
      figures.push({
        fault,
        recoveredMs,
        orders: shopping.ordered() - before.orders,
        rejected: countRefused(shopping) - before.rejected,
      })
      await shopping.during(async () => {
        await breakDisk(fault)
        await sleep(100)
        server.process.kill('SIGKILL')
        await server.ended
        await breakDisk('none')
        server = deployment.start(port)
        await server.url
        await measureTimeUntilWritten(shopping)
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

const countRefused = ({ counts }: Shopping): number => counts.statuses.get(503) ?? 0

/** Asserts that writes answer 503 and reads succeed while the disk fails. */
async function assertWritesRefused(shopping: Shopping, ttlMs: number): Promise<void> {
  const request = shopping.admin()
  const until = performance.now() + ttlMs
  do {
    const path = `/products/${shopping.product}`
    assertUnavailable(await request('PATCH', path, { description: 'Lost' }))
    assertUnavailable(await request('POST', '/products', { name: 'Lost', price: 1 }))
    const read = await request('GET', path)
    assert.equal(read.status, 200, read.text)
    assert.notEqual(read.json.description, 'Lost')
    await sleep(50)
  } while (performance.now() < until)
}

async function measureTimeUntilWritten(shopping: Shopping): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const body = { description: 'Written' }
    const answer = await shopping
      .admin()('PATCH', `/products/${shopping.product}`, body)
      .catch((error: NodeJS.ErrnoException) => {
        // The connection may belong to the killed server.
        if (error.code !== 'ECONNRESET') throw error
      })
    if (answer?.status === 200) return Math.round(performance.now() - startedAt)
    if (answer) assertUnavailable(answer)
    await sleep(10)
  }
}
