import type { Db } from '#db/database.ts'
import type { Route } from '#http/declare/operation.ts'
import type {
  Claim,
  Exchange,
  Middleware,
  Next,
  OpenApiFragment,
  Response,
  Show,
} from '#http/pipeline/exchange.ts'
import type { Counters } from '#http/rate-limit/counters.ts'
import { type Instant, secondMs } from '#values/instant.ts'
import { Problem, problem } from '#values/problem.ts'
import { fingerprintOf, keyHeader, nameOf, readKey } from './key.ts'
import {
  isLasting,
  markReplayed,
  replay,
  responseSerializer,
  retentionMs,
  type SerializeResponse,
  serializeProblem,
} from './stored-response.ts'

/** What is kept under a name: the answer, sealed, or what the work under way is about. */
interface Row {
  readonly name: string
  readonly fingerprint: string
  readonly answer: string | null
  readonly subject: number | null
  /** Until when whoever began the work is believed to be at it. */
  readonly leased_until: Instant
  readonly expires_at: Instant
  /** Who asked, and whose the thing is that was answered with; null for nobody known. */
  readonly caller_id: number | null
  readonly owner_id: number | null
}

interface Use {
  readonly name: string
  readonly subject: number
}

/** Makes what is kept unreadable to whoever reads the database. */
export interface Sealer {
  readonly seal: (text: string, name: string) => string
  /** Undefined for what cannot be read again. */
  readonly open: (sealed: string, name: string) => string | undefined
}

/** The same, and what tells one request from another by without telling anything of either. */
export interface RequestSealer extends Sealer {
  /** What is kept of a fingerprint: a request may hold a password, which a hash would give away. */
  readonly mark: (fingerprint: string) => string
  /** True for a mark of this fingerprint. */
  readonly isMarkOf: (mark: string, fingerprint: string) => boolean
}

/** Where answers are kept. */
export interface ResponseStore extends RequestSealer {
  readonly find: (db: Db, name: string, now: Instant) => Promise<Row | undefined>
  /** Takes the name for a transaction, without waiting; false where another has it. */
  readonly lock: (db: Db, name: string) => Promise<boolean>
  /** False, and nothing is kept, where something is kept already. */
  readonly keep: (db: Db, row: Row, now: Instant) => Promise<boolean>
  /** Keeps the answer of the work under way. */
  readonly settle: (
    db: Db,
    use: Use,
    kept: { readonly answer: string; readonly owner_id: number | null },
  ) => Promise<void>
  /** Ends the lease of the work under way. */
  readonly release: (db: Db, use: Use) => Promise<void>
  readonly forget: (db: Db, name: string) => Promise<void>
  /** Counts the bytes kept for callers. */
  readonly storedBytes: Counters
}

const leaseMs = 30 * secondMs

const acceptsIdempotencyKey = ({
  method,
  transactions,
  acceptsIdempotencyKey: keeps = true,
}: Route): boolean => keeps && transactions === 'one' && (method === 'POST' || method === 'PATCH')

const fragment: OpenApiFragment = {
  requestHeaders: ['Idempotency-Key'],
  everyHeaders: ['Idempotent-Replayed'],
  problems: ['4001', '4094', '4222'],
}

/**
 * Answers a request whose Idempotency-Key was answered before as it was answered then, and keeps
 * refusals, which the transaction has undone. Stands outside the transaction.
 */
export const idempotencyMiddleware = (store: ResponseStore): Middleware => ({
  name: 'idempotency',
  prepare(route) {
    if (!acceptsIdempotencyKey(route)) return undefined
    const write = responseSerializer(store, route)
    return {
      fragment,
      step: (exchange, next) => {
        const sent = exchange.request.headers[keyHeader]
        return sent === undefined ? next() : runOnce(store, write, exchange, String(sent), next)
      },
    }
  },
})

/**
 * Keeps the answer in the transaction of its effect, or a note of the work that goes on after it.
 * Stands inside the transaction.
 */
export const storeResponseMiddleware = (store: ResponseStore): Middleware => ({
  name: 'answer keeping',
  prepare(route, show) {
    if (!acceptsIdempotencyKey(route)) return undefined
    const write = responseSerializer(store, route)
    return {
      fragment: {},
      step: (exchange, next) => {
        const { claim } = exchange
        return claim ? storeResponse(store, write, exchange, claim, next, show) : next()
      },
    }
  },
})

async function runOnce(
  store: ResponseStore,
  write: SerializeResponse,
  exchange: Exchange,
  sent: string,
  next: Next,
): Promise<Response> {
  const { ctx, now } = exchange
  const name = nameOf(exchange, readKey(sent))
  const claim: Claim = { name, fingerprint: fingerprintOf(exchange), subject: undefined }
  const found = await store.find(ctx.db, name, now)
  const kept = found && judge(store, found, exchange, claim)
  if (kept) return kept
  exchange.claim = claim
  try {
    return await settleWith(store, write, exchange, claim, await next())
  } catch (error) {
    // What was refused within the transaction is kept outside of it.
    exchange.ctx = ctx
    if (!(error instanceof Problem) || exchange.errorContext) throw error
    return storeProblem(store, exchange, claim, error)
  }
}

/** Keeps the answer of work that went on after the transaction. */
async function settleWith(
  store: ResponseStore,
  write: SerializeResponse,
  exchange: Exchange,
  claim: Claim,
  answer: Response,
): Promise<Response> {
  const { name, subject } = claim
  if (subject === undefined) return answer
  const value = answer.body?.()
  const kept = {
    answer: await write(answer, value, claim, exchange),
    owner_id: answer.ownerId ?? null,
  }
  await store.settle(exchange.ctx.db, { name, subject }, kept)
  return answer.body ? { ...answer, body: () => value } : answer
}

/**
 * Keeps a refusal and throws it; somebody else's answer takes its place where that was first. What
 * is refused to callers without credentials is not kept: they could fill the database with it.
 */
async function storeProblem(
  store: ResponseStore,
  exchange: Exchange,
  claim: Claim,
  refused: Problem,
): Promise<Response> {
  const { ctx, now, actor } = exchange
  const { name, subject } = claim
  if (actor.credential === null || !isLasting(refused)) {
    if (subject !== undefined) await store.release(ctx.db, { name, subject })
    throw refused
  }
  const answer = store.seal(serializeProblem(refused, exchange), name)
  if (subject !== undefined) {
    await store.settle(ctx.db, { name, subject }, { answer, owner_id: null })
    throw refused
  }
  const row = rowOf(store, claim, exchange, { answer })
  if (await store.keep(ctx.db, row, now)) throw refused
  const found = await store.find(ctx.db, name, now)
  const kept = found && judge(store, found, exchange, claim)
  if (!kept) throw refused
  return kept
}

interface Kept {
  readonly answer?: string
  readonly subject?: number
  readonly ownerId?: number | null
}

function rowOf(
  { mark }: ResponseStore,
  { name, fingerprint }: Claim,
  { now, actor }: Exchange,
  { answer, subject, ownerId }: Kept,
): Row {
  return {
    name,
    fingerprint: mark(fingerprint),
    answer: answer ?? null,
    subject: subject ?? null,
    caller_id: actor.userId,
    owner_id: ownerId ?? null,
    leased_until: answer === undefined ? now + leaseMs : now,
    expires_at: now + retentionMs,
  }
}

/** The answer kept; undefined where work is under way that nobody is at any longer. */
function judge(
  store: ResponseStore,
  row: Row,
  exchange: Exchange,
  { name, fingerprint }: Claim,
): Response | undefined {
  if (!store.isMarkOf(row.fingerprint, fingerprint)) throw problem('4222', 'detail.key_reused')
  if (row.answer === null) {
    if (row.leased_until > exchange.now) throw problem('4094', 'detail.key_under_way')
    return undefined
  }
  const text = store.open(row.answer, name)
  if (text === undefined) throw problem('4091', 'detail.key_unreadable')
  return replay(text, exchange)
}

async function storeResponse(
  store: ResponseStore,
  write: SerializeResponse,
  exchange: Exchange,
  claim: Claim,
  next: Next,
  show: Show,
): Promise<Response> {
  const { now, ctx } = exchange
  const { name } = claim
  // A transaction that lost a race is run again, from here.
  claim.subject = undefined
  if (!(await store.lock(ctx.db, name))) throw problem('4094', 'detail.key_under_way')
  const found = await store.find(ctx.db, name, now)
  if (found) {
    const kept = judge(store, found, exchange, claim)
    const answered = kept ?? (await resume(exchange, claim, found, show))
    if (answered) return answered
    await store.forget(ctx.db, name)
  }
  const answer = await next()
  const { subject, afterCommit, body, ownerId = null } = answer
  const value = afterCommit ? undefined : body?.()
  const outcome =
    afterCommit && subject !== undefined
      ? { subject }
      : { answer: await write(answer, value, claim, exchange), ownerId }
  const isKept = await store.keep(ctx.db, rowOf(store, claim, exchange, outcome), now)
  if (!isKept) throw problem('4094', 'detail.key_under_way')
  claim.subject = subject
  return body ? { ...answer, body: () => value } : answer
}

/**
 * Answers from what has become of work that nobody is at any longer, so that nothing is done twice;
 * undefined where nothing came of it. An answer that is still to change is not kept.
 */
async function resume(
  exchange: Exchange,
  claim: Claim,
  { subject }: Row,
  show: Show,
): Promise<Response | undefined> {
  const { ctx, route } = exchange
  if (!route.resumeResult || subject === null) throw problem('4094', 'detail.key_under_way')
  claim.subject = subject
  const result = await route.resumeResult(ctx, subject)
  if (result === undefined) return undefined
  const answer = markReplayed(await show(exchange, result))
  if (answer.status === 202) claim.subject = undefined
  return answer
}
