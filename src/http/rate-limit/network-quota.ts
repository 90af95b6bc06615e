import type { ValidatedExchange } from '#http/exchange/exchange.ts'
import type { Outcome } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'
import { networkOf, siteOf } from '#http/message/client-network.ts'
import type { Quota } from '#values/allowance.ts'
import type { Instant } from '#values/instant.ts'
import type { Limits } from './counters.ts'
import { limitFragment, spendQuota } from './limit-headers.ts'

/** The part of a counter key that names the quota of a network. */
const networkQuotaKey = ({ name }: Quota, network: string): string => `${name} of ${network}`

/** Spends one of the quota of a network; throws 429/4291 without any left. */
const spendNetworkQuota = (
  limits: Limits,
  quota: Quota,
  network: string,
  now: Instant,
): void | Promise<void> => spendQuota(limits, quota, networkQuotaKey(quota, network), now)

/** Gives one of the quota of a network back. */
export async function giveBackNetworkQuota(
  { counters }: Limits,
  quota: Quota,
  network: string,
  now: Instant,
): Promise<void> {
  await counters.spend(networkQuotaKey(quota, network), quota, -1, now)
}

/** Limits what the callers of one network do by an operation with a `networkQuota`; throws 429/4291. */
export const networkQuotaMiddleware = (
  limits: Limits | undefined,
): Middleware<ValidatedExchange, void, Outcome> => ({
  name: 'network quota',
  prepare({ networkQuota }) {
    if (!limits || !networkQuota) return undefined
    return {
      fragment: limitFragment,
      run: async ({ actor, request, now }, next) => {
        if (actor.role === 'admin') return next()
        const network = siteOf(networkOf(request.ip))
        await spendNetworkQuota(limits, networkQuota, network, now)
        try {
          return await next()
        } catch (error) {
          await giveBackNetworkQuota(limits, networkQuota, network, now)
          throw error
        }
      },
    }
  },
})
