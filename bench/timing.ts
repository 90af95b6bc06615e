import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Child } from './child.ts'
import { type Difference, differenceOf } from './difference.ts'
import { endOnSignals } from './ending.ts'
import { makeDirectory } from './place.ts'
import { administrator, logIn, send } from './shop.ts'
import { startServerOver } from './subjects.ts'

const { values } = parseArgs({
  options: {
    // API keys, which are answered soonest, are asked ten times as often.
    rounds: { type: 'string', default: '300' },
    url: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
  },
})

/** What is sent, and what it has to be answered with. */
interface Asking {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** One way to say who is calling, wrong in both cases. */
interface Mechanism {
  readonly name: string
  readonly rounds: number
  readonly status: number
  /** By a name that somebody has, or by one that nobody has. */
  readonly ask: (isKnown: boolean) => Asking
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Waits for a random part of two milliseconds, or requests would begin in step with the server's timers. */
function fallOutOfStep(): void {
  const until = performance.now() + 2 * Math.random()
  while (performance.now() < until);
}

/** Sends a request over the one connection; how long its answer took, in microseconds. */
async function time({ port }: Child, asking: Asking, status: number): Promise<number> {
  const { method, path, headers = {}, body = '' } = asking
  fallOutOfStep()
  const began = performance.now()
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const fields = { ...headers, 'content-length': Buffer.byteLength(body) }
    request({ port, agent, method, path, headers: fields }, resolve).on('error', reject).end(body)
  })
  await once(answer.resume(), 'end')
  const microseconds = (performance.now() - began) * 1_000
  if (answer.statusCode === status) return microseconds
  throw new Error(`${method} ${path} answered ${answer.statusCode}, not ${status}`)
}

/** Asks by both kinds of name in turn, each first in every other round. */
async function compare(
  child: Child,
  { name, rounds, status, ask }: Mechanism,
): Promise<Difference> {
  const known: number[] = []
  const unknown: number[] = []
  const warmUp = Math.ceil(rounds / 20)
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const isKnown of round % 2 === 0 ? [true, false] : [false, true]) {
      const took = await time(child, ask(isKnown), status)
      if (round >= 0) (isKnown ? known : unknown).push(took)
    }
  }
  return differenceOf(name, known, unknown)
}

const people = 20
const names = Array.from({ length: people }, (_, at) => `somebody-${String(at).padStart(4, '0')}`)
const password = () => randomBytes(12).toString('base64url')

/** The name of somebody or of nobody, of the same length. */
function nameOf(isKnown: boolean): string {
  const at = Math.floor(Math.random() * people)
  return isKnown ? (names[at] ?? '') : `nobody---${randomBytes(2).toString('hex')}`
}

/** A nonce of the server and what goes with it. */
async function challenge({ port }: Child): Promise<{ nonce: string; opaque: string }> {
  const { headers } = await fetch(`http://127.0.0.1:${port}/profile`)
  const told = headers.get('www-authenticate') ?? ''
  const member = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(told)?.[1] ?? ''
  return { nonce: member('nonce'), opaque: member('opaque') }
}

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const profile = (authorization: string): Asking => ({
  method: 'GET',
  path: '/profile',
  headers: { authorization },
})

/** Every way to be wrong about who one is. */
async function mechanismsOf(child: Child, dear: number): Promise<readonly Mechanism[]> {
  for (const username of names) {
    await send(child, '/users', { name: username, username, password: password() })
  }
  const token = await logIn(child, administrator)
  const client = await send(
    child,
    '/oauth-clients',
    { client_name: 'Timing', grant_types: ['password'] },
    token,
  )
  return [
    { name: 'login', rounds: dear, status: 401, ask: byLogin },
    { name: 'Basic', rounds: dear, status: 401, ask: byBasic },
    { name: 'OAuth, password', rounds: dear, status: 400, ask: byGrant(client) },
    { name: 'Digest', rounds: dear, status: 401, ask: byDigest(await challenge(child)) },
    {
      name: 'API key',
      rounds: dear * 10,
      status: 401,
      ask: byKey(await revokedKeys(child, token)),
    },
  ]
}

const byLogin = (isKnown: boolean): Asking => ({
  method: 'POST',
  path: '/login',
  headers: json,
  body: JSON.stringify({ username: nameOf(isKnown), password: password() }),
})

const byBasic = (isKnown: boolean): Asking =>
  profile(`Basic ${Buffer.from(`${nameOf(isKnown)}:${password()}`).toString('base64')}`)

const byGrant =
  ({ client_id, client_secret }: Readonly<Record<string, unknown>>) =>
  (isKnown: boolean): Asking => ({
    method: 'POST',
    path: '/oauth/token',
    headers: {
      ...form,
      authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
    },
    body: String(
      new URLSearchParams({
        grant_type: 'password',
        username: nameOf(isKnown),
        password: password(),
      }),
    ),
  })

function byDigest({ nonce, opaque }: { readonly nonce: string; readonly opaque: string }) {
  return (isKnown: boolean): Asking => {
    const response = createHash('sha256').update(randomBytes(16)).digest('hex')
    return profile(
      `Digest username="${nameOf(isKnown)}", realm="cartwright", nonce="${nonce}", ` +
        `uri="/profile", algorithm=SHA-256, qop=auth, nc=00000001, cnonce="mine", ` +
        `response="${response}", opaque="${opaque}"`,
    )
  }
}

/** Keys name nobody: here those are known that were good once. */
const byKey =
  (revoked: readonly string[]) =>
  (isKnown: boolean): Asking => {
    const key = revoked[Math.floor(Math.random() * revoked.length)] ?? ''
    const made = `cw_${randomBytes(32).toString('base64url')}`
    return profile(`Api-Key ${isKnown ? key : made}`)
  }

async function revokedKeys(child: Child, token: string): Promise<readonly string[]> {
  const keys: string[] = []
  for (let made = 0; made < people; made += 1) {
    const { id, key } = await send(child, '/api-keys', { name: 'Timing' }, token)
    await fetch(`http://127.0.0.1:${child.port}/api-keys/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    })
    keys.push(String(key))
  }
  return keys
}

async function run(): Promise<void> {
  const directory = makeDirectory('timing')
  const url = values.url ?? `sqlite:${resolve(directory, 'timing.db')}`
  const child = await startServerOver({ url, directory, log: 'server.log' })
  const lines: string[] = []
  for (const mechanism of await mechanismsOf(child, Number(values.rounds))) {
    if (values.only.length > 0 && !values.only.includes(mechanism.name)) continue
    const told = await compare(child, mechanism)
    const micro = (value: number) => `${value.toFixed(0)} µs`
    const [low, high] = told.interval
    lines.push(
      `| ${told.name} | ${told.rounds} | ${micro(told.known)} | ${micro(told.unknown)} | ` +
        `${micro(told.difference)} | ${low.toFixed(0)} to ${high.toFixed(0)} µs |`,
    )
  }
  agent.destroy()
  await child.stop()
  const head = '| by | rounds | known | unknown | known − unknown | 95 % of it between |'
  process.stdout.write(`\n${head}\n| --- | ---: | ---: | ---: | ---: | --- |\n`)
  process.stdout.write(`${lines.join('\n')}\n`)
}

endOnSignals()
await run()
