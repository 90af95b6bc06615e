// The minimal program that places an order as durably: node:http, JSON, hand-written statements and one
// COMMIT for all requests of an event-loop turn. It checks neither credentials nor bodies, and ends
// at the first request that it cannot fulfil.
// Environment: PORT, DATABASE (a copy of that of the server; a token is the ID of its user).
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { addToCart, type Line, type Outcome, pay, placeOrder, ship } from './checkout.ts'
import { db } from './statements.ts'

const begin = db.prepare('BEGIN IMMEDIATE')
const commit = db.prepare('COMMIT')

/** The responses that wait for the COMMIT of this turn. */
let waiting: (() => void)[] | undefined

function inSharedTransaction(work: () => Outcome, response: ServerResponse): void {
  if (!waiting) {
    begin.run()
    waiting = []
    setImmediate(commitShared)
  }
  const outcome = work()
  waiting.push(() => send(response, outcome))
}

function commitShared(): void {
  commit.run()
  const committed = waiting ?? []
  waiting = undefined
  for (const sendOne of committed) sendOne()
}

function send(response: ServerResponse, outcome: Outcome): void {
  const body = JSON.stringify(outcome.body)
  const headers = ['content-type', 'application/json', 'content-length']
  headers.push(String(Buffer.byteLength(body)), 'cache-control', 'private, no-cache')
  if (outcome.location) headers.push('location', outcome.location)
  if (outcome.revision) headers.push('etag', `"${outcome.revision}"`)
  response.writeHead(outcome.status, headers).end(body)
}

const userOf = ({ headers }: IncomingMessage): number =>
  Number(headers.authorization?.slice('Bearer '.length))

function readBody<Body>(request: IncomingMessage, use: (body: Body) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => use(JSON.parse(Buffer.concat(chunks).toString())))
}

const server = createServer((request, response) => {
  const [, collection, id, nested, nestedId, deepest] = (request.url ?? '').split('/')
  const route = `${request.method} ${[collection, nested, deepest].filter(Boolean).join('/')}`
  const write = <Body>(work: (body: Body) => Outcome) =>
    readBody<Body>(request, (body) => inSharedTransaction(() => work(body), response))
  switch (route) {
    case 'POST cart':
      return write<Line>((line) => addToCart(userOf(request), line))
    case 'POST users/orders':
      return write<{ items?: Line[] }>(({ items }) => placeOrder(Number(id), items))
    case 'PUT orders/shipping':
      return write<Parameters<typeof ship>[1]>((shipping) => ship(Number(id), shipping))
    case 'POST users/orders/payment':
      return write<{ method: string }>(({ method }) => pay(Number(nestedId), method))
    case 'GET health':
      return send(response, { status: 200, body: {} })
    default:
      return send(response, { status: 404, body: {} })
  }
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
