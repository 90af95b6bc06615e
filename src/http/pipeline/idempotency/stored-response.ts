import type { Route } from '#http/declare/operation.ts'
import { secretFieldsOf } from '#http/declare/schema.ts'
import type { Claim, Exchange, Response } from '#http/pipeline/exchange.ts'
import type { LastModified } from '#http/pipeline/middleware/last-modified.ts'
import type { Counters } from '#http/rate-limit/counters.ts'
import { networkOf } from '#http/server/network/client-network.ts'
import type { Message } from '#i18n/message.ts'
import type { ErrorCode } from '#values/error-codes.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { type FieldIssue, Problem } from '#values/problem.ts'

/** How long an answer is kept. */
export const retentionMs = dayMs

/** How many bytes of answers a process keeps in a day, for one caller and for all. */
const maxCallerBytes = { limit: 16 * 1024 * 1024, windowMs: retentionMs }
const maxBytes = { limit: 256 * 1024 * 1024, windowMs: retentionMs }

interface StoredResponse {
  readonly kind: 'answered'
  readonly status: number
  readonly headers: Response['headers']
  readonly validator?: string | undefined
  readonly lastModified?: LastModified | undefined
  /** The value that the body is written from, in whatever representation is asked for. */
  readonly value?: unknown
}

interface StoredProblem {
  readonly kind: 'refused'
  readonly code: ErrorCode
  readonly detail: Message
  readonly issues: readonly FieldIssue[]
  readonly headers: Problem['headers']
  /** Of the request that was refused. */
  readonly requestId: string
  readonly now: Instant
}

const replayed = { 'idempotent-replayed': 'true' }

/** Marks an answer as one that was given before. */
export const markReplayed = (answer: Response): Response => ({
  ...answer,
  headers: { ...answer.headers, ...replayed },
})

/** Writes an answer whose body is this value, so that it can be told again. */
function serializeResponse(answer: Response, value: unknown): string {
  const { status, headers, validator, lastModified } = answer
  const kept: StoredResponse = { kind: 'answered', status, headers, validator, lastModified, value }
  return JSON.stringify(kept)
}

/** Seals an answer for keeping; `value` is its body. */
export type SerializeResponse = (
  answer: Response,
  value: unknown,
  claim: Claim,
  exchange: Exchange,
) => Promise<string>

interface ResponseStoreOptions {
  readonly seal: (text: string, name: string) => string
  /** Counts the bytes kept for callers. */
  readonly storedBytes: Counters
}

/**
 * Makes what is kept of a route's answers: without secrets, which are shown once, and without the
 * body where a caller, or all together, have had too much kept already.
 */
export function responseSerializer(
  { seal, storedBytes }: ResponseStoreOptions,
  { resource }: Route,
): SerializeResponse {
  const definition = resource.kind === 'collection' ? resource.item : resource
  const secrets = 'schema' in definition ? secretFieldsOf(definition.schema) : []
  const isAffordable = async (caller: string, bytes: number, now: Instant): Promise<boolean> => {
    const own = await storedBytes.spend(`kept ${caller}`, maxCallerBytes, bytes, now)
    return own.allowed && (await storedBytes.spend('kept', maxBytes, bytes, now)).allowed
  }
  return async (answer, value, { name }, { actor, request, now }) => {
    const whole = seal(serializeResponse(answer, withoutSecrets(value, secrets)), name)
    const caller = actor.userId === null ? networkOf(request.ip) : `user ${actor.userId}`
    if (await isAffordable(caller, whole.length, now)) return whole
    return seal(serializeResponse(answer, undefined), name)
  }
}

function withoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0 || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !secrets.includes(name)))
}

/** Writes a refusal, not yet in words: it is told again in those of whoever asks. */
export function serializeProblem(refused: Problem, { ctx, now }: Exchange): string {
  const { code, detail, issues, headers } = refused
  const { requestId } = ctx
  const kept: StoredProblem = { kind: 'refused', code, detail, issues, headers, requestId, now }
  return JSON.stringify(kept)
}

/** Answers as was answered then; a refusal is thrown, and tells of the request it was made for. */
export function replay(text: string, exchange: Exchange): Response {
  const kept = JSON.parse(text) as StoredResponse | StoredProblem
  if (kept.kind === 'answered') {
    const { status, headers, validator, lastModified, value } = kept
    const body = value === undefined ? undefined : () => value
    return markReplayed({ status, headers, validator, lastModified, body })
  }
  const { code, detail, issues, headers, requestId, now } = kept
  exchange.errorContext = { requestId, now }
  throw new Problem(code, detail, { issues, headers: { ...headers, ...replayed } })
}

/**
 * True for a refusal that would be given again, so that it can be kept: not for what passes by
 * itself, such as 429, 5xx and contention, nor for what is said of the key or of credentials.
 */
export const isLasting = ({ code, status, detail }: Problem): boolean =>
  status < 500 &&
  status !== 429 &&
  status !== 401 &&
  code !== '4094' &&
  code !== '4222' &&
  detail.key !== 'detail.contended' &&
  detail.key !== 'detail.key_unreadable'
