import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Callbacks } from './callbacks.ts'
import { isMadeFor, makeCharge, refundCharge, voidCharge } from './ledger/charges.ts'
import type { Charge, Ledger } from './ledger/ledger.ts'
import { readTerms, type Terms } from './terms.ts'
import { scriptOf } from './tokens.ts'
import { warn } from './warn.ts'

const BODY_LIMIT_BYTES = 16_384

/** Dependencies of the request handlers. */
export interface Context {
  readonly ledger: Ledger
  readonly callbacks: Callbacks
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
export function receive(
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
  if (path === '/charges') return list(context.ledger, method, query)
  const [, segment, refund] = /^\/charges\/([^/]+)(\/refund)?$/.exec(path) ?? []
  const key = decode(segment)
  if (key === undefined) return problem(404, 'no_such_path')
  if (refund !== undefined) return putRefund(context.ledger, method, key)
  switch (method) {
    case 'PUT':
      return putCharge(context, key, body)
    case 'GET':
      return found(context.ledger.find(key)?.charge)
    case 'DELETE':
      return { status: 200, body: voidCharge(context.ledger, key) }
    default:
      return notAllowed('GET, PUT, DELETE')
  }
}

function putCharge(context: Context, key: string, body: string): HandlerResult {
  const terms = readTerms(body)
  if (typeof terms === 'string') return problem(422, terms)
  const script = scriptOf(terms.token)
  const act = () => {
    const answer = charge(context, key, terms)
    return script.answer === 'honest' ? answer : script.answer
  }
  return script.slow ? act : act()
}

function charge({ ledger, callbacks }: Context, key: string, terms: Terms): Response {
  const entry = ledger.find(key)
  if (entry !== undefined) {
    return isMadeFor(entry, terms)
      ? { status: 200, body: entry.charge }
      : problem(409, 'key_used_for_another_charge')
  }
  const made = makeCharge(ledger, key, terms)
  if (made?.status === 'pending') callbacks.schedule(key)
  return made === undefined ? found(undefined) : { status: 201, body: made }
}

function list(ledger: Ledger, method: string, query = ''): Response {
  if (method !== 'GET') return notAllowed('GET')
  const prefix = new URLSearchParams(query).get('prefix') ?? ''
  const charges = ledger
    .entries()
    .map(({ charge }) => charge)
    .filter(({ key }) => key.startsWith(prefix))
  return { status: 200, body: { charges: charges.toArray() } }
}

function putRefund(ledger: Ledger, method: string, key: string): Response {
  return method === 'PUT' ? found(refundCharge(ledger, key)) : notAllowed('PUT')
}

function found(charge: Charge | undefined): Response {
  return charge === undefined ? problem(404, 'no_such_charge') : { status: 200, body: charge }
}

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
