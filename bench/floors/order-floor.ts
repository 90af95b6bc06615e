// The least that can place an order as durably: node:http, JSON, hand-written statements and one
// COMMIT for all requests of an event-loop turn. It checks neither credentials nor bodies.
// Environment: PORT, DATABASE (a path, created), PRODUCTS and USERS (rows to start with).
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { addToCart, type Line, type Outcome, placeOrder, readOrder } from './order-work.ts'
import { pay, type Shipping, ship } from './payment-work.ts'
import { openDatabase, prepareStatements } from './statements.ts'

const db = openDatabase(process.env['DATABASE'] ?? '', {
  products: Number(process.env['PRODUCTS']),
  users: Number(process.env['USERS']),
})
const statements = prepareStatements(db)

/** The answers that wait for the COMMIT of this turn. */
let waiting: (() => void)[] | undefined

function inSharedTransaction(work: () => Outcome, response: ServerResponse): void {
  if (!waiting) {
    statements.begin.run()
    waiting = []
    setImmediate(commit)
  }
  const outcome = work()
  waiting.push(() => answer(response, outcome))
}

function commit(): void {
  statements.commit.run()
  const committed = waiting ?? []
  waiting = undefined
  for (const send of committed) send()
}

function answer(response: ServerResponse, outcome: Outcome): void {
  const body = JSON.stringify(outcome.body)
  const headers = ['content-type', 'application/json', 'content-length']
  headers.push(String(Buffer.byteLength(body)), 'cache-control', 'private, no-cache')
  if (outcome.location) headers.push('location', outcome.location)
  if (outcome.revision) headers.push('etag', `"${outcome.revision}"`)
  response.writeHead(outcome.status, headers).end(body)
}

/** A token is the user's number here. */
function userOf(request: IncomingMessage): number {
  return Number(request.headers.authorization?.slice('Bearer '.length))
}

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
      return write<Line>((line) => addToCart(statements, userOf(request), line))
    case 'POST users/orders':
      return write<{ items?: Line[] }>(({ items }) => placeOrder(statements, Number(id), items))
    case 'PUT orders/shipping':
      return write<Shipping>((shipping) => ship(statements, Number(id), shipping))
    case 'POST users/orders/payment':
      return write<{ method: string }>(({ method }) => pay(statements, Number(nestedId), method))
    case 'GET orders':
      return answer(response, readOrder(statements, Number(id)))
    case 'GET health':
      return answer(response, { status: 200, body: {} })
    default:
      return answer(response, { status: 404, body: {} })
  }
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
