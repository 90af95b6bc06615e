import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestRequest } from '#test/support/app.ts'
import type { OwnPostgres } from '#test/support/services/own-postgres.ts'
import { openDeployment } from '#test/support/services/server.ts'
import { assertUnavailable, openShopping, type Shopping } from './shopping.ts'

/** The kind of an outage. */
export type Outage = 'connections killed' | 'restarted' | 'crashed'

/** The results of one outage. */
export interface OutageResult {
  readonly outage: Outage
  /** The duration of the outage. */
  readonly awayMs: number
  /** The time from the return of the database until every endpoint of every process answers. */
  readonly recoveredMs: number
  readonly orders: number
  readonly rejected: number
  readonly slowestMs: number
}

const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name like 'cartwright%' and pid <> pg_backend_pid()`

/** Runs outages under two processes with load and asserts their responses. */
export async function runOutages(
  postgres: OwnPostgres,
  outages: readonly { readonly outage: Outage; readonly awayMs: number }[],
): Promise<readonly OutageResult[]> {
  const deployment = await openDeployment('postgres', { databaseUrl: postgres.url })
  try {
    const urls = await Promise.all([deployment.start().url, deployment.start().url])
    const shopping = await openShopping(urls, postgres.url)
    const figures: OutageResult[] = []
    for (const { outage, awayMs } of outages) {
      figures.push(await runOutage(postgres, shopping, outage, awayMs))
    }
    await shopping.audit()
    shopping.close()
    return figures
  } finally {
    await deployment.dispose()
  }
}

async function runOutage(
  postgres: OwnPostgres,
  shopping: Shopping,
  outage: Outage,
  awayMs: number,
): Promise<OutageResult> {
  const { counts } = shopping
  const before = { orders: shopping.ordered(), rejected: countRefused(shopping) }
  counts.slowestMs = 0
  const recoveredMs = await shopping.during(async () => {
    await sleep(300)
    if (outage === 'connections killed') await postgres.query(endSessions)
    else {
      await postgres.stop(outage === 'crashed' ? 'SIGKILL' : 'SIGINT')
      await assertUnavailability(shopping, awayMs)
      await postgres.start()
    }
    const restoredAt = performance.now()
    for (const index of [0, 1]) await waitUntilServed(shopping, index)
    const recovered = performance.now() - restoredAt
    await sleep(300)
    return recovered
  })
  return {
    outage,
    awayMs: outage === 'connections killed' ? 0 : awayMs,
    recoveredMs: Math.round(recoveredMs),
    orders: shopping.ordered() - before.orders,
    rejected: countRefused(shopping) - before.rejected,
    slowestMs: Math.round(counts.slowestMs),
  }
}

const countRefused = ({ counts }: Shopping): number => counts.statuses.get(503) ?? 0

const readPaths = ({ product }: Shopping): readonly string[] => [
  `/products/${product}`,
  '/products?limit=5',
  '/users',
  '/orders',
  '/health/ready',
]

/** Asserts that reads answer 503 and the liveness check succeeds during the outage. */
async function assertUnavailability(shopping: Shopping, awayMs: number): Promise<void> {
  const until = performance.now() + awayMs
  do {
    for (const index of [0, 1]) {
      const request = shopping.admin(index)
      for (const path of readPaths(shopping)) assertUnavailable(await request('GET', path))
      assert.equal((await request('GET', '/health/live')).status, 200)
    }
    await sleep(50)
  } while (performance.now() < until)
}

async function waitUntilServed(shopping: Shopping, index: number): Promise<void> {
  const request = shopping.admin(index)
  for (const path of readPaths(shopping)) await waitUntilOk(request, path)
}

async function waitUntilOk(request: TestRequest, path: string): Promise<void> {
  for (;;) {
    const answer = await request('GET', path)
    if (answer.status === 200) return
    assertUnavailable(answer)
    await sleep(10)
  }
}
