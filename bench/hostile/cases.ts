import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Answer, Client, SentRequest } from './client.ts'

/** What a hostile client does. */
export interface HostileCase {
  readonly title: string
  /** Whether the size of the WAL of SQLite is told. */
  readonly tellsWal?: boolean
  /** Prepares the attack and returns what one of its connections repeats; it returns a status. */
  readonly prepare: (send: Send, client: Client) => Promise<(connection: number) => Promise<number>>
}

/** Sends a request from the hostile address. */
type Send = (sent: Omit<SentRequest, 'from'>) => Promise<Answer & { readonly from: string }>

interface Guest {
  readonly id: number
  readonly token: string
}

async function startGuest(send: Send): Promise<Guest | number> {
  const { status, text } = await send({ method: 'POST', path: '/guests', body: {} })
  if (status !== 201) return status
  const { token, user } = JSON.parse(text)
  return { id: user.id, token }
}

/** Starts guests until the server starts no more. */
async function startGuests(send: Send, count: number): Promise<readonly Guest[]> {
  const guests: Guest[] = []
  for (let started = 0; started < count; started += 1) {
    const guest = await startGuest(send)
    if (typeof guest !== 'number') guests.push(guest)
  }
  if (guests.length === 0) throw new Error('the server started no guest')
  return guests
}

/** Repeats one request. */
const repeated =
  (sent: Omit<SentRequest, 'from'>): HostileCase['prepare'] =>
  async (send) =>
  async () =>
    (await send(sent)).status

const queryOf = (body: string): Omit<SentRequest, 'from'> => ({
  ...{ method: 'QUERY', path: '/products', type: 'application/x-www-form-urlencoded' },
  ...{ isGzipped: true, body: gzipSync(body) },
})

/** The largest body of POST /users, and of a query. */
const [bodyBytes, queryBytes] = [131_072, 16_384]

const manyOptions = [
  ...Array.from({ length: 4_500 }, () => 'option.xxx=1'),
  ...Array.from({ length: 10 }, (_, at) => `facets=option.x${at}`),
].join('&')

/** Ten names and fifty parameters, as long as a query may be. */
function admittedOptions(): string {
  const facets = `facets=category,availability,price,rating,${names(6).join(',')}`
  const parameters = [facets, 'variants=all', 'limit=100']
  const count = 50 - parameters.length
  const length = Math.floor((queryBytes - facets.length - 64) / count) - 'option.x0=&'.length
  for (let at = 0; at < count; at += 1) {
    parameters.push(`${names(10)[at % 10]}=${String(at).padStart(Math.min(length, 100), 'x')}`)
  }
  return parameters.join('&')
}
const names = (count: number) => Array.from({ length: count }, (_, at) => `option.x${at}`)

/** The password that the next guest sets: every other one would be hashed. */
const nextPassword = (turn: number): string =>
  turn % 2 === 0 ? 'password' : randomBytes(16).toString('hex')

const becomeCustomers: HostileCase['prepare'] = async (send) => {
  let turn = 0
  let guest: Guest | undefined
  return async () => {
    turn += 1
    if (turn <= 90) {
      const started = await startGuest(send)
      if (typeof started === 'number') return started
      guest = started
    }
    if (!guest) return 0
    const { id, token } = guest
    const username = `hostile-${randomBytes(6).toString('hex')}`
    const body = { name: 'Hostile', username, password: nextPassword(turn) }
    return (await send({ method: 'PATCH', path: `/users/${id}`, token, body })).status
  }
}

const guessCodes: HostileCase['prepare'] = async (send) => {
  const guests = await startGuests(send, 40)
  let turn = 0
  return async () => {
    turn += 1
    const guest = guests[turn % guests.length] as Guest
    const body = { code: randomBytes(4).toString('hex') }
    const path = `/users/${guest.id}/cart/discount`
    return (await send({ method: 'PUT', path, token: guest.token, body })).status
  }
}

/** Creates a user whose name is made of references to characters. */
const referencesOf = (count: number): Omit<SentRequest, 'from'> => ({
  ...{ method: 'POST', path: '/users', type: 'application/xml', isGzipped: true },
  body: gzipSync(`<user><name>${'&#65;'.repeat(count)}</name></user>`),
})

/** Half of the connections read exports byte by byte, the others write. */
const exportSlowly: HostileCase['prepare'] = async (send, client) => {
  const { from } = await send({ method: 'GET', path: '/' })
  return async (connection) => {
    if (connection % 2 === 1)
      return (await send({ method: 'POST', path: '/guests', body: {} })).status
    const opened = await client
      .open({ method: 'GET', path: '/products', accept: 'text/csv', from })
      .catch(() => undefined)
    if (opened?.statusCode !== 200) {
      opened?.resume()
      await sleep(100)
      return opened?.statusCode ?? 0
    }
    void readSlowly(opened)
    return 200
  }
}

/** Reads a byte a second, until the server ends the response. */
async function readSlowly(response: IncomingMessage): Promise<void> {
  response.once('error', () => undefined).pause()
  while (!response.destroyed && !response.readableEnded) {
    response.read(1)
    await sleep(1_000)
  }
}

const [orderCount, lineCount] = [20, 200]

/** Has a guest place large orders, of products that can be bought. */
async function placeOrders(send: Send, token: string): Promise<void> {
  let lastId = lineCount
  let ids = Array.from({ length: lineCount }, (_, at) => at + 1)
  for (let placed = 0; placed < orderCount; ) {
    const items = ids.map((product_id) => ({ product_id, quantity: 1 }))
    const { status, text } = await send({ method: 'POST', path: '/orders', token, body: { items } })
    if (status === 201) placed += 1
    else {
      const errors: readonly { readonly field: string }[] = JSON.parse(text).errors ?? []
      if (errors.length === 0) throw new Error(`an order was not placed: ${status} ${text}`)
      const missing = new Set(errors.map(({ field }) => Number(/\d+/.exec(field)?.[0])))
      ids = ids.map((id, at) => {
        if (!missing.has(at)) return id
        lastId += 1
        return lastId
      })
    }
  }
}

const listLines: HostileCase['prepare'] = async (send) => {
  const [guest] = (await startGuests(send, 1)) as [Guest]
  const { id, token } = guest
  await placeOrders(send, token)
  const path = `/users/${id}/orders?include=items&limit=100`
  return async () => (await send({ method: 'GET', path, token })).status
}

const countFacets: HostileCase['prepare'] = async (send) => {
  const { text } = await send({ method: 'GET', path: '/products/1' })
  const word = String(JSON.parse(text).name).split(' ', 1)[0] ?? ''
  let turn = 0
  return async () => {
    turn += 1
    const facets = 'facets=category,availability,price,rating'
    // Another query each time, since answers are kept.
    const path = `/products?q=${encodeURIComponent(word)}&${facets}&price_min=0.${(turn % 90) + 10}`
    return (await send({ method: 'GET', path })).status
  }
}

/** The hostile clients, by name. */
export const hostileCases: Readonly<Record<string, HostileCase>> = {
  baseline: { title: 'no attack', prepare: async () => () => new Promise(() => undefined) },
  'H1-refused': { title: '4,500 options in a query', prepare: repeated(queryOf(manyOptions)) },
  'H1-admitted': {
    title: 'the largest query of options',
    prepare: repeated(queryOf(admittedOptions())),
  },
  'H2-passwords': { title: '90 guests set passwords', prepare: becomeCustomers },
  'H2-codes': { title: '40 guests guess codes', prepare: guessCodes },
  'M1-refused': {
    title: 'XML of references, as large as a body may be',
    prepare: repeated(referencesOf(Math.floor((bodyBytes - 64) / 5))),
  },
  'M1-admitted': {
    title: 'XML of as many references as are read',
    prepare: repeated(referencesOf(9_900)),
  },
  M2: { title: 'slow exports while guests sign up', tellsWal: true, prepare: exportSlowly },
  M3: { title: `${orderCount} orders of ${lineCount} lines with items`, prepare: listLines },
  M4: { title: 'a search with facets', prepare: countFacets },
}
