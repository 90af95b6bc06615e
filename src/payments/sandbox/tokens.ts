import { hash } from 'node:crypto'

/** What happens to a charge made with one token, and how the request for it is answered. */
interface Script {
  /** The status a charge is recorded with at once, or `none`: nothing is recorded. */
  readonly status: 'succeeded' | 'declined' | 'pending' | 'none'
  /** What a pending charge becomes, told by callback. */
  readonly becomes?: 'succeeded' | 'declined'
  readonly reason?: string
  /** `honest` answers the charge, `garbage` 200 without JSON, `silence` nothing ever, `hang-up` closes the connection. */
  readonly answer: 'honest' | 'garbage' | 'silence' | 'hang-up'
  /** The request is looked at only after the delay with which pending charges settle. */
  readonly slow?: true
  /** The callback comes twice, and then the older `pending` one after it. */
  readonly unruly?: true
}

const DECLINED = { status: 'declined', answer: 'honest' } as const
const LATER = { status: 'pending', becomes: 'succeeded', answer: 'honest' } as const

const SCRIPTS: ReadonlyMap<string, Script> = new Map<string, Script>([
  ['tok_visa', { status: 'succeeded', answer: 'honest' }],
  ['tok_declined', { ...DECLINED, reason: 'card declined' }],
  ['tok_later', LATER],
  ['tok_later_declined', { ...LATER, becomes: 'declined', reason: 'card declined' }],
  ['tok_twice', { ...LATER, unruly: true }],
  ['tok_garbage', { status: 'none', answer: 'garbage' }],
  ['tok_timeout', { status: 'none', answer: 'silence' }],
  ['tok_down', { status: 'none', answer: 'hang-up' }],
  ['tok_slow', { status: 'succeeded', answer: 'honest', slow: true }],
  ['tok_charged_then_garbage', { status: 'succeeded', answer: 'garbage' }],
  ['tok_charged_then_timeout', { status: 'succeeded', answer: 'silence' }],
  ['tok_charged_then_down', { status: 'succeeded', answer: 'hang-up' }],
])

/** Answers the script of a token; a token that is not in the list is declined. */
export function scriptOf(token: string): Script {
  return SCRIPTS.get(token) ?? { ...DECLINED, reason: 'unknown token' }
}

/** What is kept of a token: enough to know it again beside its key, and what is still to happen. */
export interface Plan {
  readonly mark: string
  readonly becomes?: 'succeeded' | 'declined'
  readonly reason?: string
  readonly unruly?: true
}

/** The plan of a charge; the token itself is not part of it. */
export function planOf(key: string, token: string): Plan {
  const { becomes, reason, unruly } = scriptOf(token)
  return {
    mark: hash('sha256', `${key} ${token}`, 'hex').slice(0, 8),
    ...(becomes && { becomes }),
    ...(becomes && reason !== undefined && { reason }),
    ...(unruly && { unruly }),
  }
}
