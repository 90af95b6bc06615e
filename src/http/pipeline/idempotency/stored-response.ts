import { hash } from 'node:crypto'
import { definitionOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import type { AuthenticatedExchange, IdempotencyKey } from '#http/exchange/exchange.ts'
import { type Response, withHeaders } from '#http/exchange/response.ts'
import { networkOf, siteOf } from '#http/message/client-network.ts'
import type { LastModified } from '#http/message/last-modified.ts'
import { type Counters, isStranger, strangerKey } from '#http/rate-limit/counters.ts'
import type { ErrorCode } from '#i18n/error-codes.ts'
import type { Message } from '#i18n/message.ts'
import { shownOnceFields } from '#schema/words.ts'
import { dayMs, type Instant, minuteMs } from '#values/instant.ts'
import { type FieldIssue, Problem } from '#values/problem.ts'
import type { ResponseStore } from './store.ts'

/** How long a response is stored. */
export const retentionMs = dayMs

const mebibyte = 1024 * 1024

/**
 * The bytes that one process stores per day: for one caller, where the strangers of a network are one; for a
 * network, an IPv6 site (/48) as one; and for all callers of the same role.
 */
const maxCallerBytes = { limit: 16 * mebibyte, windowMs: retentionMs }
const maxNetworkBytes = { limit: 64 * mebibyte, windowMs: retentionMs }
const maxRoleBytes = { limit: 256 * mebibyte, windowMs: retentionMs }

// The names in stored responses stay, because another release may read them.
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

/** True for the response of an earlier request. */
export const isReplayed = ({ headers }: Response): boolean =>
  headers['idempotent-replayed'] !== undefined

/** A response as it is stored, and as it is sent. */
interface EncryptedResponse {
  readonly answer: string
  readonly owner_id: number | null
  /** The response with the value that was stored. */
  readonly response: Response
}

/** An exchange with an Idempotency-Key. */
export type KeyedExchange<E extends AuthenticatedExchange = AuthenticatedExchange> = E & {
  readonly idempotencyKey: IdempotencyKey
}

/**
 * Encrypts a response for storing: without secret fields, and without the body once the caller, the network or
 * all callers of the same role have stored as much as they may in a day.
 */
export async function encryptResponse(
  { encrypt, storedBytes }: Pick<ResponseStore, 'encrypt' | 'storedBytes'>,
  exchange: KeyedExchange,
  response: Response,
): Promise<EncryptedResponse> {
  const { name } = exchange.idempotencyKey
  const value = response.body?.()
  const whole = encrypt(textOf(response, withoutSecrets(value, exchange.route)), name)
  const isAffordable = await spendBytes(storedBytes, exchange, whole.length)
  return {
    answer: isAffordable ? whole : encrypt(textOf(response, undefined), name),
    owner_id: response.ownerId ?? null,
    response: response.body ? { ...response, body: () => value } : response,
  }
}

/**
 * Encrypts a problem for storing; a retry formats its messages in its own language. Undefined for
 * one that must not be stored, and beyond the limits of `encryptResponse`.
 */
export async function encryptProblem(
  { encrypt, storedBytes }: Pick<ResponseStore, 'encrypt' | 'storedBytes'>,
  exchange: KeyedExchange,
  problem: Problem,
): Promise<string | undefined> {
  // Callers without credentials could fill the database with problems.
  if (exchange.actor.credential === null || !isLasting(problem)) return undefined
  const { code, detail, issues, headers } = problem
  const { ctx, now, idempotencyKey } = exchange
  const { requestId } = ctx
  const stored: StoredProblem = { kind: 'refused', code, detail, issues, headers, requestId, now }
  const answer = encrypt(JSON.stringify(stored), idempotencyKey.name)
  return (await spendBytes(storedBytes, exchange, answer.length)) ? answer : undefined
}

/** Counts bytes to store; false, and counts nothing, if they exceed a limit. */
async function spendBytes(
  { spend }: Counters,
  exchange: AuthenticatedExchange,
  bytes: number,
): Promise<boolean> {
  const { actor, request, now } = exchange
  const kind = isStranger(exchange) ? 'strangers' : 'users'
  const budgets = [
    [strangerKey(exchange), maxCallerBytes],
    // Before the total: no network can use up what all may store.
    [`${kind} of ${siteOf(networkOf(request.ip))}`, maxNetworkBytes],
    // Callers without an account cannot use up what users may store.
    [actor.role ?? 'anonymous', maxRoleBytes],
  ] as const
  for (const [at, [key, allowance]] of budgets.entries()) {
    if ((await spend(`kept ${key}`, allowance, bytes, now)).allowed) continue
    for (const [spent, given] of budgets.slice(0, at)) {
      await spend(`kept ${spent}`, given, -bytes, now)
    }
    return false
  }
  return true
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

const secretsOf = ({ resource }: Route): readonly string[] => {
  const definition = definitionOf(resource)
  return 'schema' in definition ? shownOnceFields(definition.schema) : []
}

function withoutSecrets(value: unknown, route: Route): unknown {
  const secrets = secretsOf(route)
  if (secrets.length === 0 || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !secrets.includes(name)))
}

/** How long a secret is stored, for a retry by the same credential. */
const secretRetentionMs = 10 * minuteMs

/** The name of the row with the secrets: that of the key and the credential. */
function secretsName({ idempotencyKey, actor: { credential, userId } }: KeyedExchange): string {
  const { scheme, id, sessionId, grantHash } = credential ?? {}
  // The tokens of a session and of a grant replace each other.
  const holder = sessionId ?? grantHash ?? id
  return hash('sha256', JSON.stringify([idempotencyKey.name, userId, scheme, holder]), 'base64url')
}

/** Stores a response with its secrets for ten minutes, in a row of its own. */
export async function storeSecrets(
  store: Pick<ResponseStore, 'encrypt' | 'hmac' | 'insert'>,
  exchange: KeyedExchange,
  { body, ownerId = null }: Response,
): Promise<void> {
  const { actor, now, idempotencyKey, ctx } = exchange
  if (!body || !actor.credential || secretsOf(exchange.route).length === 0) return
  const name = secretsName(exchange)
  const row = {
    name,
    fingerprint: store.hmac(idempotencyKey.fingerprint),
    answer: store.encrypt(JSON.stringify(body()), name),
    subject: null,
    caller_id: actor.userId,
    owner_id: ownerId,
    leased_until: now,
    expires_at: now + secretRetentionMs,
  }
  await store.insert(ctx.db, row, now)
}

/** Returns a stored response with its secrets, while these are stored and the credential is the same. */
export async function withSecrets(
  { find, decrypt }: Pick<ResponseStore, 'find' | 'decrypt'>,
  exchange: KeyedExchange,
  response: Response,
): Promise<Response> {
  if (!response.body || secretsOf(exchange.route).length === 0) return response
  const name = secretsName(exchange)
  const row = await find(exchange.ctx.db, name, exchange.now)
  const text = row?.answer && decrypt(row.answer, name)
  if (!text) return response
  const value: unknown = JSON.parse(text)
  return { ...response, body: () => value }
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
const isLasting = ({ code, status, detail }: Problem): boolean =>
  status < 500 &&
  status !== 429 &&
  status !== 401 &&
  code !== '4094' &&
  code !== '4222' &&
  detail.key !== 'detail.contended' &&
  detail.key !== 'detail.key_unreadable'
