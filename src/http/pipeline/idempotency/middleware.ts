import type { Db } from '#db/database.ts'
import type { Route } from '#http/declare/operation.ts'
import type { Answer, Claim, Exchange, Next, Says, Show, Stage } from '#http/pipeline/exchange.ts'
import type { Counters } from '#http/rate-limit/counters.ts'
import { type Instant, secondMs } from '#values/instant.ts'
import { Refusal, refusal } from '#values/problem.ts'
import { fingerprintOf, keyHeader, nameOf, readKey } from './key.ts'
import {
  answerWriter,
  asReplayed,
  isLasting,
  keptMs,
  replay,
  type WriteAnswer,
  writeRefusal,
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
export interface AnswerKeeper extends RequestSealer {
  readonly find: (db: Db, name: string, now: Instant) => Promise<Row | undefined>
  /** Takes the name for a transaction, without waiting; false where another has it. */
  readonly hold: (db: Db, name: string) => Promise<boolean>
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
  readonly keptBytes: Counters
}

const leaseMs = 30 * secondMs

const keepsAnswers = ({ method, transactions, keepsAnswers: keeps = true }: Route): boolean =>
  keeps && transactions === 'one' && (method === 'POST' || method === 'PATCH')

const says: Says = {
  requestHeaders: ['Idempotency-Key'],
  everyHeaders: ['Idempotent-Replayed'],
  refusals: ['4001', '4094', '4222'],
}

/**
 * Answers a request whose Idempotency-Key was answered before as it was answered then, and keeps
 * refusals, which the transaction has undone. Stands outside the transaction.
 */
export const idempotencyStage = (keeper: AnswerKeeper): Stage => ({
  name: 'idempotency',
  prepare(route) {
    if (!keepsAnswers(route)) return undefined
    const write = answerWriter(keeper, route)
    return {
      says,
      step: (exchange, next) => {
        const sent = exchange.request.headers[keyHeader]
        return sent === undefined ? next() : answerOnce(keeper, write, exchange, String(sent), next)
      },
    }
  },
})

/**
 * Keeps the answer in the transaction of its effect, or a note of the work that goes on after it.
 * Stands inside the transaction.
 */
export const answerKeepingStage = (keeper: AnswerKeeper): Stage => ({
  name: 'answer keeping',
  prepare(route, show) {
    if (!keepsAnswers(route)) return undefined
    const write = answerWriter(keeper, route)
    return {
      says: {},
      step: (exchange, next) => {
        const { claim } = exchange
        return claim ? keepAnswer(keeper, write, exchange, claim, next, show) : next()
      },
    }
  },
})

async function answerOnce(
  keeper: AnswerKeeper,
  write: WriteAnswer,
  exchange: Exchange,
  sent: string,
  next: Next,
): Promise<Answer> {
  const { ctx, now } = exchange
  const name = nameOf(exchange, readKey(sent))
  const claim: Claim = { name, fingerprint: fingerprintOf(exchange), subject: undefined }
  const found = await keeper.find(ctx.db, name, now)
  const kept = found && judge(keeper, found, exchange, claim)
  if (kept) return kept
  exchange.claim = claim
  try {
    return await settleWith(keeper, write, exchange, claim, await next())
  } catch (error) {
    // What was refused within the transaction is kept outside of it.
    exchange.ctx = ctx
    if (!(error instanceof Refusal) || exchange.occasion) throw error
    return keepRefusal(keeper, exchange, claim, error)
  }
}

/** Keeps the answer of work that went on after the transaction. */
async function settleWith(
  keeper: AnswerKeeper,
  write: WriteAnswer,
  exchange: Exchange,
  claim: Claim,
  answer: Answer,
): Promise<Answer> {
  const { name, subject } = claim
  if (subject === undefined) return answer
  const value = answer.body?.()
  const kept = {
    answer: await write(answer, value, claim, exchange),
    owner_id: answer.ownerId ?? null,
  }
  await keeper.settle(exchange.ctx.db, { name, subject }, kept)
  return answer.body ? { ...answer, body: () => value } : answer
}

/**
 * Keeps a refusal and throws it; somebody else's answer takes its place where that was first. What
 * is refused to callers without credentials is not kept: they could fill the database with it.
 */
async function keepRefusal(
  keeper: AnswerKeeper,
  exchange: Exchange,
  claim: Claim,
  refused: Refusal,
): Promise<Answer> {
  const { ctx, now, actor } = exchange
  const { name, subject } = claim
  if (actor.credential === null || !isLasting(refused)) {
    if (subject !== undefined) await keeper.release(ctx.db, { name, subject })
    throw refused
  }
  const answer = keeper.seal(writeRefusal(refused, exchange), name)
  if (subject !== undefined) {
    await keeper.settle(ctx.db, { name, subject }, { answer, owner_id: null })
    throw refused
  }
  const row = rowOf(keeper, claim, exchange, { answer })
  if (await keeper.keep(ctx.db, row, now)) throw refused
  const found = await keeper.find(ctx.db, name, now)
  const kept = found && judge(keeper, found, exchange, claim)
  if (!kept) throw refused
  return kept
}

interface Kept {
  readonly answer?: string
  readonly subject?: number
  readonly ownerId?: number | null
}

function rowOf(
  { mark }: AnswerKeeper,
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
    expires_at: now + keptMs,
  }
}

/** The answer kept; undefined where work is under way that nobody is at any longer. */
function judge(
  keeper: AnswerKeeper,
  row: Row,
  exchange: Exchange,
  { name, fingerprint }: Claim,
): Answer | undefined {
  if (!keeper.isMarkOf(row.fingerprint, fingerprint)) throw refusal('4222', 'detail.key_reused')
  if (row.answer === null) {
    if (row.leased_until > exchange.now) throw refusal('4094', 'detail.key_under_way')
    return undefined
  }
  const text = keeper.open(row.answer, name)
  if (text === undefined) throw refusal('4091', 'detail.key_unreadable')
  return replay(text, exchange)
}

async function keepAnswer(
  keeper: AnswerKeeper,
  write: WriteAnswer,
  exchange: Exchange,
  claim: Claim,
  next: Next,
  show: Show,
): Promise<Answer> {
  const { now, ctx } = exchange
  const { name } = claim
  // A transaction that lost a race is run again, from here.
  claim.subject = undefined
  if (!(await keeper.hold(ctx.db, name))) throw refusal('4094', 'detail.key_under_way')
  const found = await keeper.find(ctx.db, name, now)
  if (found) {
    const kept = judge(keeper, found, exchange, claim)
    const answered = kept ?? (await resume(exchange, claim, found, show))
    if (answered) return answered
    await keeper.forget(ctx.db, name)
  }
  const answer = await next()
  const { subject, afterCommit, body, ownerId = null } = answer
  const value = afterCommit ? undefined : body?.()
  const outcome =
    afterCommit && subject !== undefined
      ? { subject }
      : { answer: await write(answer, value, claim, exchange), ownerId }
  const isKept = await keeper.keep(ctx.db, rowOf(keeper, claim, exchange, outcome), now)
  if (!isKept) throw refusal('4094', 'detail.key_under_way')
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
): Promise<Answer | undefined> {
  const { ctx, route } = exchange
  if (!route.recall || subject === null) throw refusal('4094', 'detail.key_under_way')
  claim.subject = subject
  const result = await route.recall(ctx, subject)
  if (result === undefined) return undefined
  const answer = asReplayed(await show(exchange, result))
  if (answer.status === 202) claim.subject = undefined
  return answer
}
