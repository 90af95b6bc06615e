import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '#src/config/config.ts'
import { createProtection } from './protection.ts'

const logger = { warn: () => undefined, info: () => undefined }

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
