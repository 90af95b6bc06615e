import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { SaxesParser } from 'saxes'
import { createFixtures } from '#test/contract/setup/fixtures.ts'
import type { TestCaller } from '#test/support/app.ts'
import { narrowToken } from '#test/support/callers/narrow-caller.ts'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import { catalogue } from '#values/error-codes.ts'
import { type FuzzRequest, fuzzRequests, knownTag } from './fuzz-requests.ts'

// Other requests in each run, unless FUZZ_SEED names those of another. `npm run fuzz` sends more.
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000)
const wanted = process.env['FUZZ_REQUESTS'] ?? (process.env['CI'] === 'true' ? 50_000 : 5000)
const count = Number(wanted)
const batchSize = 250
const atOnce = 8
// What is made at first use is still among it in a short run; a leak of 1 kB a request is 25 MB in a long one.
const maxHeapGrowth = 20_000_000
const maxReported = 15
// Of the fifty thousand, on a machine that has much else to do.
const timeout = 170_000

interface FuzzResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

describe('whatever is sent', () => {
  let shop: PayingApp
  let agent: Agent
  before(async () => {
    shop = await startPayingApp('memory', 150)
    agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  })
  after(async () => {
    agent.destroy()
    await shop.dispose()
  })

  test(`${count} requests never make the server fail or leak (FUZZ_SEED=${seed})`, {
    timeout,
  }, async (t) => {
    const broken = new Map<string, string>()
    const { port } = shop.app.server.address() as AddressInfo
    const statuses = new Map<number, number>()
    let halfway = 0
    for (let sent = 0; sent < count; sent += batchSize) {
      const bodies = new Map<string, string>()
      const tags = new Map<string, string>()
      const requests = await batch(shop, sent)
      for (let at = 0; at < requests.length; at += atOnce) {
        await Promise.all(
          requests.slice(at, at + atOnce).map(async (drawn) => {
            const [place = ''] = drawn.url.split('?', 1)
            const asked = withTag(drawn, tags.get(place))
            const answer = asked.overWire
              ? await wire(asked, port, agent)
              : await inject(asked, shop)
            if (!answer) return
            if (typeof answer.headers['etag'] === 'string') tags.set(place, answer.headers['etag'])
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
            const complaint = complaintOf(asked, answer, bodies)
            if (complaint === undefined) return
            const { pathname } = new URL(asked.url, 'http://localhost')
            const kind = `${asked.method} ${pathname.replace(/\d+/g, '0').slice(0, 60)} ${complaint}`
            if (!broken.has(kind)) broken.set(kind, tell(asked, answer))
          }),
        )
      }
      if (halfway === 0 && sent >= count / 2) halfway = heapInUse()
    }
    t.diagnostic(
      [...statuses]
        .sort()
        .map(([status, times]) => `${status}: ${times}`)
        .join(', '),
    )
    const told = [...broken].slice(0, maxReported).map(([kind, example]) => `${kind}\n  ${example}`)
    assert.ok(broken.size === 0, `${broken.size} kinds of failure:\n${told.join('\n')}`)
    const grown = heapInUse() - halfway
    t.diagnostic(`the heap has grown by ${Math.round(grown / 1000)} kB in the second half`)
    assert.ok(grown < maxHeapGrowth, `the heap has grown by ${grown} bytes in the second half`)
  })

  async function batch(app: PayingApp, sent: number): Promise<readonly FuzzRequest[]> {
    const admin = await app.signInAs('admin')
    const fixtures = await createFixtures(app, admin)
    const narrow = `Bearer ${await narrowToken(app, fixtures.owner, ['orders:read'])}`
    const token = ({ token: known }: TestCaller) => `Bearer ${known}`
    const known = [
      token(fixtures.owner),
      token(fixtures.owner),
      token(fixtures.owner),
      token(admin),
      token(admin),
    ]
    const unknown = [
      narrow,
      undefined,
      undefined,
      'Bearer x',
      'Basic eDp5',
      'Digest a="',
      'Api-Key k',
      '',
    ]
    // Documents are large, always the same and read nothing of what is sent.
    const routes = app.operations.flatMap(({ route }) =>
      Array<typeof route>(route.resource.kind === 'document' ? 1 : 12).fill(route),
    )
    const how = { count: Math.min(batchSize, count - sent), seed: seed + sent }
    return fuzzRequests(routes, fixtures, [...Array(6).fill(known).flat(), ...unknown], how)
  }
})

/** The request with the ETag that its place had last, where it means to send that. */
function withTag(asked: FuzzRequest, tag = '"none"'): FuzzRequest {
  const entries = Object.entries(asked.headers)
  if (!entries.some(([, value]) => value === knownTag)) return asked
  const headers = entries.map(([name, value]) => [name, value === knownTag ? tag : value])
  return { ...asked, headers: Object.fromEntries(headers) }
}

const tell = ({ method, url, headers, payload }: FuzzRequest, { status, text }: FuzzResponse) =>
  `${method} ${url.slice(0, 200)} ${JSON.stringify(headers).slice(0, 400)} ${(payload ?? '').slice(0, 300)} → ${status} ${text.slice(0, 300)}`

async function inject({ method, url, headers, payload }: FuzzRequest, { app }: PayingApp) {
  const answer = await app.inject({
    method: method as 'GET',
    url,
    headers,
    ...(payload === undefined ? {} : { payload }),
  })
  const { statusCode: status, rawPayload } = answer
  return { status, headers: answer.headers, text: textOf(rawPayload, answer.headers) }
}

const textOf = (body: Buffer, headers: Readonly<Record<string, unknown>>): string =>
  headers['content-encoding'] === undefined ? body.toString() : ''

/** Undefined for what this client refuses to send. */
async function wire(asked: FuzzRequest, port: number, agent: Agent) {
  const { method, url: path, payload } = asked
  const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }
  const headers = { ...asked.headers, ...length }
  let sent: ReturnType<typeof request>
  try {
    sent = request({ host: '127.0.0.1', port, method, path, headers, agent })
  } catch {
    return undefined
  }
  sent.end(payload)
  const [answer] = (await once(sent, 'response').catch((error: Error) => {
    throw new Error(`${error.message}: ${method} ${path} ${JSON.stringify(headers)} ${payload}`)
  })) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const { statusCode: status = 0 } = answer
  return { status, headers: answer.headers, text: textOf(Buffer.concat(chunks), answer.headers) }
}

const failing = /tok_garbage|tok_timeout|tok_down|tok_charged_then|tok_slow/

/** What is wrong with an answer, whatever was asked. */
function complaintOf(
  asked: FuzzRequest,
  answer: FuzzResponse,
  bodies: Map<string, string>,
): string | undefined {
  const { status, headers, text } = answer
  const mayFail = [502, 503, 504].includes(status) && failing.test(asked.payload ?? '')
  if (status >= 500 && !mayFail) return `fails with ${status}`
  if (typeof headers['x-request-id'] !== 'string') return 'has no X-Request-Id'
  const hasNone = asked.method === 'HEAD' || status === 204 || status === 304
  if (hasNone) return text === '' ? undefined : 'has a body'
  if (headers['content-encoding'] !== undefined) return undefined
  const type = String(headers['content-type'])
  if (/json/.test(type) && !isJson(text)) return `is no JSON`
  if (/xml/.test(type) && !isXml(text)) return `is no XML`
  if (status >= 400) return complaintOfError(asked, answer)
  return asked.method === 'GET' ? complaintOfTag(asked, answer, bodies) : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return text === ''
  }
}

function isXml(text: string): boolean {
  try {
    new SaxesParser().write(text).close()
    return true
  } catch {
    return text === ''
  }
}

const labels: ReadonlyMap<string, number> = new Map(
  Object.values(catalogue).map(({ label, status }) => [label, status]),
)
const leak =
  /node_modules|\.ts\b|\bat \S+ \(|\b(select|insert|update|delete) .*\b(from|into|set)\b|sqlite|postgres|kysely|fastify|constraint failed/i

function complaintOfError({ url }: FuzzRequest, { status, text, headers }: FuzzResponse) {
  if (headers['cache-control'] !== 'no-store') return `may be kept: ${headers['cache-control']}`
  const [, code] = /(?:"error_code":"|<error_code>)(\d{4})/.exec(text) ?? []
  const [, label = ''] = /(?:"error":"|<error>)([a-z_]+)/.exec(text) ?? []
  const told =
    code === undefined ? labels.get(label) : catalogue[code as keyof typeof catalogue]?.status
  if (told !== status) return `is ${status} with the code ${code ?? label}`
  const [path = ''] = url.split('?', 1)
  return leak.test(text.replaceAll(path, '')) ? 'tells what it runs on' : undefined
}

/** One address and one tag name one answer. */
function complaintOfTag({ url }: FuzzRequest, answer: FuzzResponse, bodies: Map<string, string>) {
  const { headers, text } = answer
  if (headers['etag'] === undefined) return undefined
  const name = `${url} ${headers['etag']}`
  const body = hash('sha1', text)
  const before = bodies.get(name) ?? body
  bodies.set(name, body)
  return before === body ? undefined : 'has the tag of another answer'
}

/** What the heap holds once what nobody needs has been swept out. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  const sweep = runInNewContext('gc') as () => void
  sweep()
  sweep()
  return process.memoryUsage().heapUsed
}
