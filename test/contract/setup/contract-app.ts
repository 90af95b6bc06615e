import assert from 'node:assert/strict'
import { compileXmlReader } from '#http/codec/xml/reader.ts'
import { noStore } from '#http/declare/policy.ts'
import type { Route } from '#http/declare/route.ts'
import { withoutPrefix } from '#http/message/api-versions.ts'
import { csvType, ndjsonType } from '#http/message/media-type.ts'
import { documentedStatuses } from '#http/openapi/document.ts'
import { errorSchema } from '#http/response/problems/schema.ts'
import { errorCatalogue } from '#i18n/error-codes.ts'
import type { TestCaller, TestOptions, TestResponse } from '#test/support/app.ts'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import type { Fixtures } from './fixture-ids.ts'
import { createFixtures } from './fixtures.ts'
import { permittedCaller, resolvePath, tokenOf, validBody, validUpload } from './valid-requests.ts'

/** A request to send; `payload` is sent unchanged, `json` as JSON. */
export interface RequestSpec {
  readonly method: string
  readonly url: string
  readonly token?: string | undefined
  readonly json?: unknown
  readonly payload?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request and asserts the guarantees of every response. */
export type SendRequest = (spec: RequestSpec) => Promise<TestResponse>

/** The real application with fixtures; every response to `send` is checked. */
export interface ContractApp {
  readonly shop: PayingApp
  readonly routes: readonly Route[]
  /** At least five rows in every list. Tests read them and do not change them. */
  readonly fixtures: Fixtures
  readonly send: SendRequest
  /** A customer who owns none of the fixtures. */
  readonly stranger: TestCaller
  /** Creates fixtures that a test may change: all, or what a request to one route needs. */
  readonly freshFixtures: (route?: Route) => Promise<Fixtures>
}

/** Starts the application, on an existing database if one is given, and creates its fixtures. */
export async function startContractApp(
  kind: Parameters<typeof startPayingApp>[0],
  options: Pick<TestOptions, 'temporary'> = {},
): Promise<ContractApp> {
  const shop = await startPayingApp(kind, 5000, options)
  const admin = await shop.signInAs('admin')
  const fixtures = await createFixtures(shop, admin, { rowCount: 5 })
  const routes = shop.operations.map(({ route }) => route)
  return {
    shop,
    routes,
    fixtures,
    send: createSend(shop),
    stranger: await shop.signInAs('customer'),
    freshFixtures: (route) =>
      createFixtures(shop, admin, { needed: route && neededBy(route, routes, fixtures) }),
  }
}

/** Routes whose requests concern all that a user has. */
const ofUsers = /^\/users\/:id$|^\/user\//

/**
 * The fixtures that requests to a path and to those below it need, so that a product, for example, has
 * images and reviews; undefined for all.
 */
function neededBy(
  { path }: Route,
  routes: readonly Route[],
  fixtures: Fixtures,
): ReadonlySet<keyof Fixtures> | undefined {
  if (ofUsers.test(path)) return undefined
  const names = new Set<keyof Fixtures>()
  const recorder = new Proxy(fixtures, {
    get(target, name) {
      names.add(name as keyof Fixtures)
      return Reflect.get(target, name)
    },
  })
  // `/cart` is short for the cart of the caller.
  const paths = path === '/cart' ? [path, '/users/:id/cart'] : [path]
  for (const each of routes) {
    if (paths.some((start) => `${each.path}/`.startsWith(`${start}/`))) validRequest(each, recorder)
  }
  return names
}

/** Runs a check for every matching route; throws one error that lists all failures. */
export async function forEachRoute(
  { routes }: Pick<ContractApp, 'routes'>,
  matches: (route: Route) => boolean,
  check: (route: Route) => Promise<void>,
): Promise<void> {
  const matching = routes.filter(matches)
  assert.ok(matching.length > 0, 'no route matches')
  const failures: string[] = []
  for (const route of matching) {
    await check(route).catch((error: unknown) => {
      failures.push(`${route.method} ${route.path}: ${(error as Error).message}`)
    })
  }
  assert.ok(failures.length === 0, `${failures.length} failed:\n${failures.join('\n')}`)
}

/** A complete and valid request to a route by its permitted caller. */
export function validRequest(route: Route, fixtures: Fixtures): RequestSpec {
  const token = tokenOf(fixtures, permittedCaller(route))
  const spec = { method: route.method, url: resolvePath(route, fixtures), token }
  if (route.upload) {
    const { query, type, payload } = validUpload(route)
    return { ...spec, url: spec.url + query, payload, headers: { 'content-type': type } }
  }
  return route.body ? { ...spec, json: validBody(route, fixtures) } : spec
}

/** The URL at which the entity is read that requests to `url` change. */
export const readUrl = (url: string): string => url.replace(/(\/cart)\/discount$/, '$1')

/** Asserts that the response is the error with this code. */
export function assertErrorCode(response: TestResponse, code: string, errorContext = ''): void {
  const { status, json, text } = response
  assert.equal(
    `${status} ${json?.error_code}`,
    `${code.slice(0, 3)} ${code}`,
    `${errorContext} ${text}`,
  )
}

/** Asserts that the errors of a response name this field. */
export function assertFieldError({ json, text }: TestResponse, field: string): void {
  const errors = (json.errors ?? []) as readonly { readonly field: string }[]
  assert.ok(
    errors.some((error) => error.field === field),
    `${field} is not named by ${text}`,
  )
}

function createSend(shop: PayingApp): SendRequest {
  const document = shop.describe()
  const statuses = new Map<Route, readonly number[]>()
  const statusesOf = (route: Route): readonly number[] => {
    const known = statuses.get(route) ?? documentedStatuses(document, route.method, route.path)
    statuses.set(route, known)
    return known
  }
  const routesByPath = Map.groupBy(
    shop.operations.map(({ route }) => route),
    ({ path }) => path,
  )
  const patterns = [...routesByPath].map(([path, routes]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
    routes,
  }))
  return async (spec) => {
    const response = await inject(shop, spec)
    const [path = ''] = withoutPrefix(spec.url).split('?', 1)
    const method = spec.method === 'HEAD' ? 'GET' : spec.method
    const routes = patterns.find(({ pattern }) => pattern.test(path))?.routes ?? []
    const route = routes.find((each) => each.method === method)
    try {
      checkResponse(spec, response)
      if (route) checkByRoute(spec, response, route, statusesOf)
    } catch (error) {
      const body = spec.payload?.toString() ?? JSON.stringify(spec.json) ?? ''
      const summary = `${spec.method} ${spec.url} ${body.slice(0, 200)} → ${response.status}`
      throw new Error(`${summary}: ${(error as Error).message} ${response.text.slice(0, 600)}`)
    }
    return response
  }
}

async function inject({ app }: PayingApp, spec: RequestSpec): Promise<TestResponse> {
  const { method, url, token, json } = spec
  const payload = spec.payload ?? (json === undefined ? undefined : JSON.stringify(json))
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: {
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...spec.headers,
    },
    ...(payload === undefined ? {} : { payload }),
  })
  const { statusCode: status, payload: text } = response
  const headers = response.headers as Record<string, string>
  return { status, headers, text, json: readBody(text, String(headers['content-type'])) }
}

const readError = compileXmlReader(errorSchema('standard'), 'error', { onlyRoot: true })

/** Parses a JSON body, or an error in XML. */
function readBody(text: string, type: string) {
  if (/^(<\?xml[^>]*>)?\s*<error>/.test(text)) return readError(text)
  return /\bjson/.test(type) && text !== '' ? JSON.parse(text) : undefined
}

/** Asserts what holds for every response. */
function checkResponse(
  { method, url, headers: sent = {} }: RequestSpec,
  { status, headers, text, json }: TestResponse,
): void {
  assert.ok(status < 500, 'the server failed')
  assert.match(headers['x-request-id'] ?? '', /^[\w.:@/+=-]{1,128}$/)
  assert.ok(!('x-powered-by' in headers || 'server' in headers), 'the response names its software')
  if (status === 204 || status === 304 || method === 'HEAD') assert.equal(text, '')
  if (status < 400) return
  assert.equal(headers['cache-control'], 'no-store')
  if (status === 401) assert.match(headers['www-authenticate'] ?? '', /^\w+ /)
  if (status === 405) assert.match(headers['allow'] ?? '', /OPTIONS/)
  const form = sent['accept'] === 'application/xml' ? 'xml' : 'json'
  assert.equal(headers['content-type'], `application/${form}; charset=utf-8`)
  if (method === 'HEAD') return
  checkError(json, status)
  // A replayed error keeps the request ID of the first response.
  const isReplayed = headers['idempotent-replayed'] === 'true'
  assert.equal(json.request_id === headers['x-request-id'], !isReplayed)
  assert.equal(json.path, url.split('?', 1)[0])
  const leak =
    /node_modules|\.ts\b|\bat \S+ \(|\b(select|insert|update|delete) .*\b(from|into|set)\b|sqlite|postgres|kysely|fastify|constraint/i
  assert.doesNotMatch(text.replace(json.path, ''), leak)
}

function checkError(error: Readonly<Record<string, unknown>>, status: number): void {
  const { errors, ...rest } = error
  const fields = 'error_code,message,details,timestamp,request_id,path,suggestion'
  assert.equal(Object.keys(rest).join(), fields)
  for (const value of Object.values(rest)) assert.ok(typeof value === 'string' && value !== '')
  const code = rest['error_code'] as keyof typeof errorCatalogue
  assert.equal(errorCatalogue[code]?.status, status)
  assert.match(String(rest['timestamp']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.doesNotMatch(`${rest['details']} ${rest['suggestion']}`, /[{}]|undefined|\[object/)
  if (errors === undefined) return
  assert.ok(Array.isArray(errors) && errors.length > 0)
  for (const each of errors) assert.deepEqual(Object.keys(each), ['field', 'message'])
}

/** The computed includes of a read; a response with one of them has no validators. */
export function computedIncludesOf({ resource, kind }: Route): readonly string[] {
  return resource.kind === 'document' || resource.kind === 'collection' || kind !== 'read'
    ? []
    : Object.keys(resource.computedIncludes ?? {})
}

/** The media types of a whole collection. */
export const exportTypes: readonly string[] = [ndjsonType, csvType]

/** Asserts what the declaration of a route promises. */
function checkByRoute(
  { method, token, url, headers: sent = {} }: RequestSpec,
  { status, headers }: TestResponse,
  route: Route,
  statusesOf: (route: Route) => readonly number[],
): void {
  const { access, cache = noStore } = route
  const [, include = ''] = /[?&]include=([^&]*)/.exec(url) ?? []
  const isPlain = computedIncludesOf(route).every((name) => !include.split(',').includes(name))
  const described = statusesOf(route)
  assert.ok(
    described.includes(status),
    `the status is not in the OpenAPI document, which has ${described.join()}`,
  )
  if (status >= 400) return
  const isRead = method === 'GET' || method === 'HEAD'
  const isAuthenticated =
    access.kind !== 'no-authentication' && (token ?? sent['authorization']) !== undefined
  const policy = isRead && isPlain ? cache : noStore
  const isPrivate = isAuthenticated || exportTypes.includes(sent['accept'] ?? '')
  assert.equal(headers['cache-control'], isPrivate ? policy.authenticated : policy.anonymous)
  if (access.kind !== 'no-authentication') assert.match(headers['vary'] ?? '', /\bAuthorization\b/i)
}
