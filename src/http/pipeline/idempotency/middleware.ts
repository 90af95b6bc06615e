import type { Context } from '#http/declare/context.ts'
import { AfterCommit } from '#http/declare/results.ts'
import type { Route } from '#http/declare/route.ts'
import { requireConfirmed } from '#http/exchange/confirmation.ts'
import {
  type AdmittedExchange,
  type AuthenticatedExchange,
  represent,
  type ValidatedExchange,
} from '#http/exchange/exchange.ts'
import type { Outcome, Response } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'
import { secondMs } from '#values/instant.ts'
import { Problem, problem } from '#values/problem.ts'
import { idempotencyKeyOf, keyHeader } from './key.ts'
import type { ResponseStore, Row } from './store.ts'
import {
  encryptProblem,
  encryptResponse,
  type KeyedExchange,
  markReplayed,
  ReplayedProblem,
  replay,
  retentionMs,
  storeSecrets,
  withSecrets,
} from './stored-response.ts'

const leaseMs = 30 * secondMs

const isIdempotent = ({ method, transactions, acceptsIdempotencyKey = true }: Route): boolean =>
  acceptsIdempotencyKey && transactions === 'one' && (method === 'POST' || method === 'PATCH')

const isKeyed = <E extends AuthenticatedExchange>(exchange: E): exchange is KeyedExchange<E> =>
  exchange.idempotencyKey !== undefined

/**
 * Answers a repeated Idempotency-Key with the stored response, and stores problems, whose
 * transaction is rolled back. Stands outside the transaction.
 */
export const claimMiddleware = (
  store: ResponseStore | undefined,
): Middleware<AdmittedExchange, Pick<AdmittedExchange, 'idempotencyKey'>, Outcome> => ({
  name: 'idempotency: claim',
  prepare(route) {
    if (!store || !isIdempotent(route)) return undefined
    return {
      fragment: {
        requestHeaders: ['Idempotency-Key'],
        problems: ['4001', '4094', '4222'],
      },
      run: async (exchange, next) => {
        const sent = exchange.request.headers[keyHeader]
        if (sent === undefined) return next({ idempotencyKey: undefined })
        const idempotencyKey = idempotencyKeyOf(exchange, String(sent))
        const keyed = { ...exchange, idempotencyKey }
        const stored = await findResponse(store, keyed)
        if (stored) return stored
        try {
          return await next({ idempotencyKey })
        } catch (error) {
          if (!(error instanceof Problem) || error instanceof ReplayedProblem) throw error
          return storeProblem(store, keyed, error)
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
): Middleware<ValidatedExchange, void, Outcome> => ({
  name: 'idempotency: store',
  prepare(route) {
    if (!store || !isIdempotent(route)) return undefined
    return {
      fragment: {},
      run: async (exchange, next) => {
        if (!isKeyed(exchange)) return next()
        const { idempotencyKey, ctx, now } = exchange
        if (!(await store.lock(ctx.db, idempotencyKey.name)))
          throw problem('4094', 'detail.key_under_way')
        const row = await store.find(ctx.db, idempotencyKey.name, now)
        const known =
          row && ((await responseIn(store, exchange, row)) ?? (await resume(exchange, row)))
        if (row && !known) await store.remove(ctx.db, idempotencyKey.name)
        if (known instanceof AfterCommit) return storingResult(store, exchange, known)
        return known ?? storeOutcome(store, exchange, await next())
      },
    }
  },
})

/** The stored response; undefined without one. */
async function findResponse(
  store: ResponseStore,
  exchange: KeyedExchange,
): Promise<Response | undefined> {
  const { ctx, now, idempotencyKey } = exchange
  const row = await store.find(ctx.db, idempotencyKey.name, now)
  return row && responseIn(store, exchange, row)
}

/** The response in a row; undefined for work that its process did not finish. */
async function responseIn(
  store: ResponseStore,
  exchange: KeyedExchange,
  { fingerprint, answer, leased_until }: Row,
): Promise<Response | undefined> {
  const { idempotencyKey, now } = exchange
  if (!store.matchesHmac(fingerprint, idempotencyKey.fingerprint))
    throw problem('4222', 'detail.key_reused')
  if (answer === null) {
    if (leased_until > now) throw problem('4094', 'detail.key_under_way')
    return undefined
  }
  const text = store.decrypt(answer, idempotencyKey.name)
  if (text === undefined) throw problem('4091', 'detail.key_unreadable')
  return await withSecrets(store, exchange, replay(text))
}

/**
 * Returns the result of unfinished work, so that nothing is done twice; undefined if the work had
 * no effect. The response of work that is still pending (202) is not stored.
 */
async function resume(exchange: ValidatedExchange, { subject }: Row): Promise<Outcome | undefined> {
  const { ctx, route } = exchange
  if (!route.resumeResult || subject === null) throw problem('4094', 'detail.key_under_way')
  try {
    const result = await route.resumeResult(ctx, subject)
    if (result === undefined) return undefined
    const response = markReplayed(await represent(exchange, result))
    return response.status === 202 ? response : new AfterCommit(subject, async () => response)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return new AfterCommit(subject, () => Promise.reject(error))
  }
}

async function storeOutcome(
  store: ResponseStore,
  exchange: KeyedExchange<ValidatedExchange>,
  outcome: Outcome,
): Promise<Outcome> {
  const { response, ...columns } =
    outcome instanceof AfterCommit
      ? {
          response: storingResult(store, exchange, outcome),
          subject: outcome.subject,
          leased_until: exchange.now + leaseMs,
        }
      : await encryptResponse(store, exchange, outcome)
  if (!(await insertRow(store, exchange, columns))) throw problem('4094', 'detail.key_under_way')
  if (!(response instanceof AfterCommit)) await storeSecrets(store, exchange, response)
  return response
}

/** Wraps work so that its response or problem is stored when it ends. */
function storingResult(
  store: ResponseStore,
  exchange: KeyedExchange<ValidatedExchange>,
  { subject, run }: AfterCommit<Response>,
): AfterCommit<Response> {
  const use = { name: exchange.idempotencyKey.name, subject }
  return new AfterCommit(subject, async (ctx: Context) => {
    try {
      const { response, ...encrypted } = await encryptResponse(store, exchange, await run(ctx))
      await store.complete(ctx.db, use, encrypted)
      return response
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const answer = await encryptProblem(store, exchange, error)
      if (answer === undefined) await store.endLease(ctx.db, use)
      else await store.complete(ctx.db, use, { answer, owner_id: null })
      throw error
    }
  })
}

/** Stores a problem and throws it; returns the stored response if another request was first. */
async function storeProblem(
  store: ResponseStore,
  exchange: KeyedExchange,
  error: Problem,
): Promise<Response> {
  await requireConfirmed(exchange)
  const answer = await encryptProblem(store, exchange, error)
  if (answer === undefined || (await insertRow(store, exchange, { answer }))) throw error
  const stored = await findResponse(store, exchange)
  if (!stored) throw error
  return stored
}

/** Inserts the row of a key; false if it has one already. */
const insertRow = (
  store: ResponseStore,
  { ctx, now, actor, idempotencyKey }: KeyedExchange,
  columns: Partial<Row>,
): Promise<boolean> => {
  const row = {
    name: idempotencyKey.name,
    fingerprint: store.hmac(idempotencyKey.fingerprint),
    answer: null,
    subject: null,
    caller_id: actor.userId,
    owner_id: null,
    leased_until: now,
    expires_at: now + retentionMs,
    ...columns,
  }
  return store.insert(ctx.db, row, now)
}
