import type { ErrorCode } from '#values/catalogue.ts'
import type { Instant } from '#values/instant.ts'
import type { Message } from '#values/message.ts'
import { type FieldIssue, Refusal } from '#values/refusal.ts'
import type { Answer, Exchange } from './exchange.ts'
import type { LastModified } from './last-modified.ts'

interface KeptAnswer {
  readonly kind: 'answered'
  readonly status: number
  readonly headers: Answer['headers']
  readonly validator?: string | undefined
  readonly lastModified?: LastModified | undefined
  /** The value that the body is written from, in whatever representation is asked for. */
  readonly value?: unknown
}

interface KeptRefusal {
  readonly kind: 'refused'
  readonly code: ErrorCode
  readonly detail: Message
  readonly issues: readonly FieldIssue[]
  readonly headers: Refusal['headers']
  /** Of the request that was refused. */
  readonly requestId: string
  readonly now: Instant
}

const replayed = { 'idempotent-replayed': 'true' }

/** Marks an answer as one that was given before. */
export const asReplayed = (answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...replayed },
})

/** Writes an answer whose body is this value, so that it can be told again. */
export function writeAnswer(answer: Answer, value: unknown): string {
  const { status, headers, validator, lastModified } = answer
  const kept: KeptAnswer = { kind: 'answered', status, headers, validator, lastModified, value }
  return JSON.stringify(kept)
}

/** Writes a refusal, not yet in words: it is told again in those of whoever asks. */
export function writeRefusal(refused: Refusal, { ctx, now }: Exchange): string {
  const { code, detail, issues, headers } = refused
  const { requestId } = ctx
  const kept: KeptRefusal = { kind: 'refused', code, detail, issues, headers, requestId, now }
  return JSON.stringify(kept)
}

/** Answers as was answered then; a refusal is thrown, and tells of the request it was made for. */
export function replay(text: string, exchange: Exchange): Answer {
  const kept = JSON.parse(text) as KeptAnswer | KeptRefusal
  if (kept.kind === 'answered') {
    const { status, headers, validator, lastModified, value } = kept
    const body = value === undefined ? undefined : () => value
    return asReplayed({ status, headers, validator, lastModified, body })
  }
  const { code, detail, issues, headers, requestId, now } = kept
  exchange.occasion = { requestId, now }
  throw new Refusal(code, detail, { issues, headers: { ...headers, ...replayed } })
}

/**
 * True for a refusal that would be given again, so that it can be kept: not for what passes by
 * itself, such as 429, 5xx and contention, nor for what is said of the key or of credentials.
 */
export const isLasting = ({ code, status, detail }: Refusal): boolean =>
  status < 500 &&
  status !== 429 &&
  status !== 401 &&
  code !== '4094' &&
  code !== '4222' &&
  detail.key !== 'detail.contended' &&
  detail.key !== 'detail.key_unreadable'
