import assert from 'node:assert/strict'
import { test } from 'node:test'
import { negotiateMediaType, readMediaType } from './media-type.ts'

const v1 = 'application/vnd.cartwright.v1+json'
const v2 = 'application/vnd.cartwright.v2+json'

const cases: readonly (readonly [accept: string, chosen: string | undefined])[] = [
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['application/json', 'application/json'],
  ['APPLICATION/JSON; charset=utf-8', 'application/json'],
  ['application/xml', 'application/xml'],
  ['application/xml, application/json', 'application/json'],
  ['application/xml, */*', 'application/xml'],
  ['application/xml;q=0.4, application/json;q=0.5', 'application/json'],
  ['application/json;q=0, */*', 'application/xml'],
  ['application/json;q=0', undefined],
  ['*/*;q=0', undefined],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/xml'],
  ['text/html', undefined],
  ['text/xml', undefined],
  [v2, v2],
  [`${v2}, application/json`, v2],
  [`${v2};q=0.5, application/json`, 'application/json'],
  [`${v1}, ${v2};q=0.9`, v1],
  ['application/vnd.cartwright.v2+xml', 'application/vnd.cartwright.v2+xml'],
  ['application/vnd.cartwright.v9+json', undefined],
  ['application/vnd.cartwright.v9+json, */*;q=0.1', 'application/json'],
  ['application/json; profile="simple-error"', 'application/json'],
  ['application/json; profile="a,b;q=0"', 'application/json'],
  ['application/problem+json', 'application/json'],
  ['application/problem+json, application/xml', 'application/xml'],
  ['application/problem+json, application/json;q=0', undefined],
]

for (const [accept, chosen] of cases) {
  test(`Accept "${accept}" selects ${chosen ?? 'nothing'}`, () => {
    assert.equal(negotiateMediaType(accept)?.contentType, chosen && `${chosen}; charset=utf-8`)
  })
}

test('a very long Accept is parsed', () => {
  assert.equal(negotiateMediaType('"\\'.repeat(8_000)), undefined)
  assert.equal(negotiateMediaType(','.repeat(16_000))?.format, 'json')
})

test('a media type is parsed with its parameters', () => {
  const { type, parameters } = readMediaType('Application/XML ; Charset="UTF-8"; x')
  assert.equal(type, 'application/xml')
  assert.equal(parameters.get('charset'), 'UTF-8')
})
