import { hash } from 'node:crypto'

/** The outcome of a charge with a token, and the response to its request. */
interface Script {
  /** The initial status of the charge; with `none`, nothing is recorded. */
  readonly status: 'succeeded' | 'declined' | 'pending' | 'action_required' | 'none'
  /** The final status of a charge that is pending or approved by the buyer, sent by callback. */
  readonly becomes?: 'succeeded' | 'declined'
  readonly reason?: string
  /**
   * `honest`: the charge; `garbage`: 200 without JSON; `silence`: no response; `hang-up`: the
   * connection is closed.
   */
  readonly answer: 'honest' | 'garbage' | 'silence' | 'hang-up'
  /** The request is handled only after `settleMs`. */
  readonly slow?: true
  /** The callback is sent twice, followed by the older `pending` one. */
  readonly unruly?: true
}

const DECLINED = { status: 'declined', answer: 'honest' } as const
const LATER = { status: 'pending', becomes: 'succeeded', answer: 'honest' } as const

const SCRIPTS: ReadonlyMap<string, Script> = new Map<string, Script>([
  ['tok_visa', { status: 'succeeded', answer: 'honest' }],
  ['tok_declined', { ...DECLINED, reason: 'card declined' }],
  ['tok_later', LATER],
  ['tok_later_declined', { ...LATER, becomes: 'declined', reason: 'card declined' }],
  ['tok_3ds', { ...LATER, status: 'action_required' }],
  [
    'tok_3ds_fail',
    {
      status: 'action_required',
      becomes: 'declined',
      answer: 'honest',
      reason: 'authentication failed',
    },
  ],
  ['tok_twice', { ...LATER, unruly: true }],
  ['tok_garbage', { status: 'none', answer: 'garbage' }],
  ['tok_timeout', { status: 'none', answer: 'silence' }],
  ['tok_down', { status: 'none', answer: 'hang-up' }],
  ['tok_slow', { status: 'succeeded', answer: 'honest', slow: true }],
  ['tok_charged_then_garbage', { status: 'succeeded', answer: 'garbage' }],
  ['tok_charged_then_timeout', { status: 'succeeded', answer: 'silence' }],
  ['tok_charged_then_down', { status: 'succeeded', answer: 'hang-up' }],
])

/** Returns the script of a token; an unknown token is declined. */
export function scriptOf(token: string): Script {
  return SCRIPTS.get(token) ?? { ...DECLINED, reason: 'unknown token' }
}

/**
 * What the ledger stores of a token: a hash to recognise it, and the outcome that is still to come.
 */
export interface PlannedOutcome {
  readonly mark: string
  readonly becomes?: 'succeeded' | 'declined'
  readonly reason?: string
  readonly unruly?: true
}

/** Returns the plan of a charge, which does not contain the token. */
export function plannedOutcomeOf(key: string, token: string): PlannedOutcome {
  const { becomes, reason, unruly } = scriptOf(token)
  return {
    mark: hash('sha256', `${key} ${token}`, 'hex').slice(0, 8),
    ...(becomes && { becomes }),
    ...(becomes && reason !== undefined && { reason }),
    ...(unruly && { unruly }),
  }
}
