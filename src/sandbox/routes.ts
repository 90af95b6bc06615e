import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Callbacks } from './callbacks.ts'
import { isMadeFor, makeCharge, refundCharge, voidCharge } from './charges.ts'
import type { Charge, Ledger } from './ledger.ts'
import { readTerms, type Terms } from './terms.ts'
import { scriptOf } from './tokens.ts'

const BODY_LIMIT_BYTES = 16_384

/** What every request is handled with; `authorization` is the one header value let in. */
export interface Context {
  readonly ledger: Ledger
  readonly callbacks: Callbacks
  readonly authorization: Buffer
}

interface Answer {
  readonly status: number
  readonly body: object
  readonly headers?: Record<string, string>
}

/** What a request leads to: an answer, a lie or none, or one of these found only after a while. */
type Reaction = Answer | 'garbage' | 'silence' | 'hang-up' | (() => Reaction)

/** Reads a request and answers it, or misbehaves as its token says; never throws. */
export function receive(
  context: Context,
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
    const body = Buffer.concat(chunks).toString('utf8')
    perform(context, response, () => react(context, request, body))
  })
}

function perform(context: Context, response: ServerResponse, find: () => Reaction): void {
  let reaction: Reaction
  try {
    reaction = find()
  } catch (error) {
    process.emitWarning(`payment sandbox: ${error instanceof Error ? error.message : error}`)
    reaction = refusal(500, 'internal_error')
  }
  if (typeof reaction === 'object') send(response, reaction)
  else if (reaction === 'garbage') sendText(response, 200, '{"key": <html>')
  else if (reaction === 'hang-up') response.destroy()
  else if (typeof reaction === 'function') {
    const act = reaction
    context.callbacks.delay(() => perform(context, response, act))
  }
}

function react(context: Context, request: IncomingMessage, body: string): Reaction {
  const { method = '', url = '/', headers } = request
  if (!isAuthorized(context.authorization, headers.authorization)) {
    return { ...refusal(401, 'unauthorized'), headers: { 'www-authenticate': 'Bearer' } }
  }
  const [path = '', query] = url.split('?')
  if (path === '/charges') return list(context.ledger, method, query)
  const [, segment, refund] = /^\/charges\/([^/]+)(\/refund)?$/.exec(path) ?? []
  const key = decode(segment)
  if (key === undefined) return refusal(404, 'no_such_path')
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

function putCharge(context: Context, key: string, body: string): Reaction {
  const terms = readTerms(body)
  if (typeof terms === 'string') return refusal(422, terms)
  const script = scriptOf(terms.token)
  const act = () => {
    const answer = charge(context, key, terms)
    return script.answer === 'honest' ? answer : script.answer
  }
  return script.slow ? act : act()
}

function charge({ ledger, callbacks }: Context, key: string, terms: Terms): Answer {
  const entry = ledger.find(key)
  if (entry !== undefined) {
    return isMadeFor(entry, terms)
      ? { status: 200, body: entry.charge }
      : refusal(409, 'key_used_for_another_charge')
  }
  const made = makeCharge(ledger, key, terms)
  callbacks.follow(key)
  return made === undefined ? found(undefined) : { status: 201, body: made }
}

function list(ledger: Ledger, method: string, query = ''): Answer {
  if (method !== 'GET') return notAllowed('GET')
  const prefix = new URLSearchParams(query).get('prefix') ?? ''
  const charges = ledger
    .entries()
    .map(({ charge }) => charge)
    .filter(({ key }) => key.startsWith(prefix))
  return { status: 200, body: { charges: charges.toArray() } }
}

function putRefund(ledger: Ledger, method: string, key: string): Answer {
  return method === 'PUT' ? found(refundCharge(ledger, key)) : notAllowed('PUT')
}

function found(charge: Charge | undefined): Answer {
  return charge === undefined ? refusal(404, 'no_such_charge') : { status: 200, body: charge }
}

function notAllowed(allow: string): Answer {
  return { ...refusal(405, 'method_not_allowed'), headers: { allow } }
}

function refusal(status: number, error: string): Answer {
  return { status, body: { error } }
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  sendText(response, status, JSON.stringify(body), headers)
}

function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers?: Record<string, string>,
): void {
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
