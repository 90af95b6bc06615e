import { hash } from 'node:crypto'
import type { Load } from '#http/pipeline/guards/overload.ts'
import { networkOf } from '#http/server/network/client-network.ts'
import { accountKey } from '#values/account-key.ts'
import type { Allowance } from '#values/allowance.ts'
import { hourMs, type Instant } from '#values/instant.ts'
import { Problem } from '#values/problem.ts'
import type { LimitResult, Limits } from './counters.ts'
import { openInFlight } from './in-flight.ts'
import { allowanceUnder, limitHeaders, type Quota, tooMany } from './limit-headers.ts'

/** The failed attempts of one network, relative to `LOGIN_LIMIT`. */
const addressFactor = 5
/** The failed attempts at one account in an hour, over all networks, relative to `LOGIN_LIMIT`. */
const accountFactor = 10

/** How often a pair of address and name may be tried. */
export const pairQuota = (usual: Allowance): Quota => ({ ...usual, name: 'credentials' })

const hashed = (name: string): string => hash('sha256', accountKey(name), 'base64url')

/** Names the counter of a pair of address and name; a name may be long or a secret, so it is hashed. */
export const attemptKey = (address: string, name: string): string =>
  `attempt ${networkOf(address)} ${hashed(name)}`

const failureKey = (address: string): string => `failure ${networkOf(address)}`

/**
 * What limits failed attempts: the network they come from, the account they are made at over all
 * networks, and the pair of network and name.
 */
export type Budget = 'address' | 'account' | 'pair'

/** Who claims to be whom, from where. */
export interface Claim {
  readonly address: string
  readonly name: string
  readonly now: Instant
}

/** Limits how often credentials may be guessed. */
export interface LoginThrottle {
  /**
   * Verifies a credential within the budgets of failures, all by default. An attempt is reserved in
   * each before `verify` runs and given back when it resolves to something truthy, or throws.
   * Throws 429/4291 without running `verify` where a budget is empty.
   */
  readonly check: <T>(
    claim: Claim,
    verify: () => Promise<T>,
    budgets?: readonly Budget[],
  ) => Promise<T>
  /** Throws 429/4291 where the budget of the network or of the pair is empty; spends nothing. */
  readonly require: (claim: Claim) => Promise<void>
  /** True for as many failures of a network that name no account as are recorded in a while. */
  readonly isNotable: (address: string, now: Instant) => Promise<boolean>
}

/**
 * True where the owner of the account of this name has signed in from the network of the address.
 * Guesses from elsewhere do not stop such an owner.
 */
export type IsKnownNetwork = (claim: Claim) => Promise<boolean>

const unlimited: LoginThrottle = {
  check: async (_claim, verify) => verify(),
  require: async () => undefined,
  isNotable: async () => true,
}

const everyBudget: readonly Budget[] = ['address', 'account', 'pair']

/** What attempts are limited with. */
export interface LoginThrottleOptions {
  /** The counters, and the limit of a pair of address and name; without, nothing is limited. */
  readonly limits?: Limits | undefined
  readonly load?: Load | undefined
  readonly isKnownNetwork?: IsKnownNetwork
}

/** Counts failed attempts in the budgets derived from the limit of sign-ins. */
export function openLoginThrottle({ limits, ...options }: LoginThrottleOptions): LoginThrottle {
  if (!limits) return unlimited
  const { spend, reserve, release } = openBudgets({ ...options, limits })
  return {
    check: async (claim, verify, budgets = everyBudget) => {
      const held: Budget[] = []
      let isSpent = false
      try {
        // Always in one order, so that two attempts never wait for each other.
        for (const budget of budgets) if (await reserve(budget, claim)) held.push(budget)
        const result = await verify()
        isSpent = !result
        return result
      } finally {
        release(held, claim, isSpent)
      }
    },
    require: async (claim) => {
      const budgets = ['address', 'pair'] as const
      const limitResults = await Promise.all(budgets.map((budget) => spend(budget, claim, 0)))
      const empty = budgets.filter((_, at) => limitResults[at]?.remaining === 0)
      for (const budget of empty) {
        await reserve(budget, claim)
        release([budget], claim, false)
      }
    },
    isNotable: async (address, now) => {
      const allowance = allowanceUnder(options.load, pairQuota(limits.usual))
      return (await limits.counters.spend(failureKey(address), allowance, 1, now)).allowed
    },
  }
}

/** The budgets of failed attempts, and what is reserved in them. */
function openBudgets({
  limits: { counters, usual },
  load,
  isKnownNetwork = async () => false,
}: LoginThrottleOptions & { readonly limits: Limits }) {
  const inFlight = openInFlight()
  const quotas: Readonly<Record<Budget, Quota>> = {
    address: { ...usual, limit: usual.limit * addressFactor, name: 'failures' },
    account: { limit: usual.limit * accountFactor, windowMs: hourMs, name: 'account' },
    pair: pairQuota(usual),
  }
  const spend = async (budget: Budget, claim: Claim, cost: number) =>
    counters.spend(keyOf(budget, claim), allowanceUnder(load, quotas[budget]), cost, claim.now)
  return {
    spend,
    /** Reserves an attempt; false where the network needs none. Throws 429 where none is left. */
    reserve: async (budget: Budget, claim: Claim): Promise<boolean> => {
      const key = keyOf(budget, claim)
      for (;;) {
        const limitResult = await spend(budget, claim, 1)
        if (limitResult.allowed) {
          inFlight.begin(key)
          return true
        }
        if (budget === 'account' && (await isKnownNetwork(claim))) return false
        // Attempts in flight may yet be given back: many who sign in at once are no guesses.
        const settled = inFlight.next(key)
        if (!settled) throw empty(quotas[budget], limitResult, claim.now)
        await settled
      }
    },
    /** Ends reserved attempts, and gives them back unless they are spent; nobody waits for that. */
    release: (held: readonly Budget[], claim: Claim, isSpent: boolean): void => {
      for (const budget of held) {
        if (!isSpent) void spend(budget, claim, -1)
        inFlight.end(keyOf(budget, claim))
      }
    },
  }
}

/** The refusal of an attempt, which tells of the budget that is empty. */
function empty(quota: Quota, limitResult: LimitResult, now: Instant): Problem {
  const { code, detail, headers } = tooMany(quota, limitResult)
  const told = limitHeaders(quota)(limitResult, quota.limit, now)
  return new Problem(code, detail, { headers: { ...told, ...headers } })
}

function keyOf(budget: Budget, { address, name }: Claim): string {
  if (budget === 'address') return `failures ${networkOf(address)}`
  return budget === 'account' ? `account ${hashed(name)}` : attemptKey(address, name)
}
