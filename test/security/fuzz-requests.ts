import fc from 'fast-check'
import type { Route } from '#http/declare/route.ts'
import { xmlRootName } from '#http/response/xml-documents.ts'
import type { Fixtures } from '#test/contract/setup/fixture-ids.ts'
import { resolvePath, validBody } from '#test/contract/setup/valid-requests.ts'
import { toXml } from '#test/support/xml-body.ts'

/** A generated request. */
export interface FuzzRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string | undefined
  /** True if it is sent over a socket. */
  readonly overWire: boolean
}

/** The placeholder for the last ETag of the path. */
export const knownTag = '{tag}'

const oddNames = ['0', '-1', '1.0', '01', '1e3', 'abc', '9'.repeat(23), '%00', '%20', '%', '%FF']
const malformedNames = [
  "1'--",
  '1%2F2',
  '..',
  '%2e%2e',
  '%EF%BC%91',
  'a'.repeat(1001),
  'null',
  '1;2',
]
const names = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...oddNames, ...malformedNames) },
  { weight: 1, arbitrary: fc.nat(30).map(String) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }).map(escaped) },
)

// A URL cannot encode a lone surrogate.
function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

const textValues = [
  '',
  ' ',
  '0',
  '1',
  '-1',
  '1.5',
  '1e9',
  'true',
  'null',
  'kitchen',
  'in_stock',
  'me',
]
const oddTextValues = [
  '%',
  "' or 1=1 --",
  '[]',
  '{}',
  '\u0000',
  '😀',
  'a'.repeat(300),
  '2026-06-01',
]
const texts = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...textValues, ...oddTextValues) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 10 }) },
)

const parameters = ['page', 'limit', 'sort', 'order', 'include', 'cursor', 'version', 'api_key']
const filters = ['category', 'availability', 'buyer', 'sku', 'name', 'price_min', 'price_max', 'q']
const moreFilters = ['role', 'status', 'email', 'age', 'user_id', 'order_id', 'product_id', 'no']
const validValues: Readonly<Record<string, readonly string[]>> = {
  page: ['1', '2', '99'],
  limit: ['1', '100', '101'],
  sort: ['id', 'name', 'price', 'created_at', 'total', 'rating', 'quantity'],
  order: ['asc', 'desc'],
  include: ['reviews', 'related', 'items', 'details', 'payments', 'data', 'items,shipping'],
  version: ['1', '2', '3'],
}
const pair = fc
  .constantFrom(...parameters, ...parameters, ...filters, ...moreFilters)
  .chain((name) =>
    fc
      .oneof(fc.constantFrom(...(validValues[name] ?? textValues)), texts)
      .map((value) => [name, value]),
  )
const query = fc.oneof(
  { weight: 30, arbitrary: fc.constant('') },
  {
    weight: 8,
    arbitrary: fc
      .array(pair, { minLength: 1, maxLength: 3 })
      .map((pairs) => `?${pairs.map(([a = '', b = '']) => `${a}=${escaped(b)}`).join('&')}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('?', '?%', '?&&=', '?a[b]=1', '?page=1&page=2', '?%zz=%'),
  },
)

/** The values of each header field. */
const fields: Readonly<Record<string, readonly string[]>> = {
  accept: [
    ...['*/*', 'application/json', 'application/xml', 'text/html', 'application/problem+json'],
    ...['application/vnd.cartwright.v1+json', 'application/vnd.cartwright.v2+json', ',,;q=,'],
    ...['application/vnd.cartwright.v2+xml', 'application/vnd.cartwright.v9+json', 'x'.repeat(500)],
    ...['application/json; profile="simple-error"', 'application/xml;q=0.1, */*;q=0', '"', ''],
  ],
  'accept-encoding': ['gzip', 'br', 'zstd, deflate', 'identity;q=0', '*;q=0', 'gzip;q=x', ''],
  'accept-language': ['de', 'zh-Hant, fr;q=0.5', '*', 'xx', ';;', 'en;q=2'],
  'if-none-match': [knownTag, knownTag, knownTag, '*', '"1-v1"', 'W/"1-v1x"', '"', '', '"a", "b'],
  'if-match': [knownTag, knownTag, '*', '"1-v1"', '"2-v2m"', 'W/"1-v1"', '', '"'],
  'if-modified-since': ['Mon, 01 Jun 2026 12:00:00 GMT', 'never', '0', ''],
  'if-unmodified-since': ['Mon, 01 Jun 2026 12:00:00 GMT', 'never', ''],
  prefer: ['return=minimal', 'return=representation', 'respond-async, wait=5', 'return="', ''],
  'idempotency-key': ['one', 'two', '"three"', '', '"', 'k'.repeat(256), 'é'],
  'content-type': [
    ...['application/json', 'application/xml', 'application/merge-patch+json', 'text/plain'],
    ...['application/vnd.cartwright.v2+json', 'application/json; charset=latin1', 'x', ';', ''],
  ],
  'content-encoding': ['gzip', 'identity', 'br', 'x'],
  'x-request-id': ['mine', 'a b', 'x'.repeat(200), ''],
  'x-forwarded-for': ['10.0.0.1', 'nobody', ''],
  'x-forwarded-proto': ['https', 'http', 'gopher'],
  origin: ['https://shop.example.com', 'null', ''],
  range: ['bytes=0-5', 'pages=1-'],
  cookie: ['a=b', ''],
}
const field = fc
  .constantFrom(...Object.keys(fields))
  .chain((name) =>
    fc.tuple(
      fc.constant(name),
      fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...(fields[name] ?? [])) },
        { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 30 }) },
      ),
    ),
  )
const headers = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.array(field, { maxLength: 3 }) },
)

const oddValues: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 1.5, 1e21, 2 ** 53, -0, '', ' ', 'x', [], {}, [[]], [null]],
  ...[
    '\u0000',
    '\ud800',
    '😀',
    'a'.repeat(10_000),
    '1',
    'true',
    { amount: '1.00', currency: 'USD' },
  ],
  ...[{ amount: 'x' }, [{ product_id: 1, quantity: 1 }], [{}], { constructor: 1 }],
  ...['tok_visa', 'tok_declined', 'tok_later', 'tok_twice', 'tok_garbage', 'tok_down', 'shipped'],
  ...['paid', 'cancelled', 'admin', 'USD', 'in_stock', 'ada@example.com', 'pickup', 'in_transit'],
]
const oddFields = ['id', '_links', 'role', '__proto__', 'constructor', 'api_key', 'é', '', 'token']
const change = fc.record({
  kind: fc.constantFrom('drop', 'replace', 'replace', 'add', 'nest'),
  at: fc.nat(),
  name: fc.constantFrom(...oddFields),
  value: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...oddValues) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  ),
})

/** Applies changes to a valid body. */
function applyChanges(
  body: object,
  changes: readonly (typeof change extends fc.Arbitrary<infer C> ? C : never)[],
) {
  const copy = structuredClone(body) as Record<string, unknown>
  for (const { kind, at, name, value } of changes) {
    const keys = Object.keys(copy)
    const key = keys[at % keys.length] ?? name
    const inner = copy[key]
    if (kind === 'drop') delete copy[key]
    else if (kind === 'add')
      Object.defineProperty(copy, name, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    else if (kind === 'nest' && typeof inner === 'object' && inner !== null) {
      copy[key] = Array.isArray(inner) ? [...inner, value] : { ...inner, [name]: value }
    } else copy[key] = value
  }
  return copy
}

const garbage = [
  ...['', '{', '[]', 'null', '"text"', '0', '{"a":1}{"b":2}', '\ufeff{}', '{"name":"\\ud800"}'],
  ...['['.repeat(20_000), '{"a":'.repeat(500), '{"__proto__":{"x":1}}', '<a/>', '<a><b></a>'],
  ...['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', `<user>${'<a>'.repeat(500)}`, '\u0000\u0001'],
  ...['<user><name>&#0;</name></user>', '<user xmlns="x"><x:name/></user>', '%', 'a=b&c=d'],
]

const plan = fc.record({
  route: fc.nat(),
  method: fc.oneof(
    { weight: 30, arbitrary: fc.constant(undefined) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
    },
    { weight: 1, arbitrary: fc.constantFrom('TRACE', 'PROPFIND', 'LINK') },
  ),
  odd: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: names }),
  where: fc.nat(),
  prefix: fc.constantFrom(
    ...Array(40).fill(''),
    '/v1',
    '/v2',
    '/v2',
    '/v1',
    '/v2',
    '/v2',
    '/v3',
    '/V1',
    '/',
  ),
  ending: fc.constantFrom(...Array(120).fill(''), '/', '.json', '/no', '#', '//', '/%2e'),
  query,
  headers,
  caller: fc.nat(),
  body: fc.constantFrom(...Array(10).fill('valid'), 'json', 'garbage', 'none'),
  asXml: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
  changes: fc.oneof(fc.constant([]), fc.array(change, { minLength: 1, maxLength: 3 })),
  json: fc.constantFrom(...oddValues),
  garbage: fc.constantFrom(...garbage),
  overWire: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
})
type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never

/** Generates requests to the routes; the same seed yields the same requests. */
export function fuzzRequests(
  routes: readonly Route[],
  fixtures: Fixtures,
  authorizations: readonly (string | undefined)[],
  options: { readonly count: number; readonly seed: number },
): readonly FuzzRequest[] {
  const plans = fc.sample(plan, { numRuns: options.count, seed: options.seed })
  return plans.map((each) => toRequest(each, routes, fixtures, authorizations))
}

function toRequest(
  each: Plan,
  routes: readonly Route[],
  fixtures: Fixtures,
  authorizations: readonly (string | undefined)[],
): FuzzRequest {
  const route = routes[each.route % routes.length] as Route
  const payload = payloadOf(each, route, fixtures)
  const authorization = authorizations[each.caller % authorizations.length]
  const sentHeaders = Object.fromEntries(each.headers)
  const method = each.method ?? route.method
  return {
    // Few deletions, so that most requests find their entity.
    method: method === 'DELETE' && each.where % 8 > 0 ? 'GET' : method,
    url: `${each.prefix}${pathOf(each, route, fixtures)}${each.ending}${each.query}`,
    headers: {
      ...(payload === undefined ? {} : { 'content-type': typeOf(each, route) }),
      ...(authorization === undefined ? {} : { authorization }),
      ...sentHeaders,
    },
    payload,
    overWire: each.overWire,
  }
}

const typeOf = ({ asXml }: Plan, { method }: Route): string =>
  asXml
    ? 'application/xml'
    : method === 'PATCH'
      ? 'application/merge-patch+json'
      : 'application/json'

function pathOf({ odd, where }: Plan, route: Route, fixtures: Fixtures): string {
  const path = resolvePath(route, fixtures)
  const parameters = route.path.split('/').flatMap((step, at) => (step.startsWith(':') ? at : []))
  const at = parameters[where % parameters.length]
  return odd === null || at === undefined ? path : path.split('/').with(at, odd).join('/')
}

function payloadOf(each: Plan, route: Route, fixtures: Fixtures): string | undefined {
  const takesBody = route.body !== undefined
  switch (takesBody ? each.body : each.where % 8 === 0 ? each.body : 'none') {
    case 'valid': {
      const body = applyChanges(takesBody ? validBody(route, fixtures) : {}, each.changes)
      return each.asXml ? toXml(xmlRootName(route), body) : JSON.stringify(body)
    }
    case 'json':
      return each.asXml ? toXml(xmlRootName(route), each.json) : JSON.stringify(each.json)
    case 'garbage':
      return each.garbage
    default:
      return undefined
  }
}
