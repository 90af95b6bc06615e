import { networksOfSite, withSite } from '#http/message/client-network.ts'
import type { Allowance } from '#values/allowance.ts'
import type { Counters, LimitResult } from './counters.ts'

/**
 * Counts what the networks of an IPv6 site spend for the site too, which has the allowance of 16 of them:
 * one customer may have 65,536 networks.
 */
export const withSiteCounters = ({ spend }: Counters): Counters => ({
  spend: (key, allowance, cost, now) => {
    const own = spend(key, allowance, cost, now)
    const siteKey = withSite(key)
    if (siteKey === undefined) return own
    const decide = (result: LimitResult, shared: LimitResult): LimitResult => {
      if (shared.allowed) {
        return { ...result, remaining: Math.min(result.remaining, shared.remaining) }
      }
      void spend(key, allowance, -cost, now)
      return shared
    }
    const spendOfSite = (result: LimitResult): LimitResult | Promise<LimitResult> => {
      if (!result.allowed) return result
      const shared = spend(siteKey, allowanceOfSite(allowance), cost, now)
      return shared instanceof Promise
        ? shared.then((known) => decide(result, known))
        : decide(result, shared)
    }
    return own instanceof Promise ? own.then(spendOfSite) : spendOfSite(own)
  },
})

const allowanceOfSite = ({ limit, windowMs, fullLimit = limit }: Allowance): Allowance => ({
  limit: limit * networksOfSite,
  windowMs,
  fullLimit: fullLimit * networksOfSite,
})
