import { gzipSync } from 'node:zlib'
import type { Route } from '#http/declare/route.ts'
import { queryType } from '#http/message/media-type.ts'
import { acceptsQuery } from '#http/server/body/query-method.ts'
import type { Fixtures } from '#test/contract/setup/fixture-ids.ts'
import {
  permittedCaller,
  resolvePath,
  tokenOf,
  validBody,
} from '#test/contract/setup/valid-requests.ts'
import { hostileBodies, largestBodies, type NamedBody } from './bodies.ts'
import { largestHeaders } from './headers.ts'
import { largestQueries, type QueryParts } from './queries.ts'
import { largestUploads } from './uploads.ts'
import type { ValueParts } from './values.ts'

/** A request that is as large as it may be. */
export interface LargestRequest {
  /** What is large in it. */
  readonly name: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: () => string | Buffer
  /** True for one of many that are alike at all routes, of which a test may take a share. */
  readonly isOneOfMany?: boolean
}

/** What the requests to a route are made of. */
export interface RequestParts extends QueryParts {
  readonly fixtures: Fixtures
  readonly ids: ValueParts['ids']
}

/** Returns the largest requests to a route, by the strongest caller and without credentials. */
export function* largestRequests(route: Route, parts: RequestParts): Generator<LargestRequest> {
  const url = resolvePath(route, parts.fixtures)
  const { method } = route
  const authorization = authorizationFor(route, parts.fixtures)
  const signedIn = authorization === undefined ? {} : { authorization }
  const target = { method, url, headers: signedIn }
  if (method === 'GET') yield* reads(route, target, parts)
  if (route.upload) {
    for (const { name, query, type, payload } of largestUploads(route)) {
      yield {
        ...target,
        name,
        url: url + query,
        payload: () => payload,
        headers: { ...signedIn, 'content-type': type },
        isOneOfMany: true,
      }
    }
  }
  if (!route.body) return
  const example = validBody(route, parts.fixtures)
  const largest = largestBodies(route, { ids: parts.ids, example })
  const hostile = hostileBodies(route)
  for (const body of hostile) yield { ...withBody(target, body), isOneOfMany: true }
  for (const body of largest) yield withBody(target, body)
  const [first] = largest
  if (!first) return
  yield { ...withBody({ ...target, headers: {} }, first), name: 'largest, by a stranger' }
}

/** The credential of the strongest caller that may use a route. */
function authorizationFor(route: Route, fixtures: Fixtures): string | undefined {
  // What one does to oneself is done by the customer: the administrator is needed to the end.
  const caller = route.method === 'GET' ? 'admin' : permittedCaller(route)
  const token = tokenOf(fixtures, route.access.kind === 'no-authentication' ? 'anonymous' : caller)
  return token && `Bearer ${token}`
}

type Target = Pick<LargestRequest, 'method' | 'url' | 'headers'>

function* reads(route: Route, target: Target, parts: RequestParts): Generator<LargestRequest> {
  yield { ...target, name: 'plain' }
  const compressed = { ...target.headers, 'accept-encoding': 'gzip' }
  for (const { name, query, isBody, isOneOfMany = false } of largestQueries(route, parts)) {
    if (isBody) {
      const headers = { ...target.headers, 'content-type': queryType }
      yield { ...target, method: 'QUERY', name, headers, payload: () => query }
    } else yield { ...target, name, url: `${target.url}?${query}`, isOneOfMany }
    if (!/^(all includes|largest page( with all includes)?)$/.test(name)) continue
    const url = `${target.url}?${query}`
    yield {
      ...target,
      name: `${name}, in XML`,
      url,
      headers: { ...compressed, accept: 'application/xml' },
    }
    yield { ...target, name: `${name}, by a stranger`, url, headers: {} }
  }
  if (acceptsQuery(route)) {
    for (const accept of ['text/csv', 'application/x-ndjson']) {
      yield { ...target, name: `export in ${accept}`, headers: { ...target.headers, accept } }
    }
  }
  for (const [name, values] of Object.entries(largestHeaders)) {
    for (const [at, value] of values.entries()) {
      yield {
        ...target,
        name: `largest ${name}, ${at + 1}`,
        headers: { ...target.headers, [name]: value },
        isOneOfMany: true,
      }
    }
  }
}

/** Sends a body; the largest one and those in XML are compressed, so that both ways are taken. */
function withBody(target: Target, { name, type, payload }: NamedBody): LargestRequest {
  const what = `${name}, ${type.slice('application/'.length)}`
  const headers = { ...target.headers, 'content-type': type }
  if (type === 'application/json' && name !== 'largest') {
    return { ...target, name: what, headers, payload }
  }
  return {
    ...target,
    name: `${what}, compressed`,
    headers: { ...headers, 'content-encoding': 'gzip' },
    payload: () => gzipSync(payload(), { level: 1 }),
  }
}
