import { hash } from 'node:crypto'
import { accountKey } from '#values/account-key.ts'
import type { Instant } from '#values/instant.ts'
import type { Limits } from './counters.ts'
import { networkOf } from './network.ts'
import type { Load } from './overload.ts'
import { allowanceUnder, type Quota, strict, tooMany } from './quota.ts'

/** How often somebody may try to be somebody. */
export const attemptQuota: Quota = { name: 'credentials', ...strict }

/** Names the counter of who tries to be somebody; a name may be long or a secret, so it is hashed. */
export const attemptKey = (address: string, name: string): string =>
  `attempt ${networkOf(address)} ${hash('sha256', accountKey(name), 'base64url')}`

const failureKey = (address: string): string => `failure ${networkOf(address)}`

/** Who tries to be somebody: by address and name, so that nobody can lock out somebody else. */
export interface Attempts {
  /** Spends a try and gives what takes it back; refuses with 429 where none is left. */
  readonly spend: (address: string, name: string, now: Instant) => Promise<() => void>
  /** Refuses with 429 where no try is left, and spends none. */
  readonly require: (address: string, name: string, now: Instant) => Promise<void>
  /** True for as many failures from an address that name nobody as are worth noting in a while. */
  readonly isNotable: (address: string, now: Instant) => Promise<boolean>
}

const unlimited: Attempts = {
  spend: async () => () => undefined,
  require: async () => undefined,
  isNotable: async () => true,
}

/** Counts tries in the budget that signing in has; without limits, nothing is counted. */
export function attemptsBy(limits?: Limits, load?: Load): Attempts {
  if (!limits) return unlimited
  const { counters } = limits
  const spend: Attempts['spend'] = async (address, name, now) => {
    const key = attemptKey(address, name)
    const allowance = allowanceUnder(load, attemptQuota)
    const verdict = await counters.spend(key, allowance, 1, now)
    if (!verdict.allowed) throw tooMany(attemptQuota, verdict)
    return () => {
      // Nobody waits for it.
      void counters.spend(key, allowance, -1, now)
    }
  }
  return {
    spend,
    require: async (address, name, now) => {
      const allowance = allowanceUnder(load, attemptQuota)
      const verdict = await counters.spend(attemptKey(address, name), allowance, 0, now)
      // Only a try that is refused tells how long to wait.
      if (verdict.remaining === 0) (await spend(address, name, now))()
    },
    isNotable: async (address, now) => {
      const allowance = allowanceUnder(load, attemptQuota)
      return (await counters.spend(failureKey(address), allowance, 1, now)).allowed
    },
  }
}
