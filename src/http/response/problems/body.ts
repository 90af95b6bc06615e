import { formatMessage, type MessageKey, type MessageTexts } from '#i18n/message.ts'
import { catalogue } from '#values/error-codes.ts'
import { type Instant, toIsoText } from '#values/instant.ts'
import type { Problem } from '#values/problem.ts'

/** The shapes that errors have where a client asks for none. */
export type ErrorShape = 'standard' | 'simple'

/** What an error body tells of the request. */
export interface ErrorContext {
  readonly path: string
  readonly requestId: string
  readonly now: Instant
}

/** Where the page about each kind of error lives, below the address of the server. */
export const problemsPath = '/problems'

const fieldsOf = ({ issues }: Problem, sentences: MessageTexts) =>
  issues.map(({ field, message }) => ({ field, message: formatMessage(message, sentences) }))

/** What all but the simple shape tell, in this order at the end. */
function problemMembers(
  refused: Problem,
  { requestId, now }: ErrorContext,
  sentences: MessageTexts,
) {
  const { code, issues } = refused
  return {
    timestamp: toIsoText(now),
    request_id: requestId,
    suggestion: sentences[`suggestion.${code}` satisfies MessageKey],
    ...(issues.length > 0 ? { errors: fieldsOf(refused, sentences) } : {}),
  }
}

/** The usual body of an error. */
export function standardBody(
  refused: Problem,
  errorContext: ErrorContext,
  sentences: MessageTexts,
): object {
  const { code, detail } = refused
  const { timestamp, request_id, ...more } = problemMembers(refused, errorContext, sentences)
  return {
    error_code: code,
    message: sentences[`title.${code}` satisfies MessageKey],
    details: formatMessage(detail, sentences),
    timestamp,
    request_id,
    path: errorContext.path,
    ...more,
  }
}

/** The body of an error for who needs a word and the fields alone. */
export function simpleBody(refused: Problem, sentences: MessageTexts): object {
  const fields = fieldsOf(refused, sentences)
  const whole = { field: '', message: formatMessage(refused.detail, sentences) }
  return { error: catalogue[refused.code].label, details: fields.length > 0 ? fields : [whole] }
}

/** The body of an error as RFC 9457 has it; `baseUrl` is where the server is reached. */
export function problemBody(
  refused: Problem,
  errorContext: ErrorContext,
  sentences: MessageTexts,
  baseUrl: string,
): object {
  const { code, status, detail } = refused
  return {
    type: `${baseUrl}${problemsPath}/${code}`,
    title: sentences[`title.${code}` satisfies MessageKey],
    status,
    detail: formatMessage(detail, sentences),
    instance: errorContext.path,
    error_code: code,
    ...problemMembers(refused, errorContext, sentences),
  }
}
