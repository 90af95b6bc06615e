import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { Type } from 'typebox'
import type { Route } from '#http/declare/route.ts'

/** The name of an API key, as a parameter of the query and as a field of a body. */
export const keyName = 'api_key'

/** The API key in a query: undefined for none, a list where it is there more than once. */
export const keyInQuery = ({ query }: Pick<FastifyRequest, 'query'>): unknown =>
  (query as Readonly<Record<string, unknown>>)[keyName]

/** An address without the API key in its query, so that it can be told and compared. */
export function withoutKey(address: string): string {
  const at = address.indexOf('?')
  if (at < 0) return address
  const path = address.slice(0, at)
  const parts = address.slice(at + 1).split('&')
  const kept = parts.filter((part) => !new URLSearchParams(part).has(keyName))
  if (kept.length === parts.length) return address
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`
}

/** True for a route on which a body may hold the API key of whoever sends it. */
const looksAtKeys = ({ access, method }: Route): boolean =>
  access.kind !== 'open' && method !== 'GET'

/** True for a request whose body is still to be read and may hold an API key. */
export const mayHoldKey = (route: Route, { headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  looksAtKeys(route) && headers['content-type'] !== undefined

/**
 * Takes the API key out of a body that has been read, so that nothing further in ever sees it;
 * undefined where it holds none.
 */
export function readApiKey(route: Route, request: FastifyRequest): unknown {
  const { body } = request
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, keyName)) return undefined
  if (!looksAtKeys(route) || Array.isArray(body)) return undefined
  const { [keyName]: key, ...rest } = body as Readonly<Record<string, unknown>>
  request.body = rest
  request.bodyText = JSON.stringify(rest)
  return key
}

/** The shape by which a route reads bodies in XML; undefined where it has no use for one. */
export function xmlBodyOf(route: Route): TObject | undefined {
  if (!looksAtKeys(route)) return route.body
  const key = { [keyName]: Type.String() }
  const { body } = route
  if (!body) return Type.Object(key, { additionalProperties: true })
  return { ...body, properties: { ...body.properties, ...key } }
}
