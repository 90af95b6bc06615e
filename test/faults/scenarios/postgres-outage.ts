import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestRequest } from '#test/support/app.ts'
import type { OwnPostgres } from '#test/support/services/own-postgres.ts'
import { openDeployment } from '#test/support/services/server.ts'
import { openShopping, requireRefused, type Shopping } from './shopping.ts'

/** How a database goes away. */
export type Outage = 'connections killed' | 'restarted' | 'crashed'

/** What an outage of the database came to. */
export interface OutageResult {
  readonly outage: Outage
  /** How long it was away. */
  readonly awayMs: number
  /** From when the database answered again to when every endpoint of every process did. */
  readonly recoveredMs: number
  readonly orders: number
  readonly refused: number
  readonly slowestMs: number
}

const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name like 'cartwright%' and pid <> pg_backend_pid()`

/** Takes the database away from two processes under load, some times, and looks at the answers. */
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
  const before = { orders: shopping.ordered(), refused: refusedOf(shopping) }
  counts.slowestMs = 0
  const recoveredMs = await shopping.during(async () => {
    await sleep(300)
    if (outage === 'connections killed') await postgres.ask(endSessions)
    else {
      await postgres.stop(outage === 'crashed' ? 'SIGKILL' : 'SIGINT')
      await requireHonestProblems(shopping, awayMs)
      await postgres.start()
    }
    const backAt = performance.now()
    for (const index of [0, 1]) await untilServed(shopping, index)
    const recovered = performance.now() - backAt
    await sleep(300)
    return recovered
  })
  return {
    outage,
    awayMs: outage === 'connections killed' ? 0 : awayMs,
    recoveredMs: Math.round(recoveredMs),
    orders: shopping.ordered() - before.orders,
    refused: refusedOf(shopping) - before.refused,
    slowestMs: Math.round(counts.slowestMs),
  }
}

const refusedOf = ({ counts }: Shopping): number => counts.statuses.get(503) ?? 0

const asked = ({ product }: Shopping): readonly string[] => [
  `/products/${product}`,
  '/products?limit=5',
  '/users',
  '/orders',
  '/health/ready',
]

/** While the database is away, whatever is asked is refused, and lives are told from deaths. */
async function requireHonestProblems(shopping: Shopping, awayMs: number): Promise<void> {
  const until = performance.now() + awayMs
  do {
    for (const index of [0, 1]) {
      const request = shopping.admin(index)
      for (const path of asked(shopping)) requireRefused(await request('GET', path))
      assert.equal((await request('GET', '/health/live')).status, 200)
    }
    await sleep(50)
  } while (performance.now() < until)
}

async function untilServed(shopping: Shopping, index: number): Promise<void> {
  const request = shopping.admin(index)
  for (const path of asked(shopping)) await untilOk(request, path)
}

async function untilOk(request: TestRequest, path: string): Promise<void> {
  for (;;) {
    const answer = await request('GET', path)
    if (answer.status === 200) return
    requireRefused(answer)
    await sleep(10)
  }
}
