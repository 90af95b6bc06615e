import { networkOf } from '#http/message/client-network.ts'
import type { Quota } from '#values/allowance.ts'
import { type Instant, minuteMs } from '#values/instant.ts'
import type { Limits } from './counters.ts'
import { spendQuota } from './limit-headers.ts'

/** A shop signs up fewer people a minute from behind one address. */
const quota: Quota = { name: 'hashes', limit: 60, windowMs: minuteMs }

/** Spends one of the new passwords that a network may have hashed; throws 429/4291 without any left. */
export type SpendHash = (address: string, now: Instant) => Promise<void>

/** Creates the budget of new passwords by network; nothing is limited without `limits`. */
export const createHashBudget =
  (limits: Limits | undefined): SpendHash =>
  async (address, now) => {
    if (limits) await spendQuota(limits, quota, `hashes ${networkOf(address)}`, now)
  }
