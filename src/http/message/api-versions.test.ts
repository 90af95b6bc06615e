import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefixOf, withoutPrefix } from './api-versions.ts'

const addresses: readonly (readonly [url: string, prefix: string, rest: string])[] = [
  ['/', '', '/'],
  ['/products', '', '/products'],
  ['/v1/products?page=2', '/v1', '/products?page=2'],
  ['/v2', '/v2', '/'],
  ['/v2/', '/v2', '/'],
  ['/v2?version=2', '/v2', '/?version=2'],
  ['/v3/products', '', '/v3/products'],
  ['/v10/products', '', '/v10/products'],
  ['/v1products', '', '/v1products'],
  ['/v1/v2/products', '/v1', '/v2/products'],
]

for (const [url, prefix, rest] of addresses) {
  test(`${url} ${prefix === '' ? 'names no version' : `names ${prefix}`}`, () => {
    assert.equal(prefixOf(url), prefix)
    assert.equal(withoutPrefix(url), rest)
  })
}
