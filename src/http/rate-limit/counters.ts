import type { AuthenticatedExchange } from '#http/exchange/exchange.ts'
import { networkOf } from '#http/message/client-network.ts'
import type { Allowance } from '#values/allowance.ts'
import type { Instant } from '#values/instant.ts'

/** The decision of a counter. */
export interface LimitResult {
  readonly allowed: boolean
  /** The number of requests that would still be allowed now. */
  readonly remaining: number
  /** Milliseconds until the whole allowance is available again, if nothing more is spent. */
  readonly resetMs: number
  /** Milliseconds until a rejected request would be allowed; 0 for an allowed one. */
  readonly retryAfterMs: number
}

/** Counters of requests, by key. */
export interface Counters {
  /**
   * Spends `cost` of an allowance, or nothing if less is left; a negative cost gives back. Never
   * rejects.
   */
  readonly spend: (
    key: string,
    allowance: Allowance,
    cost: number,
    now: Instant,
  ) => LimitResult | Promise<LimitResult>
}

/** The configuration of rate limits. */
export interface Limits {
  /** The allowance where no other is set. */
  readonly defaultAllowance: Allowance
  readonly counters: Counters
}

/** Whose requests are counted. */
export interface Caller extends Pick<AuthenticatedExchange, 'actor'> {
  readonly request: { readonly ip: string }
}

/** The part of a counter key that names a caller: the user, else the network. */
export const callerKey = ({ actor, request }: Caller): string =>
  actor.userId === null ? networkOf(request.ip) : `user ${actor.userId}`

/** True for a caller of whom a stranger may make any number: no user, a guest or an unconfirmed one. */
export const isStranger = ({ actor }: Caller): boolean => !actor.isConfirmed

/** As `callerKey`, but strangers of one network are one caller. */
export const strangerKey = (caller: Caller): string =>
  isStranger(caller) ? networkKey(caller) : callerKey(caller)

/** The part of a counter key that names the users of a network together: its strangers, or all others. */
export const networkKey = (caller: Caller): string =>
  `${isStranger(caller) ? 'strangers' : 'users'} ${networkOf(caller.request.ip)}`
