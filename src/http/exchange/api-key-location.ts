import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { Type } from 'typebox'
import type { Route } from '#http/declare/route.ts'
import { pathOf } from '#http/message/url-path.ts'

/** The name of the query parameter and of the body field that hold an API key. */
export const apiKeyField = 'api_key'

/** The API key in the query; an array if it is sent more than once. */
export const apiKeyInQuery = ({ query }: Pick<FastifyRequest, 'query'>): unknown =>
  (query as Readonly<Record<string, unknown>>)[apiKeyField]

/** Returns a URL without the API key in its query. */
export function withoutApiKey(address: string): string {
  const path = pathOf(address)
  if (path === address) return address
  const parts = address.slice(path.length + 1).split('&')
  const others = parts.filter((part) => !new URLSearchParams(part).has(apiKeyField))
  if (others.length === parts.length) return address
  return others.length === 0 ? path : `${path}?${others.join('&')}`
}

/** True for a route whose bodies may hold the API key of the caller. */
const acceptsBodyApiKey = ({ access, method, upload }: Route): boolean =>
  access.kind !== 'no-authentication' && method !== 'GET' && upload === undefined

/** True for a request whose body, not read yet, may hold an API key; that of QUERY is its query. */
export const mayHoldApiKey = (
  route: Route,
  { headers, method }: Pick<FastifyRequest, 'headers' | 'method'>,
): boolean =>
  (acceptsBodyApiKey(route) || method === 'QUERY') && headers['content-type'] !== undefined

/** Removes the API key from the parsed body and returns it; undefined if the body holds none. */
export function readApiKey(route: Route, request: FastifyRequest): unknown {
  const { body } = request
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, apiKeyField))
    return undefined
  if (!acceptsBodyApiKey(route) || Array.isArray(body)) return undefined
  const { [apiKeyField]: key, ...rest } = body as Readonly<Record<string, unknown>>
  request.body = rest
  request.bodyText = JSON.stringify(rest)
  return key
}

/** The schema by which a route parses XML bodies; undefined if it parses none. */
export function xmlBodyOf(route: Route): TObject | undefined {
  if (!acceptsBodyApiKey(route)) return route.body
  const key = { [apiKeyField]: Type.String() }
  const { body } = route
  if (!body) return Type.Object(key, { additionalProperties: true })
  return { ...body, properties: { ...body.properties, ...key } }
}
