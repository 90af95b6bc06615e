import { hash } from 'node:crypto'
import { networkOf } from '#http/message/client-network.ts'
import { accountKey } from '#values/account-key.ts'
import type { Allowance, Quota } from '#values/allowance.ts'
import { inTime } from '#values/deadline.ts'
import { hourMs, type Instant } from '#values/instant.ts'
import { Problem } from '#values/problem.ts'
import { waitElsewhere } from '#values/request-place.ts'
import type { LimitResult, Limits } from './counters.ts'
import { createInFlight } from './in-flight.ts'
import { allowanceUnder, limitHeaders, tooManyRequestsProblem } from './limit-headers.ts'
import type { Load } from './overload.ts'

/** The failed attempts allowed to one network, as a multiple of `LOGIN_LIMIT`. */
const networkFactor = 5
/** The failed attempts allowed at one account in an hour, as a multiple of `LOGIN_LIMIT`. */
const accountFactor = 10

/** The quota of attempts of one network at one login name. */
export const pairQuota = (defaultAllowance: Allowance): Quota => ({
  ...defaultAllowance,
  name: 'credentials',
})

const hashName = (name: string): string => hash('sha256', accountKey(name), 'base64url')

/**
 * The counter key of a network and a login name. The name is hashed: it may be long or a secret.
 */
export const attemptKey = (address: string, name: string): string =>
  `attempt ${networkOf(address)} ${hashName(name)}`

/** The part of a counter key that names an account: its ID, so that all its names count together. */
const accountOf = ({ accountId, name }: Pick<LoginAttempt, 'accountId' | 'name'>): string =>
  accountId === undefined ? hashName(name) : `user ${accountId}`

const failureKey = (address: string): string => `failure ${networkOf(address)}`

/** A limit of failed attempts: per network, per account over all networks, or per pair of both. */
export type Budget = 'network' | 'account' | 'pair'

/** A sign-in attempt. */
export interface LoginAttempt {
  readonly address: string
  readonly name: string
  /** The account of the name; undefined for an unknown name. */
  readonly accountId?: number | undefined
  readonly now: Instant
}

/** Limits how often credentials may be guessed. */
export interface LoginThrottle {
  /**
   * Verifies a credential within the budgets, all by default. An attempt is reserved in each before
   * `verify` runs, and given back if `verify` throws or resolves to a truthy value. Throws 429/4291
   * without running `verify` if a budget is empty.
   */
  readonly check: <T>(
    attempt: LoginAttempt,
    verify: () => Promise<T>,
    budgets?: readonly Budget[],
  ) => Promise<T>
  /** Throws 429/4291 if the budget of the network or of the pair is empty; spends nothing. */
  readonly require: (attempt: LoginAttempt) => Promise<void>
  /** Counts a failure that names no account; true while the network may still record one. */
  readonly mayRecordFailure: (address: string, now: Instant) => Promise<boolean>
}

/**
 * Returns true if the account has signed in from this network before. Failures from other networks
 * do not lock out its owner.
 */
export type IsKnownNetwork = (attempt: LoginAttempt) => Promise<boolean>

const unlimited: LoginThrottle = {
  check: async (_claim, verify) => verify(),
  require: async () => undefined,
  mayRecordFailure: async () => true,
}

const allBudgets: readonly Budget[] = ['network', 'account', 'pair']

/** The configuration of the login throttle. */
export interface LoginThrottleOptions {
  /** The counters, and the limit of a network and a login name; nothing is limited without. */
  readonly limits?: Limits | undefined
  readonly load?: Load | undefined
  readonly isKnownNetwork?: IsKnownNetwork
}

/** Creates the throttle; its budgets derive from the limit of sign-ins. */
export function createLoginThrottle({ limits, ...options }: LoginThrottleOptions): LoginThrottle {
  if (!limits) return unlimited
  const { spend, reserve, release } = createBudgets({ ...options, limits })
  return {
    check: async (attempt, verify, budgets = allBudgets) => {
      const reserved: Budget[] = []
      let isSpent = false
      try {
        // Always in the same order, so that two attempts never wait for each other.
        for (const budget of budgets) if (await reserve(budget, attempt)) reserved.push(budget)
        const result = await verify()
        isSpent = !result
        return result
      } finally {
        release(reserved, attempt, isSpent)
      }
    },
    require: async (attempt) => {
      const budgets = ['network', 'pair'] as const
      const limitResults = await Promise.all(budgets.map((budget) => spend(budget, attempt, 0)))
      for (const budget of budgets.filter((_, at) => limitResults[at]?.remaining === 0)) {
        await reserve(budget, attempt)
        release([budget], attempt, false)
      }
    },
    mayRecordFailure: async (address, now) => {
      const allowance = allowanceUnder(
        options.load,
        pairQuota(limits.defaultAllowance),
        networkOf(address),
      )
      return (await limits.counters.spend(failureKey(address), allowance, 1, now)).allowed
    },
  }
}

/** Creates the budgets and the reservations in them. */
function createBudgets({
  limits: { counters, defaultAllowance },
  load,
  isKnownNetwork = async () => false,
}: LoginThrottleOptions & { readonly limits: Limits }) {
  const inFlight = createInFlight()
  const quotas: Readonly<Record<Budget, Quota>> = {
    network: {
      ...defaultAllowance,
      limit: defaultAllowance.limit * networkFactor,
      name: 'failures',
    },
    account: { limit: defaultAllowance.limit * accountFactor, windowMs: hourMs, name: 'account' },
    pair: pairQuota(defaultAllowance),
  }
  const spend = async (budget: Budget, attempt: LoginAttempt, cost: number) =>
    counters.spend(
      keyOf(budget, attempt),
      allowanceUnder(load, quotas[budget], networkOf(attempt.address)),
      cost,
      attempt.now,
    )
  return {
    spend,
    /**
     * Reserves an attempt; false if a known network needs none. Throws 429/4291 if none is left.
     */
    reserve: async (budget: Budget, attempt: LoginAttempt): Promise<boolean> => {
      const key = keyOf(budget, attempt)
      for (;;) {
        const limitResult = await spend(budget, attempt, 1)
        if (limitResult.allowed) {
          inFlight.begin(key)
          return true
        }
        if (budget === 'account' && (await isKnownNetwork(attempt))) return false
        // Attempts in progress may succeed and be given back, such as many sign-ins at once.
        const nextEnd = inFlight.next(key)
        if (!nextEnd) throw budgetProblem(quotas[budget], limitResult, attempt.now)
        await waitElsewhere(() => inTime(() => nextEnd))
      }
    },
    /** Ends reserved attempts, and gives them back unless they failed, without waiting. */
    release: (reserved: readonly Budget[], attempt: LoginAttempt, isSpent: boolean): void => {
      for (const budget of reserved) {
        if (!isSpent) void spend(budget, attempt, -1)
        inFlight.end(keyOf(budget, attempt))
      }
    },
  }
}

/** The problem of an attempt without budget, with the limit headers of that budget. */
function budgetProblem(quota: Quota, limitResult: LimitResult, now: Instant): Problem {
  const { code, detail, headers } = tooManyRequestsProblem(quota, limitResult)
  const limitFields = limitHeaders(quota)(limitResult, quota.limit, now)
  return new Problem(code, detail, { headers: { ...limitFields, ...headers } })
}

function keyOf(budget: Budget, attempt: LoginAttempt): string {
  const network = networkOf(attempt.address)
  if (budget === 'network') return `failures ${network}`
  const account = accountOf(attempt)
  return budget === 'account' ? `account ${account}` : `attempt ${network} ${account}`
}
