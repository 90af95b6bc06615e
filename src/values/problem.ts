import { type ErrorCode, errorCatalogue } from '#i18n/error-codes.ts'
import { createMessage, type Message, type MessageKey } from '#i18n/message.ts'

/** An error in one field of a request. */
export interface FieldIssue {
  readonly field: string
  readonly message: Message
  /** True if a required field is absent, which is a 400 instead of a 422. */
  readonly missing?: boolean
}

/** An expected error of a request; any other error is a bug. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ErrorCode
  readonly detail: Message
  readonly issues: readonly FieldIssue[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    detail: Message,
    options: { issues?: readonly FieldIssue[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(`${code} ${detail.key}`)
    this.code = code
    this.detail = detail
    this.issues = options.issues ?? []
    this.headers = options.headers ?? {}
  }

  /** The HTTP status. */
  get status(): number {
    return errorCatalogue[this.code].status
  }
}

/** Creates a Problem with this code and message. */
export const problem = (
  code: ErrorCode,
  key: MessageKey,
  values: Message['values'] = {},
): Problem => new Problem(code, createMessage(key, values))

/** Does the work for one entry of a list; the fields of a Problem then begin with its place, as `[2].name`. */
export async function inEntry<T>(index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, detail, headers } = error
    const place = `[${index}]`
    const issues = error.issues.map((issue) => ({ ...issue, field: `${place}.${issue.field}` }))
    const all = issues.length > 0 ? issues : [{ field: place, message: detail }]
    throw new Problem(code, detail, { issues: all, headers })
  }
}

/** Creates the Problem 503/5031 with `Retry-After` (RFC 9110 section 10.2.3). */
export const unavailableProblem = (key: MessageKey, retryAfterSeconds = 1): Problem =>
  new Problem('5031', createMessage(key), { headers: { 'retry-after': String(retryAfterSeconds) } })

/** The maximum number of issues in a Problem. */
export const maxIssues = 50
/** Longer field names are truncated to this number of UTF-16 code units. */
const maxFieldNameLength = 200

/**
 * Creates the Problem of an invalid body or of invalid parameters: 4001 if a field is missing, else
 * `invalidCode`. Since responses may be stored, it is limited to 50 issues, missing fields first.
 */
export function fieldProblem(
  issues: readonly FieldIssue[],
  invalidCode: '4221' | '4003' = '4221',
): Problem {
  const code = issues.some((issue) => issue.missing) ? '4001' : invalidCode
  const limited = limitIssues(issues).map((issue) => ({ ...issue, field: truncate(issue.field) }))
  const names = [...new Set(limited.map((issue) => issue.field))].join(', ')
  return new Problem(code, createMessage('detail.fields', { names }), { issues: limited })
}

function limitIssues(issues: readonly FieldIssue[]): readonly FieldIssue[] {
  if (issues.length <= maxIssues) return issues
  return [
    ...issues.filter(({ missing }) => missing),
    ...issues.filter(({ missing }) => !missing),
  ].slice(0, maxIssues)
}

const truncate = (name: string): string =>
  name.length <= maxFieldNameLength ? name : `${name.slice(0, maxFieldNameLength).toWellFormed()}…`
