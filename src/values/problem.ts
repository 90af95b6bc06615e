import { createMessage, type Message, type MessageKey } from '#i18n/message.ts'
import { catalogue, type ErrorCode } from './error-codes.ts'

/** What is wrong with one field of a request. */
export interface FieldIssue {
  readonly field: string
  readonly message: Message
  /** True when a required field is absent, which is graver (400) than a wrong one (422). */
  readonly missing?: boolean
}

/** An expected, catalogued failure of a request; anything else that is thrown is a bug. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ErrorCode
  readonly detail: Message
  readonly issues: readonly FieldIssue[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    detail: Message,
    more: { issues?: readonly FieldIssue[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(`${code} ${detail.key}`)
    this.code = code
    this.detail = detail
    this.issues = more.issues ?? []
    this.headers = more.headers ?? {}
  }

  /** The HTTP status of the refusal. */
  get status(): number {
    return catalogue[this.code].status
  }
}

/** Makes the refusal `code`, explained by one sentence. */
export const problem = (
  code: ErrorCode,
  key: MessageKey,
  values: Message['values'] = {},
): Problem => new Problem(code, createMessage(key, values))

/** Makes the refusal of what will do again soon: 503/5031 with `Retry-After` (RFC 9110 10.2.3). */
export const unavailable = (key: MessageKey, retryAfterSeconds = 1): Problem =>
  new Problem('5031', createMessage(key), { headers: { 'retry-after': String(retryAfterSeconds) } })

/** How many mistakes of one request are told at most. */
export const maxIssues = 50
/** The longest name of a field that is told whole, in UTF-16 code units. */
const maxNameLength = 200

/**
 * Makes the refusal of a body or of parameters: 4001 as soon as one field is missing, else `wrong`.
 * It stays small whatever was sent, because it may be kept: the missing come first, and what is
 * beyond 50 is not told.
 */
export function fieldProblem(
  issues: readonly FieldIssue[],
  wrong: '4221' | '4003' = '4221',
): Problem {
  const code = issues.some((issue) => issue.missing) ? '4001' : wrong
  const told = worst(issues).map((issue) => ({ ...issue, field: shortened(issue.field) }))
  const names = [...new Set(told.map((issue) => issue.field))].join(', ')
  return new Problem(code, createMessage('detail.fields', { names }), { issues: told })
}

function worst(issues: readonly FieldIssue[]): readonly FieldIssue[] {
  if (issues.length <= maxIssues) return issues
  return [
    ...issues.filter(({ missing }) => missing),
    ...issues.filter(({ missing }) => !missing),
  ].slice(0, maxIssues)
}

const shortened = (name: string): string =>
  name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength).toWellFormed()}…`
