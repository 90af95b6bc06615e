import type { Db } from '#db/database.ts'
import type { Context } from '#http/declare/context.ts'
import type { Route } from '#http/declare/route.ts'
import {
  type Admitted,
  type Authenticated,
  represent,
  type WithInput,
} from '#http/pipeline/exchange.ts'
import { AfterCommitWork, type Outcome, type Response } from '#http/pipeline/response.ts'
import type { Middleware } from '#http/pipeline/step.ts'
import type { Counters } from '#http/rate-limit/counters.ts'
import { type Instant, secondMs } from '#values/instant.ts'
import { Problem, problem } from '#values/problem.ts'
import { fingerprintOf, keyHeader, nameOf, readKey } from './key.ts'
import {
  isLasting,
  markReplayed,
  ReplayedProblem,
  replay,
  responseSerializer,
  retentionMs,
  type SerializeResponse,
  serializeProblem,
} from './stored-response.ts'

/** A stored key: with its encrypted response, or the subject of unfinished work. */
interface Row {
  readonly name: string
  readonly fingerprint: string
  readonly answer: string | null
  readonly subject: number | null
  /** Until then, the process that started the work is assumed to be running it. */
  readonly leased_until: Instant
  readonly expires_at: Instant
  readonly caller_id: number | null
  /** ID of the owner of the returned entity. */
  readonly owner_id: number | null
}

/** A key whose work continues after its transaction. */
interface Use {
  readonly name: string
  readonly subject: number
}

/** Encrypts what is stored. */
export interface Sealer {
  readonly seal: (text: string, name: string) => string
  /** Undefined for what cannot be decrypted. */
  readonly open: (sealed: string, name: string) => string | undefined
}

/** Encrypts responses, and authenticates the fingerprints of requests. */
export interface RequestSealer extends Sealer {
  /** A keyed hash: a request may hold a password, which a plain hash would reveal. */
  readonly hmac: (fingerprint: string) => string
  readonly matchesHmac: (hmac: string, fingerprint: string) => boolean
}

/** Stores responses by Idempotency-Key. */
export interface ResponseStore extends RequestSealer {
  readonly find: (db: Db, name: string, now: Instant) => Promise<Row | undefined>
  /** Locks the name for the transaction without waiting; false if another one holds it. */
  readonly lock: (db: Db, name: string) => Promise<boolean>
  /** Stores a row; false if the name is stored already. */
  readonly insert: (db: Db, row: Row, now: Instant) => Promise<boolean>
  /** Stores the response of work that continued after its transaction. */
  readonly complete: (
    db: Db,
    use: Use,
    result: { readonly answer: string; readonly owner_id: number | null },
  ) => Promise<void>
  /** Ends the lease of work that continued after its transaction. */
  readonly endLease: (db: Db, use: Use) => Promise<void>
  readonly remove: (db: Db, name: string) => Promise<void>
  /** Counts the bytes stored per caller. */
  readonly storedBytes: Counters
}

/** The Idempotency-Key of a request. */
interface Claim {
  /** The digest of the key, its caller and the path. */
  readonly name: string
  /** The digest of the request. */
  readonly fingerprint: string
}

/** After the claim of an Idempotency-Key; undefined for a request without one. */
interface Claimed {
  readonly claim: Claim | undefined
}

const leaseMs = 30 * secondMs
const noClaim: Claimed = { claim: undefined }

const isIdempotent = ({ method, transactions, acceptsIdempotencyKey = true }: Route): boolean =>
  acceptsIdempotencyKey && transactions === 'one' && (method === 'POST' || method === 'PATCH')

/**
 * Answers a repeated Idempotency-Key with the stored response, and stores problems, whose
 * transaction is rolled back. Stands outside the transaction.
 */
export const claimMiddleware = (
  store: ResponseStore | undefined,
): Middleware<Admitted, Claimed, Outcome> => ({
  name: 'idempotency: claim',
  prepare(route) {
    if (!store || !isIdempotent(route)) return { fragment: {}, run: (_, next) => next(noClaim) }
    return {
      fragment: {
        requestHeaders: ['Idempotency-Key'],
        everyHeaders: ['Idempotent-Replayed'],
        problems: ['4001', '4094', '4222'],
      },
      run: async (exchange, next) => {
        const sent = exchange.request.headers[keyHeader]
        if (sent === undefined) return next(noClaim)
        const { ctx, now } = exchange
        const name = nameOf(exchange, readKey(String(sent)))
        const claim: Claim = { name, fingerprint: fingerprintOf(exchange) }
        const row = await store.find(ctx.db, name, now)
        const stored = row && responseIn(store, row, claim, now)
        if (stored) return stored
        try {
          return await next({ claim })
        } catch (error) {
          if (!(error instanceof Problem) || error instanceof ReplayedProblem) throw error
          return storeProblem(store, exchange, claim, error)
        }
      },
    }
  },
})

/**
 * Stores the response in the transaction of its effect, or the subject of work that continues after
 * it. Stands inside the transaction.
 */
export const storeResponseMiddleware = (
  store: ResponseStore | undefined,
): Middleware<WithInput & Claimed, void, Outcome> => ({
  name: 'idempotency: store',
  prepare(route) {
    if (!store || !isIdempotent(route)) return undefined
    const serialize = responseSerializer(store, route)
    return {
      fragment: {},
      run: async (exchange, next) => {
        const { claim, ctx, now } = exchange
        if (!claim) return next()
        if (!(await store.lock(ctx.db, claim.name))) throw problem('4094', 'detail.key_under_way')
        const row = await store.find(ctx.db, claim.name, now)
        const known = row && (responseIn(store, row, claim, now) ?? (await resume(exchange, row)))
        if (row && !known) await store.remove(ctx.db, claim.name)
        if (known instanceof AfterCommitWork) {
          return storingResult(store, serialize, exchange, claim, known)
        }
        return known ?? storeOutcome(store, serialize, exchange, claim, await next())
      },
    }
  },
})

/** The stored response; undefined for work that its process did not finish. */
function responseIn(
  store: ResponseStore,
  row: Row,
  { name, fingerprint }: Claim,
  now: Instant,
): Response | undefined {
  if (!store.matchesHmac(row.fingerprint, fingerprint)) throw problem('4222', 'detail.key_reused')
  if (row.answer === null) {
    if (row.leased_until > now) throw problem('4094', 'detail.key_under_way')
    return undefined
  }
  const text = store.open(row.answer, name)
  if (text === undefined) throw problem('4091', 'detail.key_unreadable')
  return replay(text)
}

/**
 * Returns the result of unfinished work, so that nothing is done twice; undefined if the work had
 * no effect. The response of work that is still pending (202) is not stored.
 */
async function resume(exchange: WithInput, { subject }: Row): Promise<Outcome | undefined> {
  const { ctx, route } = exchange
  if (!route.resumeResult || subject === null) throw problem('4094', 'detail.key_under_way')
  try {
    const result = await route.resumeResult(ctx, subject)
    if (result === undefined) return undefined
    const response = markReplayed(await represent(exchange, result))
    return response.status === 202 ? response : new AfterCommitWork(subject, async () => response)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return new AfterCommitWork(subject, () => Promise.reject(error))
  }
}

async function storeOutcome(
  store: ResponseStore,
  serialize: SerializeResponse,
  exchange: WithInput,
  claim: Claim,
  outcome: Outcome,
): Promise<Outcome> {
  const { ctx, now } = exchange
  const isWork = outcome instanceof AfterCommitWork
  const value = isWork ? undefined : outcome.body?.()
  const row = isWork
    ? { ...rowOf(store, claim, exchange), subject: outcome.subject, leased_until: now + leaseMs }
    : {
        ...rowOf(store, claim, exchange),
        answer: await serialize(outcome, value, claim.name, exchange),
        owner_id: outcome.ownerId ?? null,
      }
  if (!(await store.insert(ctx.db, row, now))) throw problem('4094', 'detail.key_under_way')
  if (isWork) return storingResult(store, serialize, exchange, claim, outcome)
  return outcome.body ? { ...outcome, body: () => value } : outcome
}

/** Wraps work so that its response or problem is stored when it ends. */
function storingResult(
  store: ResponseStore,
  serialize: SerializeResponse,
  exchange: WithInput,
  { name }: Claim,
  { subject, run }: AfterCommitWork,
): AfterCommitWork {
  const use = { name, subject }
  return new AfterCommitWork(subject, async (ctx: Context) => {
    try {
      const response = await run(ctx)
      const value = response.body?.()
      const answer = await serialize(response, value, name, exchange)
      await store.complete(ctx.db, use, { answer, owner_id: response.ownerId ?? null })
      return response.body ? { ...response, body: () => value } : response
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (mayStore(error, exchange)) {
        const answer = store.seal(serializeProblem(error, exchange), name)
        await store.complete(ctx.db, use, { answer, owner_id: null })
      } else await store.endLease(ctx.db, use)
      throw error
    }
  })
}

// Callers without credentials could fill the database with problems.
const mayStore = (error: Problem, { actor }: Authenticated): boolean =>
  actor.credential !== null && isLasting(error)

/** Stores a problem and throws it; returns the stored response if another request was first. */
async function storeProblem(
  store: ResponseStore,
  exchange: Authenticated,
  claim: Claim,
  error: Problem,
): Promise<Response> {
  const { ctx, now } = exchange
  if (!mayStore(error, exchange)) throw error
  const answer = store.seal(serializeProblem(error, exchange), claim.name)
  if (await store.insert(ctx.db, { ...rowOf(store, claim, exchange), answer }, now)) throw error
  const row = await store.find(ctx.db, claim.name, now)
  const stored = row && responseIn(store, row, claim, now)
  if (!stored) throw error
  return stored
}

const rowOf = (
  { hmac }: ResponseStore,
  { name, fingerprint }: Claim,
  { now, actor }: Authenticated,
): Row => ({
  name,
  fingerprint: hmac(fingerprint),
  answer: null,
  subject: null,
  caller_id: actor.userId,
  owner_id: null,
  leased_until: now,
  expires_at: now + retentionMs,
})
