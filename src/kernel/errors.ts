import { catalogue } from '#values/catalogue.ts'
import { english } from '#values/english.ts'
import { type Instant, toIsoText } from '#values/instant.ts'
import { inWords, type MessageKey } from '#values/message.ts'
import type { Refusal } from '#values/refusal.ts'
import type { Answer } from './exchange.ts'

/** The shapes an error body can take. */
export type ErrorShape = 'standard' | 'simple'

/** What an error body tells of the request. */
export interface Occasion {
  readonly path: string
  readonly requestId: string
  readonly now: Instant
}

/** Settings of error answers. */
export interface ErrorSettings {
  readonly shape: ErrorShape
  /** One WWW-Authenticate challenge per mechanism (RFC 9110 11.6.1). */
  readonly challenges: readonly string[]
}

/** Makes the answer to a refused request, in the catalogue's words. */
export function errorAnswer(
  refused: Refusal,
  occasion: Occasion,
  { shape, challenges }: ErrorSettings,
): Answer {
  const challenge =
    refused.status === 401 ? { 'www-authenticate': challenges.join(', ') } : undefined
  return {
    status: refused.status,
    headers: { ...challenge, ...refused.headers },
    body: () => (shape === 'simple' ? simpleBody(refused) : standardBody(refused, occasion)),
  }
}

const fieldsOf = ({ issues }: Refusal) =>
  issues.map(({ field, message }) => ({ field, message: inWords(message, english) }))

function standardBody(refused: Refusal, { path, requestId, now }: Occasion): object {
  const { code, detail, issues } = refused
  return {
    error_code: code,
    message: english[`title.${code}` satisfies MessageKey],
    details: inWords(detail, english),
    timestamp: toIsoText(now),
    request_id: requestId,
    path,
    suggestion: english[`suggestion.${code}` satisfies MessageKey],
    ...(issues.length > 0 ? { errors: fieldsOf(refused) } : {}),
  }
}

function simpleBody(refused: Refusal): object {
  const fields = fieldsOf(refused)
  const whole = { field: '', message: inWords(refused.detail, english) }
  return { error: catalogue[refused.code].label, details: fields.length > 0 ? fields : [whole] }
}
