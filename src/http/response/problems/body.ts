import { errorCatalogue } from '#i18n/error-codes.ts'
import { formatMessage, type MessageKey, type MessageTexts } from '#i18n/message.ts'
import { suggestionFor } from '#i18n/suggestions.ts'
import { type Instant, toIsoText } from '#values/instant.ts'
import type { Problem } from '#values/problem.ts'

/** The configured shape of error bodies, for clients whose `Accept` selects none. */
export type ErrorShape = 'standard' | 'simple'

/** The request that failed, for the body of its problem. */
export interface ErrorContext {
  readonly path: string
  readonly requestId: string
  readonly now: Instant
}

/** The path of the documentation of error codes. */
export const problemsPath = '/problems'

const fieldErrors = ({ issues }: Problem, texts: MessageTexts) =>
  issues.map(({ field, message }) => ({ field, message: formatMessage(message, texts) }))

/** The members that the standard shape and RFC 9457 problems share. */
function commonMembers(problem: Problem, { requestId, now }: ErrorContext, texts: MessageTexts) {
  const { code, detail, issues } = problem
  return {
    timestamp: toIsoText(now),
    request_id: requestId,
    suggestion: suggestionFor(code, [detail, ...issues.map(({ message }) => message)], texts),
    ...(issues.length > 0 ? { errors: fieldErrors(problem, texts) } : {}),
  }
}

/** Returns the body of a problem in the standard shape. */
export function standardBody(
  problem: Problem,
  errorContext: ErrorContext,
  texts: MessageTexts,
): object {
  const { code, detail } = problem
  const { timestamp, request_id, ...more } = commonMembers(problem, errorContext, texts)
  return {
    error_code: code,
    message: texts[`title.${code}` satisfies MessageKey],
    details: formatMessage(detail, texts),
    timestamp,
    request_id,
    path: errorContext.path,
    ...more,
  }
}

/** Returns the body of a problem in the simple shape: a label and field errors. */
export function simpleBody(problem: Problem, texts: MessageTexts): object {
  const fields = fieldErrors(problem, texts)
  const details =
    fields.length > 0 ? fields : [{ field: '', message: formatMessage(problem.detail, texts) }]
  return { error: errorCatalogue[problem.code].label, details }
}

/** Returns the body of a problem as RFC 9457 defines it; `baseUrl` is the URL of the server. */
export function problemBody(
  problem: Problem,
  errorContext: ErrorContext,
  texts: MessageTexts,
  baseUrl: string,
): object {
  const { code, status, detail } = problem
  return {
    type: `${baseUrl}${problemsPath}/${code}`,
    title: texts[`title.${code}` satisfies MessageKey],
    status,
    detail: formatMessage(detail, texts),
    instance: errorContext.path,
    error_code: code,
    ...commonMembers(problem, errorContext, texts),
  }
}
