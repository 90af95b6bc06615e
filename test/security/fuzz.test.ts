import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { SaxesParser } from 'saxes'
import { errorCatalogue } from '#i18n/error-codes.ts'
import { createFixtures } from '#test/contract/setup/fixtures.ts'
import type { TestCaller } from '#test/support/app.ts'
import { scopedToken } from '#test/support/callers/narrow-caller.ts'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import { type FuzzRequest, fuzzRequests, knownTag } from './fuzz-requests.ts'

// Each run sends other requests; FUZZ_SEED repeats a run. `npm run fuzz` sends more.
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000)
const configuredCount =
  process.env['FUZZ_REQUESTS'] ?? (process.env['CI'] === 'true' ? 15_000 : 3000)
const count = Number(configuredCount)
const batchSize = 250
const concurrency = 8
// A short run includes lazy initialization; a leak of 1 kB per request is 25 MB in a long run.
const maxHeapGrowth = 20_000_000
const maxReported = 15

interface FuzzResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

describe('fuzzing', () => {
  let shop: PayingApp
  let agent: Agent
  before(async () => {
    shop = await startPayingApp('memory', 150)
    agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  })
  after(async () => {
    agent.destroy()
    await shop.dispose()
  })

  test(`${count} requests cause no server error and no memory leak (FUZZ_SEED=${seed})`, async (t) => {
    const failures = new Map<string, string>()
    const { port } = shop.app.server.address() as AddressInfo
    const statuses = new Map<number, number>()
    let halfway = 0
    for (let sent = 0; sent < count; sent += batchSize) {
      const bodies = new Map<string, string>()
      const tags = new Map<string, string>()
      const requests = await createBatch(shop, sent)
      for (let at = 0; at < requests.length; at += concurrency) {
        await Promise.all(
          requests.slice(at, at + concurrency).map(async (template) => {
            const [path = ''] = template.url.split('?', 1)
            const spec = withTag(template, tags.get(path))
            const answer = spec.overWire
              ? await sendOverSocket(spec, port, agent)
              : await inject(spec, shop)
            if (!answer) return
            if (typeof answer.headers['etag'] === 'string') tags.set(path, answer.headers['etag'])
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
            const failure = failureOf(spec, answer, bodies)
            if (failure === undefined) return
            const { pathname } = new URL(spec.url, 'http://localhost')
            const kind = `${spec.method} ${pathname.replace(/\d+/g, '0').slice(0, 60)} ${failure}`
            if (!failures.has(kind)) failures.set(kind, describeExchange(spec, answer))
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
    const examples = [...failures]
      .slice(0, maxReported)
      .map(([kind, example]) => `${kind}\n  ${example}`)
    assert.ok(failures.size === 0, `${failures.size} kinds of failure:\n${examples.join('\n')}`)
    const grown = heapInUse() - halfway
    t.diagnostic(`the heap has grown by ${Math.round(grown / 1000)} kB in the second half`)
    assert.ok(grown < maxHeapGrowth, `the heap has grown by ${grown} bytes in the second half`)
  })

  async function createBatch(app: PayingApp, sent: number): Promise<readonly FuzzRequest[]> {
    const admin = await app.signInAs('admin')
    const fixtures = await createFixtures(app, admin)
    const narrow = `Bearer ${await scopedToken(app, fixtures.owner, ['orders:read'])}`
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
    // Documents are large and constant, so they are drawn rarely.
    const routes = app.operations.flatMap(({ route }) =>
      Array<typeof route>(route.resource.kind === 'document' ? 1 : 12).fill(route),
    )
    const how = { count: Math.min(batchSize, count - sent), seed: seed + sent }
    return fuzzRequests(routes, fixtures, [...Array(6).fill(known).flat(), ...unknown], how)
  }
})

/** Replaces the placeholder in conditional headers by the last ETag of the path. */
function withTag(spec: FuzzRequest, tag = '"none"'): FuzzRequest {
  const entries = Object.entries(spec.headers)
  if (!entries.some(([, value]) => value === knownTag)) return spec
  const headers = entries.map(([name, value]) => [name, value === knownTag ? tag : value])
  return { ...spec, headers: Object.fromEntries(headers) }
}

const describeExchange = (
  { method, url, headers, payload }: FuzzRequest,
  { status, text }: FuzzResponse,
) =>
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

/** Sends a request over a socket; undefined if the client rejects to send it. */
async function sendOverSocket(spec: FuzzRequest, port: number, agent: Agent) {
  const { method, url: path, payload } = spec
  const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }
  const headers = { ...spec.headers, ...length }
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

const failingCards = /tok_garbage|tok_timeout|tok_down|tok_charged_then|tok_slow/

/** Describes what is wrong with a response; undefined if nothing is. */
function failureOf(
  spec: FuzzRequest,
  answer: FuzzResponse,
  bodies: Map<string, string>,
): string | undefined {
  const { status, headers, text } = answer
  const mayFail = [502, 503, 504].includes(status) && failingCards.test(spec.payload ?? '')
  if (status >= 500 && !mayFail) return `fails with ${status}`
  if (typeof headers['x-request-id'] !== 'string') return 'has no X-Request-Id'
  const isBodiless = spec.method === 'HEAD' || status === 204 || status === 304
  if (isBodiless) return text === '' ? undefined : 'has a body'
  if (headers['content-encoding'] !== undefined) return undefined
  const type = String(headers['content-type'])
  if (/json/.test(type) && !isJson(text)) return `is not JSON`
  if (/xml/.test(type) && !isXml(text)) return `is not XML`
  if (status >= 400) return errorFailure(spec, answer)
  return spec.method === 'GET' ? etagFailure(spec, answer, bodies) : undefined
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
  Object.values(errorCatalogue).map(({ label, status }) => [label, status]),
)
const leak =
  /node_modules|\.ts\b|\bat \S+ \(|\b(select|insert|update|delete) .*\b(from|into|set)\b|sqlite|postgres|kysely|fastify|constraint failed/i

function errorFailure({ url }: FuzzRequest, { status, text, headers }: FuzzResponse) {
  if (headers['cache-control'] !== 'no-store') return `may be stored: ${headers['cache-control']}`
  const [, code] = /(?:"error_code":"|<error_code>)(\d{4})/.exec(text) ?? []
  const [, label = ''] = /(?:"error":"|<error>)([a-z_]+)/.exec(text) ?? []
  const expectedStatus =
    code === undefined
      ? labels.get(label)
      : errorCatalogue[code as keyof typeof errorCatalogue]?.status
  if (expectedStatus !== status) return `is ${status} with the code ${code ?? label}`
  const [path = ''] = url.split('?', 1)
  return leak.test(text.replaceAll(path, '')) ? 'names its software' : undefined
}

/** Checks that one URL and one ETag name one body. */
function etagFailure({ url }: FuzzRequest, answer: FuzzResponse, bodies: Map<string, string>) {
  const { headers, text } = answer
  if (headers['etag'] === undefined) return undefined
  const name = `${url} ${headers['etag']}`
  const body = hash('sha1', text)
  const before = bodies.get(name) ?? body
  bodies.set(name, body)
  return before === body ? undefined : 'has the ETag of another body'
}

/** The heap in use after a garbage collection, in bytes. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  collectGarbage()
  collectGarbage()
  return process.memoryUsage().heapUsed
}
