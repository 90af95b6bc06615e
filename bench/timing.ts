import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { readOptions } from './options.ts'
import { makeDirectory, type Server, startServer } from './server.ts'
import { call, logIn } from './shop.ts'
import { differenceOf, median } from './statistics.ts'

/** A request with wrong credentials; a GET where it has no body. */
interface WrongRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** One way to authenticate, wrong with a known name as with an unknown one. */
interface Mechanism {
  readonly name: string
  readonly rounds: number
  readonly status?: number
  readonly requestFor: (isKnown: boolean) => WrongRequest
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const people = 20
const names = Array.from({ length: people }, (_, at) => `somebody-${String(at).padStart(4, '0')}`)
const wrongPassword = () => randomBytes(12).toString('base64url')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const anyOf = (list: readonly string[]) => list[Math.floor(Math.random() * list.length)] ?? ''

/** The name of an existing or unknown user, of the same length. */
const nameOf = (isKnown: boolean): string =>
  isKnown ? anyOf(names) : `nobody---${randomBytes(2).toString('hex')}`

/** Sends a request over the one connection and returns the microseconds until its response. */
async function time({ port }: Server, wrong: WrongRequest, status: number): Promise<number> {
  const { path, headers, body = '' } = wrong
  const method = body === '' ? 'GET' : 'POST'
  // A random delay avoids synchronising with the timers of the server.
  const until = performance.now() + 2 * Math.random()
  while (performance.now() < until);
  const began = performance.now()
  const fields = { ...headers, 'content-length': Buffer.byteLength(body) }
  const sent = request({ port, agent, method, path, headers: fields }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  await once(response.resume(), 'end')
  const micros = (performance.now() - began) * 1_000
  if (response.statusCode === status) return micros
  throw new Error(`${method} ${path}: ${response.statusCode}, not ${status}`)
}

/** Measures both kinds of name in turn, each first in every other round; returns a row. */
async function measure(server: Server, mechanism: Mechanism): Promise<string> {
  const { name, rounds, status = 401, requestFor } = mechanism
  const known: number[] = []
  const unknown: number[] = []
  const warmUp = Math.ceil(rounds / 20)
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const isKnown of round % 2 === 0 ? [true, false] : [false, true]) {
      const micros = await time(server, requestFor(isKnown), status)
      if (round >= 0) (isKnown ? known : unknown).push(micros)
    }
  }
  const difference = differenceOf(known, unknown)
  const [low, high] = difference.interval.map((micros) => micros.toFixed(0))
  const medians = [median(known), median(unknown), difference.median].map(
    (micros) => `${micros.toFixed(0)} µs`,
  )
  return `| ${[name, known.length, ...medians, `${low} to ${high} µs`].join(' | ')} |`
}

const readProfile = (authorization: string): WrongRequest => ({
  path: '/profile',
  headers: { authorization },
})

const byLogin = (isKnown: boolean): WrongRequest => ({
  path: '/login',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: nameOf(isKnown), password: wrongPassword() }),
})

const byBasic = (isKnown: boolean): WrongRequest =>
  readProfile(`Basic ${base64(`${nameOf(isKnown)}:${wrongPassword()}`)}`)

async function byGrant(server: Server, token: string): Promise<Mechanism['requestFor']> {
  const body = { client_name: 'Timing', grant_types: ['password'] }
  const client = await call(server, 'POST', '/oauth-clients', { token, body })
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${base64(`${client['client_id']}:${client['client_secret']}`)}`,
  }
  return (isKnown) => {
    const owner = { username: nameOf(isKnown), password: wrongPassword() }
    const form = new URLSearchParams({ grant_type: 'password', ...owner })
    return { path: '/oauth/token', headers, body: String(form) }
  }
}

async function byDigest({ port }: Server): Promise<Mechanism['requestFor']> {
  const { headers } = await fetch(`http://127.0.0.1:${port}/profile`)
  const challenge = headers.get('www-authenticate') ?? ''
  const [nonce, opaque] = ['nonce', 'opaque'].map(
    (name) => new RegExp(`${name}="([^"]+)"`).exec(challenge)?.[1] ?? '',
  )
  return (isKnown) =>
    readProfile(
      `Digest username="${nameOf(isKnown)}", realm="cartwright", nonce="${nonce}", ` +
        `uri="/profile", algorithm=SHA-256, qop=auth, nc=00000001, cnonce="mine", ` +
        `response="${randomBytes(32).toString('hex')}", opaque="${opaque}"`,
    )
}

/** A key names no user: the known ones are those that were valid once. */
async function byKey(server: Server, token: string): Promise<Mechanism['requestFor']> {
  const revoked: string[] = []
  for (let made = 0; made < people; made += 1) {
    const { id, key } = await call(server, 'POST', '/api-keys', { token, body: { name: 'Timing' } })
    await call(server, 'DELETE', `/api-keys/${id}`, { token })
    revoked.push(String(key))
  }
  const unknown = () => `cw_${randomBytes(32).toString('base64url')}`
  return (isKnown) => readProfile(`Api-Key ${isKnown ? anyOf(revoked) : unknown()}`)
}

async function mechanismsOf(server: Server, rounds: number): Promise<readonly Mechanism[]> {
  for (const username of names) {
    const body = { name: username, username, password: wrongPassword() }
    await call(server, 'POST', '/users', { body })
  }
  const token = await logIn(server)
  const requestByGrant = await byGrant(server, token)
  return [
    { name: 'login', rounds, requestFor: byLogin },
    { name: 'Basic', rounds, requestFor: byBasic },
    { name: 'OAuth, password', rounds, status: 400, requestFor: requestByGrant },
    { name: 'Digest', rounds, requestFor: await byDigest(server) },
    // The fastest response, and therefore requested ten times as often.
    { name: 'API key', rounds: rounds * 10, requestFor: await byKey(server, token) },
  ]
}

const { rounds, url, only } = readOptions('bench:timing', {
  rounds: 300,
  url: '',
  only: [] as string[],
})
const place = { directory: makeDirectory('timing'), name: 'timing', ...(url !== '' && { url }) }
await using server = await startServer(place)
const rows: string[] = []
for (const mechanism of await mechanismsOf(server, rounds)) {
  if (only.length === 0 || only.includes(mechanism.name))
    rows.push(await measure(server, mechanism))
}
agent.destroy()
process.stdout.write(`
| by | rounds | known | unknown | known − unknown | 95 % of it between |
| --- | ---: | ---: | ---: | ---: | --- |
${rows.join('\n')}
`)
