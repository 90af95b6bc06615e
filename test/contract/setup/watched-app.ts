import assert from 'node:assert/strict'
import { withoutPrefix } from '#http/codec/versions.ts'
import { compileXmlReader } from '#http/codec/xml/reader.ts'
import { unstored } from '#http/declare/policy.ts'
import type { Route } from '#http/declare/route.ts'
import { type OpenApi, statusesOf } from '#http/openapi/document.ts'
import { errorSchema } from '#http/response/problems/schema.ts'
import type { TestCaller, TestResponse } from '#test/support/app.ts'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import { catalogue } from '#values/error-codes.ts'
import { bodyOf, placeOf, tokenOf, writerOf } from './fixtures.ts'
import { createFixtures, type Fixtures } from './scene.ts'

/** A request to come; `payload` goes out as it is, `json` as JSON. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly token?: string | undefined
  readonly json?: unknown
  readonly payload?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request, and holds the answer to what every answer of the API promises. */
export type Ask = (asked: Asked) => Promise<TestResponse>

/** The real application with a scene in it, under watch. */
export interface Watched {
  readonly shop: PayingApp
  readonly routes: readonly Route[]
  /** Where at least five rows are in every list; it is read, not changed. */
  readonly fixtures: Fixtures
  readonly ask: Ask
  /** Another customer than the one of any scene. */
  readonly stranger: TestCaller
  /** A scene for a test to change. */
  readonly freshFixtures: () => Promise<Fixtures>
}

/** Starts the application, sets the scene and watches what is answered. */
export async function startWatched(kind: Parameters<typeof startPayingApp>[0]): Promise<Watched> {
  const shop = await startPayingApp(kind, 5000)
  const admin = await shop.signInAs('admin')
  const fixtures = await createFixtures(shop, admin, 5)
  return {
    shop,
    routes: shop.operations.map(({ route }) => route),
    fixtures,
    ask: watcher(shop),
    stranger: await shop.signInAs('customer'),
    freshFixtures: () => createFixtures(shop, admin),
  }
}

/** Runs a check for every route that is concerned, and tells all that fail at once. */
export async function everyRoute(
  { routes }: Pick<Watched, 'routes'>,
  concerns: (route: Route) => boolean,
  check: (route: Route) => Promise<void>,
): Promise<void> {
  const concerned = routes.filter(concerns)
  assert.ok(concerned.length > 0, 'no route is concerned')
  const broken: string[] = []
  for (const route of concerned) {
    await check(route).catch((error: unknown) => {
      broken.push(`${route.method} ${route.path}: ${(error as Error).message}`)
    })
  }
  assert.ok(broken.length === 0, `${broken.length} broken:\n${broken.join('\n')}`)
}

/** The request that a route's writer makes in a scene, complete and in order. */
export function wellFormed(route: Route, fixtures: Fixtures): Asked {
  const token = tokenOf(fixtures, writerOf(route))
  const asked = { method: route.method, url: placeOf(route, fixtures), token }
  return route.body ? { ...asked, json: bodyOf(route, fixtures) } : asked
}

/** Fails unless the answer is the refusal of this code. */
export function requireCode(answer: TestResponse, code: string, errorContext = ''): void {
  const { status, json, text } = answer
  assert.equal(
    `${status} ${json?.error_code}`,
    `${code.slice(0, 3)} ${code}`,
    `${errorContext} ${text}`,
  )
}

/** Fails unless a refusal names this field. */
export function requireNamed({ json, text }: TestResponse, field: string): void {
  const errors = (json.errors ?? []) as readonly { readonly field: string }[]
  assert.ok(
    errors.some((error) => error.field === field),
    `${field} is not named by ${text}`,
  )
}

function watcher(shop: PayingApp): Ask {
  const document = shop.describe()
  const places = Map.groupBy(
    shop.operations.map(({ route }) => route),
    ({ path }) => path,
  )
  const patterns = [...places].map(([path, routes]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
    routes,
  }))
  return async (asked) => {
    const answer = await inject(shop, asked)
    const [path = ''] = withoutPrefix(asked.url).split('?', 1)
    const method = asked.method === 'HEAD' ? 'GET' : asked.method
    const routes = patterns.find(({ pattern }) => pattern.test(path))?.routes ?? []
    const route = routes.find((each) => each.method === method)
    try {
      judge(asked, answer)
      if (route) judgeByRoute(asked, answer, route, document)
    } catch (error) {
      const sent = asked.payload ?? JSON.stringify(asked.json) ?? ''
      const told = `${asked.method} ${asked.url} ${sent.slice(0, 200)} → ${answer.status}`
      throw new Error(`${told}: ${(error as Error).message} ${answer.text.slice(0, 600)}`)
    }
    return answer
  }
}

async function inject({ app }: PayingApp, asked: Asked): Promise<TestResponse> {
  const { method, url, token, json } = asked
  const payload = asked.payload ?? (json === undefined ? undefined : JSON.stringify(json))
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: {
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...asked.headers,
    },
    ...(payload === undefined ? {} : { payload }),
  })
  const { statusCode: status, payload: text } = response
  const headers = response.headers as Record<string, string>
  return { status, headers, text, json: readBody(text, String(headers['content-type'])) }
}

const readError = compileXmlReader(errorSchema('standard'), 'error', { onlyRoot: true })

/** The value of a body in JSON, and of an error in XML as well. */
function readBody(text: string, type: string) {
  if (text.includes('<error>')) return readError(text)
  return /json/.test(type) && text !== '' ? JSON.parse(text) : undefined
}

/** What holds wherever the request went. */
function judge(
  { method, url, headers: sent = {} }: Asked,
  { status, headers, text, json }: TestResponse,
): void {
  assert.ok(status < 500, 'it failed')
  assert.match(headers['x-request-id'] ?? '', /^[\w.:@/+=-]{1,128}$/)
  assert.ok(!('x-powered-by' in headers || 'server' in headers), 'it tells what it runs on')
  if (status === 204 || status === 304 || method === 'HEAD') assert.equal(text, '')
  if (status < 400) return
  assert.equal(headers['cache-control'], 'no-store')
  if (status === 401) assert.match(headers['www-authenticate'] ?? '', /^\w+ /)
  if (status === 405) assert.match(headers['allow'] ?? '', /OPTIONS/)
  const form = sent['accept'] === 'application/xml' ? 'xml' : 'json'
  assert.equal(headers['content-type'], `application/${form}; charset=utf-8`)
  if (method === 'HEAD') return
  judgeError(json, status)
  // A refusal that is repeated tells of the request that was refused.
  const isRepeated = headers['idempotent-replayed'] === 'true'
  assert.equal(json.request_id === headers['x-request-id'], !isRepeated)
  assert.equal(json.path, url.split('?', 1)[0])
  const leak =
    /node_modules|\.ts\b|\bat \S+ \(|\b(select|insert|update|delete) .*\b(from|into|set)\b|sqlite|postgres|kysely|fastify|constraint/i
  assert.doesNotMatch(text.replace(json.path, ''), leak)
}

function judgeError(error: Readonly<Record<string, unknown>>, status: number): void {
  const { errors, ...rest } = error
  const fields = 'error_code,message,details,timestamp,request_id,path,suggestion'
  assert.equal(Object.keys(rest).join(), fields)
  for (const value of Object.values(rest)) assert.ok(typeof value === 'string' && value !== '')
  const code = rest['error_code'] as keyof typeof catalogue
  assert.equal(catalogue[code]?.status, status)
  assert.match(String(rest['timestamp']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.doesNotMatch(`${rest['details']} ${rest['suggestion']}`, /[{}]|undefined|\[object/)
  if (errors === undefined) return
  assert.ok(Array.isArray(errors) && errors.length > 0)
  for (const each of errors) assert.deepEqual(Object.keys(each), ['field', 'message'])
}

/** What else can be asked for where one is read; an answer that holds it has no validators. */
export function computedIncludesOf({ resource, kind }: Route): readonly string[] {
  return resource.kind === 'document' || resource.kind === 'collection' || kind !== 'read'
    ? []
    : Object.keys(resource.computedIncludes ?? {})
}

/** What holds for the answers of one route. */
function judgeByRoute(
  { method, token, url, headers: sent = {} }: Asked,
  { status, headers }: TestResponse,
  route: Route,
  document: OpenApi,
): void {
  const { access, cache = unstored, path } = route
  const [, include = ''] = /[?&]include=([^&]*)/.exec(url) ?? []
  const isPlain = computedIncludesOf(route).every((name) => !include.split(',').includes(name))
  const described = statusesOf(document, route.method, path)
  assert.ok(described.includes(status), `not described: only ${described.join()} are`)
  if (status >= 400) return
  const isRead = method === 'GET' || method === 'HEAD'
  const isKnown = access.kind !== 'open' && (token ?? sent['authorization']) !== undefined
  const kept = isRead && isPlain ? cache : unstored
  assert.equal(headers['cache-control'], isKnown ? kept.known : kept.anonymous)
  if (access.kind !== 'open') assert.match(headers['vary'] ?? '', /\bAuthorization\b/i)
}
