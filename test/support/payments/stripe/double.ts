import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { ApiError, missing } from './errors.ts'
import { createEvents, type Events } from './events.ts'
import { type Answer, createIdempotencyKeys, type IdempotencyKeys } from './idempotency.ts'
import { createIntents, type Intents, newId } from './intents.ts'
import { type Parameters, parseForm } from './parameters.ts'
import { createRefunds, type Refunds } from './refunds.ts'

/**
 * What happens to a request instead of an honest answer: silence or a closed connection, before or
 * after its effect; an error of the server, before or after it; no capacity; a lock.
 */
export type FaultKind =
  | 'silence-before'
  | 'silence-after'
  | 'close-before'
  | 'close-after'
  | 'error-before'
  | 'error-after'
  | 'rate-limit'
  | 'locked'

interface Fault {
  readonly method: string
  readonly path: RegExp
  readonly kind: FaultKind
  left: number
}

/** A request as it arrived. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly parameters: Parameters
  readonly idempotencyKey: string | undefined
  readonly version: string | undefined
}

/** Waits at a moment of a request: before or after its effect. */
export type Watch = (moment: 'before' | 'after', request: ReceivedRequest) => Promise<void> | void

/** Stripe's payment intents, refunds and events, kept in memory. */
export interface StripeDouble {
  readonly url: string
  readonly secretKey: string
  readonly webhookSecret: string
  readonly intents: Intents
  readonly refunds: Refunds
  readonly events: Events
  readonly requests: readonly ReceivedRequest[]
  watch: Watch
  /** The next `count` requests of a method and path fail. */
  readonly fail: (method: string, path: RegExp, kind: FaultKind, count?: number) => void
  readonly pruneKeys: () => void
  /** Changes the state as Stripe's dashboard, the bank or the buyer does, with its events. */
  readonly refundInDashboard: (intentId: string, amount: number) => void
  readonly close: () => Promise<void>
}

/** Starts a double of Stripe's API on a free port; `now` dates its signatures. */
export async function startStripeDouble(now: () => number = Date.now): Promise<StripeDouble> {
  const secretKey = 'sk_test_of_the_double'
  const webhookSecret = 'whsec_of_the_double'
  const events = createEvents(webhookSecret, now)
  const intents = createIntents(events.emit)
  const refunds = createRefunds(intents, events.emit)
  const keys = createIdempotencyKeys()
  const faults: Fault[] = []
  const requests: ReceivedRequest[] = []
  const state = { intents, refunds, events, keys, faults, requests, secretKey }
  const server = createServer((request, response) => {
    handle(state, () => double.watch, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const double: StripeDouble = {
    ...{ url: `http://127.0.0.1:${port}`, secretKey, webhookSecret },
    ...{ intents, refunds, events, requests, pruneKeys: keys.prune },
    watch: () => undefined,
    fail: (method, path, kind, count = 1) => {
      faults.push({ method, path, kind, left: count })
    },
    refundInDashboard: (intentId, amount) => {
      const { latest_charge: id } = intents.retrieve(intentId)
      refunds.create({ payment_intent: intentId, amount: String(amount) })
      const charge = { id, object: 'charge', payment_intent: intentId, metadata: {} }
      events.emit('charge.refunded', charge)
    },
    close: async () => {
      events.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return double
}

interface State {
  readonly intents: Intents
  readonly refunds: Refunds
  readonly events: Events
  readonly keys: IdempotencyKeys
  readonly faults: readonly Fault[]
  readonly requests: ReceivedRequest[]
  readonly secretKey: string
}

async function handle(
  state: State,
  watch: () => Watch,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname: path, search } = new URL(request.url ?? '', 'http://localhost')
  const { method = 'GET', headers } = request
  const body = await text(request)
  const received: ReceivedRequest = {
    ...{ method, path, parameters: parseForm(method === 'GET' ? search.slice(1) : body) },
    idempotencyKey: [headers['idempotency-key']].flat()[0],
    version: [headers['stripe-version']].flat()[0],
  }
  state.requests.push(received)
  const fault = takeFault(state.faults, received)
  await watch()('before', received)
  const [what, when] = (fault ?? 'none').split('-')
  if (when === 'before' && what !== 'error') return lose(response, what)
  const answer = await answerTo(state, received, fault, headers.authorization, body)
  await watch()('after', received)
  if (when === 'after' && what !== 'error') return lose(response, what)
  await state.events.beforeAnswer()
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    'request-id': newId('req'),
    ...(received.idempotencyKey !== undefined && { 'idempotency-key': received.idempotencyKey }),
    ...(answer.isReplayed && { 'idempotent-replayed': 'true' }),
  })
  response.end(JSON.stringify(answer.body))
}

function takeFault(faults: readonly Fault[], request: ReceivedRequest): FaultKind | undefined {
  const fault = faults.find(
    ({ method, path, left }) => left > 0 && method === request.method && path.test(request.path),
  )
  if (fault) fault.left -= 1
  return fault?.kind
}

function lose(response: ServerResponse, what: string | undefined): void {
  if (what === 'close') response.destroy()
}

const serverError = () => new ApiError(500, { type: 'api_error', message: 'An error.' }, true)

async function answerTo(
  state: State,
  request: ReceivedRequest,
  fault: FaultKind | undefined,
  authorization: string | undefined,
  body: string,
): Promise<Answer> {
  const { method, path, idempotencyKey } = request
  try {
    if (authorization !== `Bearer ${state.secretKey}`) {
      throw new ApiError(401, { type: 'invalid_request_error', message: 'Invalid API Key' })
    }
    if (fault === 'rate-limit') throw new ApiError(429, { code: 'rate_limit' })
    if (fault === 'locked') throw new ApiError(429, { code: 'lock_timeout' })
    const key = method === 'POST' ? idempotencyKey : undefined
    return await state.keys.run(key, `${method} ${path} ${body}`, async () => {
      if (fault === 'error-before') throw serverError()
      const result = structuredClone(route(state, request))
      // Others may come in between.
      await new Promise((resolve) => setImmediate(resolve))
      if (fault === 'error-after') throw serverError()
      return { status: 200, body: result }
    })
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, body: error.body }
    throw error
  }
}

function route({ intents, refunds, events }: State, request: ReceivedRequest): object {
  const { method, path, parameters } = request
  const [, version, resource, id = '', action, ...rest] = path.split('/')
  const operation = `${method} ${version}/${resource}${id && '/:id'}${action ? `/${action}` : ''}`
  if (rest.length === 0) {
    switch (operation) {
      case 'POST v1/payment_intents':
        return intents.create(parameters)
      case 'GET v1/payment_intents/:id':
        return intents.retrieve(id)
      case 'POST v1/payment_intents/:id/confirm':
        return intents.confirm(id, parameters)
      case 'POST v1/payment_intents/:id/cancel':
        return intents.cancel(id, parameters)
      case 'POST v1/refunds':
        return refunds.create(parameters)
      case 'GET v1/refunds':
        return refunds.list(parameters)
      case 'GET v1/refunds/:id':
        return refunds.retrieve(id)
      case 'GET v1/events':
        return { object: 'list', url: path, has_more: false, data: events.all().toReversed() }
      case 'GET v1/events/:id': {
        const event = events.all().find((each) => each.id === id)
        if (event) return event
        throw missing('event', id, 'id')
      }
    }
  }
  const message = `Unrecognized request URL (${method}: ${path}).`
  throw new ApiError(404, { type: 'invalid_request_error', message })
}
