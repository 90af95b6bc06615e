import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { readConfig } from '#src/config/config.ts'
import { redisSkipReason, testRedisUrl } from '#test/support/services/redis.ts'
import { minuteMs } from '#values/instant.ts'
import { createProtection, type Protection } from './protection.ts'

const logger = { warn: () => undefined, info: () => undefined }

/** Spends one for each of 20 networks; returns how many may. */
async function countAllowed(
  { limits, loginLimits }: Pick<Protection, 'limits' | 'loginLimits'>,
  keyOf: (at: number) => string,
): Promise<number> {
  const counters = [limits?.counters, loginLimits?.counters]
  const allowed = await Promise.all(
    counters.flatMap((each) =>
      Array.from({ length: 20 }, (_, at) =>
        each?.spend(keyOf(at), { limit: 1, windowMs: minuteMs }, 1, 0),
      ),
    ),
  )
  return allowed.filter((result) => result?.allowed).length
}

for (const [where, env] of [
  ['in memory', {}],
  ['in Redis', { REDIS_URL: redisSkipReason() ? '' : testRedisUrl() }],
] as const) {
  const skip = where === 'in Redis' && redisSkipReason()
  test(`the networks of an IPv6 site have the budget of 16 ${where}`, { skip }, async (t) => {
    const protection = await createProtection(readConfig(env), logger)
    t.after(() => protection.close())
    // Both limits count in one Redis.
    const spent = where === 'in Redis' ? 1 : 2
    const run = randomUUID()
    const inSite = (at: number) => `GET /${run} 2001:db8:1:${at.toString(16)}::`
    const inSites = (at: number) => `GET /${run} 2001:db9:${at.toString(16)}:0::`
    assert.equal(await countAllowed(protection, inSite), 16 * spent)
    assert.equal(await countAllowed(protection, inSites), 20 * spent)
  })
}

const limitsWith = async (env: Readonly<Record<string, string>>) => {
  const { limits, loginLimits, close } = await createProtection(readConfig(env), logger)
  close()
  return { requests: limits?.defaultAllowance.limit, signIns: loginLimits?.defaultAllowance.limit }
}

test('RATE_LIMIT and LOGIN_LIMIT set their limits independently', async () => {
  assert.deepEqual(await limitsWith({}), { requests: 100, signIns: 10 })
  assert.deepEqual(await limitsWith({ RATE_LIMIT: 'off' }), { requests: undefined, signIns: 10 })
  assert.deepEqual(await limitsWith({ LOGIN_LIMIT: 'off' }), { requests: 100, signIns: undefined })
  const both = { RATE_LIMIT: 'off', LOGIN_LIMIT: 'off' }
  assert.deepEqual(await limitsWith(both), { requests: undefined, signIns: undefined })
})
