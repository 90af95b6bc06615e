import { gzipSync } from 'node:zlib'
import { maxRequestTargetLength } from '#http/message/request-validity.ts'
import { type RawRoute, rawBodyLimitBytes } from '#http/server/raw-routes.ts'
import { largestHeaders } from './headers.ts'
import type { LargestRequest } from './requests.ts'

/** The media types of bodies of OAuth, and one that none has. */
const types = ['application/x-www-form-urlencoded', 'application/json', 'multipart/form-data']

const repeatTo = (length: number, unit: string): string =>
  unit.repeat(Math.floor(length / unit.length))

/** Texts as long as a query or a form may be. */
const texts = (length: number): Readonly<Record<string, string>> => ({
  'one field': `username=${'a'.repeat(length - 9)}`,
  'one field of escapes': `client_id=${repeatTo(length - 10, '%F0%9F%AB%96')}`,
  'many fields': repeatTo(length, 'a=1&'),
  'nested fields': `a${repeatTo(length - 3, '[a]')}=1`,
  separators: '&'.repeat(length),
  brackets: '['.repeat(length),
  scopes: `scope=${repeatTo(length - 6, 'openid+')}`,
})

/** Returns the largest requests to an endpoint outside the declared routes. */
export function* largestRawRequests({ method, path }: RawRoute): Generator<LargestRequest> {
  const url = path.replace(/:\w+|\*/g, 'a')
  yield { name: 'plain', method, url, headers: {} }
  for (const [name, query] of Object.entries(texts(maxRequestTargetLength - url.length - 1))) {
    yield { name: `${name} in the query`, method, url: `${url}?${query}`, headers: {} }
  }
  for (const [name, values] of Object.entries(largestHeaders)) {
    for (const [at, value] of values.entries()) {
      yield {
        name: `largest ${name}, ${at + 1}`,
        method,
        url,
        headers: { [name]: value },
        isOneOfMany: true,
      }
    }
  }
  if (method === 'GET') return
  for (const type of types) {
    for (const [name, text] of Object.entries(texts(rawBodyLimitBytes))) {
      const headers = { 'content-type': type, 'content-encoding': 'gzip' }
      yield { name: `${name} as ${type}`, method, url, headers, payload: () => gzipSync(text) }
    }
  }
}
