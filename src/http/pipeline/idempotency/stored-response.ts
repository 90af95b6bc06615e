import type { Route } from '#http/declare/route.ts'
import { shownOnceFields } from '#http/declare/schema.ts'
import type { Authenticated } from '#http/pipeline/exchange.ts'
import type { LastModified } from '#http/pipeline/middleware/last-modified.ts'
import { type Response, withHeaders } from '#http/pipeline/response.ts'
import type { Counters } from '#http/rate-limit/counters.ts'
import { networkOf } from '#http/server/network/client-network.ts'
import type { Message } from '#i18n/message.ts'
import type { ErrorCode } from '#values/error-codes.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { type FieldIssue, Problem } from '#values/problem.ts'

/** How long a response is stored. */
export const retentionMs = dayMs

/** The bytes of responses that one process stores per day, for one caller and for all. */
const maxCallerBytes = { limit: 16 * 1024 * 1024, windowMs: retentionMs }
const maxBytes = { limit: 256 * 1024 * 1024, windowMs: retentionMs }

interface StoredResponse {
  readonly kind: 'answered'
  readonly status: number
  readonly headers: Response['headers']
  readonly validator?: string | undefined
  readonly lastModified?: { readonly told: Instant; readonly goodSince?: Instant } | undefined
  /** The value of the body, which is written again in the media type of each retry. */
  readonly value?: unknown
}

interface StoredProblem {
  readonly kind: 'refused'
  readonly code: ErrorCode
  readonly detail: Message
  readonly issues: readonly FieldIssue[]
  readonly headers: Problem['headers']
  /** Of the first request. */
  readonly requestId: string
  readonly now: Instant
}

const replayed = { 'idempotent-replayed': 'true' }

/** Marks a response as that of an earlier request. */
export const markReplayed = (response: Response): Response => withHeaders(response, replayed)

/** The stored problem of an earlier request with the same key. */
export class ReplayedProblem extends Problem {
  /** The earlier request, which the problem names. */
  readonly first: { readonly requestId: string; readonly now: Instant }

  constructor({ code, detail, issues, headers, requestId, now }: StoredProblem) {
    super(code, detail, { issues, headers: { ...headers, ...replayed } })
    this.first = { requestId, now }
  }
}

/** Serializes and encrypts a response for storing; `value` is the value of its body. */
export type SerializeResponse = (
  response: Response,
  value: unknown,
  name: string,
  exchange: Authenticated,
) => Promise<string>

interface SerializeOptions {
  readonly seal: (text: string, name: string) => string
  /** Counts the bytes stored per caller. */
  readonly storedBytes: Counters
}

/**
 * Compiles the serialization of the responses of a route: without secret fields, and without the
 * body once the caller has stored more than 16 MiB in a day, or all callers more than 256 MiB.
 */
export function responseSerializer(
  { seal, storedBytes }: SerializeOptions,
  { resource }: Route,
): SerializeResponse {
  const definition = resource.kind === 'collection' ? resource.item : resource
  const secrets = 'schema' in definition ? shownOnceFields(definition.schema) : []
  const isAffordable = async (caller: string, bytes: number, now: Instant): Promise<boolean> => {
    const own = await storedBytes.spend(`kept ${caller}`, maxCallerBytes, bytes, now)
    return own.allowed && (await storedBytes.spend('kept', maxBytes, bytes, now)).allowed
  }
  return async (response, value, name, { actor, request, now }) => {
    const whole = seal(textOf(response, withoutSecrets(value, secrets)), name)
    const caller = actor.userId === null ? networkOf(request.ip) : `user ${actor.userId}`
    if (await isAffordable(caller, whole.length, now)) return whole
    return seal(textOf(response, undefined), name)
  }
}

function textOf({ status, headers, validator, lastModified }: Response, value: unknown): string {
  const stored: StoredResponse = {
    kind: 'answered',
    status,
    headers,
    validator,
    ...(lastModified ? { lastModified: storedDate(lastModified) } : {}),
    value,
  }
  return JSON.stringify(stored)
}

const storedDate = ({ date, freshSince }: LastModified): StoredResponse['lastModified'] =>
  freshSince === undefined ? { told: date } : { told: date, goodSince: freshSince }

const dateOf = ({
  told: date,
  goodSince: freshSince,
}: NonNullable<StoredResponse['lastModified']>): LastModified =>
  freshSince === undefined ? { date } : { date, freshSince }

function withoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0 || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !secrets.includes(name)))
}

/** Serializes a problem for storing. A retry formats its messages in its own language. */
export function serializeProblem(
  { code, detail, issues, headers }: Problem,
  { ctx, now }: Authenticated,
): string {
  const { requestId } = ctx
  const stored: StoredProblem = { kind: 'refused', code, detail, issues, headers, requestId, now }
  return JSON.stringify(stored)
}

/** Returns a stored response; throws a ReplayedProblem for a stored problem. */
export function replay(text: string): Response {
  const stored = JSON.parse(text) as StoredResponse | StoredProblem
  if (stored.kind === 'refused') throw new ReplayedProblem(stored)
  const { status, headers, validator, lastModified, value } = stored
  const body = value === undefined ? undefined : () => value
  return markReplayed({
    status,
    headers,
    validator,
    lastModified: lastModified && dateOf(lastModified),
    body,
  })
}

/**
 * True for a problem that a retry would get again: not for a temporary one (429, 5xx, contention),
 * nor for one about the key or the credential.
 */
export const isLasting = ({ code, status, detail }: Problem): boolean =>
  status < 500 &&
  status !== 429 &&
  status !== 401 &&
  code !== '4094' &&
  code !== '4222' &&
  detail.key !== 'detail.contended' &&
  detail.key !== 'detail.key_unreadable'
