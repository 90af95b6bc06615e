import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Callbacks } from './callbacks.ts'
import {
  decideCharge,
  makeCharge,
  matchesRequest,
  refundCharge,
  refundPart,
  voidCharge,
} from './ledger/charges.ts'
import type { ChargeRecord, Ledger } from './ledger/ledger.ts'
import {
  type ChargeRequest,
  parseChargeRequest,
  parseDecision,
  parseRefundAmount,
} from './request-bodies.ts'
import { scriptOf } from './tokens.ts'
import { warn } from './warn.ts'

const BODY_LIMIT_BYTES = 16_384

/** Dependencies of the request handlers. */
export interface Context {
  readonly ledger: Ledger
  readonly callbacks: Callbacks
  /** The URL under which the buyer finds the page of a challenge, by its secret. */
  readonly pageUrl: () => string
}

/** A request; `url` is its path and query. */
export interface Request {
  readonly method: string
  readonly url: string
  readonly body: string
}

/** A serialized response. */
export interface SerializedResponse {
  readonly status: number
  readonly text: string
  readonly headers?: Record<string, string>
}

/** Receives the response; undefined closes the connection. Never called for `silence`. */
export type Respond = (sent: SerializedResponse | undefined) => void

interface Response {
  readonly status: number
  readonly body: object
  readonly headers?: Record<string, string>
}

/** A response, a failure to simulate, or a function that makes one after a delay. */
type HandlerResult = Response | 'garbage' | 'silence' | 'hang-up' | (() => HandlerResult)

/** Handles a request, or fails as its token demands; never throws. */
export function handle(context: Context, request: Request, respond: Respond): void {
  perform(context, () => route(context, request), respond)
}

/**
 * Handles an HTTP request whose `authorization` header must equal the given value; never throws.
 */
export function handleHttpRequest(
  answer: (request: Request, respond: Respond) => void,
  authorization: Buffer,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= BODY_LIMIT_BYTES) chunks.push(chunk)
    else request.destroy()
  })
  request.on('error', () => response.destroy())
  request.on('end', () => {
    const { method = '', url = '/', headers } = request
    const respond = (sent: SerializedResponse | undefined) => send(response, sent)
    if (!isAuthorized(authorization, headers.authorization)) return respond(unauthorized)
    answer({ method, url, body: Buffer.concat(chunks).toString('utf8') }, respond)
  })
}

function perform(context: Context, find: () => HandlerResult, respond: Respond): void {
  let result: HandlerResult
  try {
    result = find()
  } catch (error) {
    warn(error)
    result = problem(500, 'internal_error')
  }
  if (typeof result === 'object') respond(serialize(result))
  else if (result === 'garbage') respond({ status: 200, text: '{"key": <html>' })
  else if (result === 'hang-up') respond(undefined)
  else if (typeof result === 'function') {
    const act = result
    context.callbacks.delay(() => perform(context, act, respond))
  }
}

function route(context: Context, { method, url, body }: Request): HandlerResult {
  const [path = '', query] = url.split('?')
  if (path === '/charges') return list(context, method, query)
  const [, secret] = /^\/challenges\/([\w-]+)$/.exec(path) ?? []
  if (secret !== undefined) return challenge(context, method, secret, body)
  const [, segment, refund, refundSegment] =
    /^\/charges\/([^/]+)(?:\/(refund|refunds\/([^/]+)))?$/.exec(path) ?? []
  const key = decode(segment)
  if (key === undefined) return problem(404, 'no_such_path')
  if (refund === 'refund') return putRefund(context, method, key)
  if (refund !== undefined) return putPart(context, method, key, decode(refundSegment), body)
  switch (method) {
    case 'PUT':
      return putCharge(context, key, body)
    case 'GET':
      return found(context, context.ledger.find(key))
    case 'DELETE':
      return found(context, voidCharge(context.ledger, key))
    default:
      return notAllowed('GET, PUT, DELETE')
  }
}

function putCharge(context: Context, key: string, body: string): HandlerResult {
  const chargeRequest = parseChargeRequest(body)
  if (typeof chargeRequest === 'string') return problem(422, chargeRequest)
  const script = scriptOf(chargeRequest.token)
  const act = () => {
    const answer = charge(context, key, chargeRequest)
    return script.answer === 'honest' ? answer : script.answer
  }
  return script.slow ? act : act()
}

function charge(context: Context, key: string, chargeRequest: ChargeRequest): Response {
  const { ledger, callbacks } = context
  const entry = ledger.find(key)
  if (entry !== undefined) {
    return matchesRequest(entry, chargeRequest)
      ? found(context, entry)
      : problem(409, 'key_used_for_another_charge')
  }
  const made = makeCharge(ledger, key, chargeRequest)
  if (made?.callbackDue) callbacks.schedule(key)
  return made === undefined ? found(context, made) : { ...found(context, made), status: 201 }
}

function list(context: Context, method: string, query = ''): Response {
  if (method !== 'GET') return notAllowed('GET')
  const prefix = new URLSearchParams(query).get('prefix') ?? ''
  const charges = context.ledger
    .entries()
    .filter(({ charge: { key } }) => key.startsWith(prefix))
    .map((entry) => chargeBody(context, entry))
  return { status: 200, body: { charges: charges.toArray() } }
}

function putRefund(context: Context, method: string, key: string): Response {
  if (method !== 'PUT') return notAllowed('PUT')
  const entry = refundCharge(context.ledger, key)
  if (entry?.callbackDue) context.callbacks.schedule(key)
  return found(context, entry)
}

function putPart(
  context: Context,
  method: string,
  key: string,
  refundKey: string | undefined,
  body: string,
): Response {
  if (method !== 'PUT') return notAllowed('PUT')
  if (refundKey === undefined) return problem(404, 'no_such_path')
  const amount = parseRefundAmount(body)
  if (typeof amount === 'string') return problem(422, amount)
  const refunded = refundPart(context.ledger, key, refundKey, amount)
  if (typeof refunded !== 'string') return found(context, refunded)
  return problem(refunded === 'more_than_is_left' ? 422 : 409, refunded)
}

/** Shows the buyer's page what it is about, and takes the buyer's decision. */
function challenge(context: Context, method: string, secret: string, body: string): Response {
  if (method !== 'GET' && method !== 'PUT') return notAllowed('GET, PUT')
  const entry = context.ledger.findChallenge(secret)
  if (entry === undefined) return problem(404, 'no_such_challenge')
  if (method === 'GET') return { status: 200, body: challengeBody(entry) }
  const decision = parseDecision(body)
  if (decision === undefined) return problem(422, 'bad_decision')
  const decided = decideCharge(context.ledger, entry, decision)
  if (decided.callbackDue) context.callbacks.schedule(decided.charge.key)
  return { status: 200, body: challengeBody(decided) }
}

const challengeBody = ({ charge, challenge }: ChargeRecord) => ({
  status: charge.status,
  amount_minor: charge.amount_minor,
  currency: charge.currency,
  return_url: challenge?.returnUrl ?? null,
})

const found = (context: Context, entry: ChargeRecord | undefined): Response =>
  entry === undefined
    ? problem(404, 'no_such_charge')
    : { status: 200, body: chargeBody(context, entry) }

const chargeBody = ({ pageUrl }: Context, { charge, challenge }: ChargeRecord) =>
  charge.status === 'action_required' && challenge
    ? { ...charge, action: { type: 'redirect', url: `${pageUrl()}/${challenge.secret}` } }
    : charge

function notAllowed(allow: string): Response {
  return { ...problem(405, 'method_not_allowed'), headers: { allow } }
}

function problem(status: number, error: string): Response {
  return { status, body: { error } }
}

const serialize = ({ body, ...answer }: Response): SerializedResponse => ({
  ...answer,
  text: JSON.stringify(body),
})

const unauthorized = serialize({
  ...problem(401, 'unauthorized'),
  headers: { 'www-authenticate': 'Bearer' },
})

function send(response: ServerResponse, sent: SerializedResponse | undefined): void {
  if (sent === undefined) {
    response.destroy()
    return
  }
  const { status, text, headers } = sent
  const length = Buffer.byteLength(text)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': length,
    ...headers,
  })
  response.end(text)
}

function decode(segment: string | undefined): string | undefined {
  try {
    const key = decodeURIComponent(segment ?? '')
    return key.length > 0 && key.length <= 255 ? key : undefined
  } catch {
    return undefined
  }
}

function isAuthorized(expected: Buffer, given = ''): boolean {
  const actual = Buffer.from(given)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
