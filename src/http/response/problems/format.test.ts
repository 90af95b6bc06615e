import assert from 'node:assert/strict'
import { test } from 'node:test'
import { negotiateErrorFormat } from './format.ts'

const charset = '; charset=utf-8'
const simple = '; profile="simple-error"'
const problem = 'application/problem+json'

/** The media type and shape of an error for each Accept. */
const cases: readonly (readonly [accept: string | undefined, type: string, shape?: string])[] = [
  [undefined, `application/json${charset}`],
  ['*/*', `application/json${charset}`],
  ['application/json', `application/json${charset}`],
  ['text/html', `application/json${charset}`],
  [
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8',
    `application/json${charset}`,
  ],
  ['application/xml', `application/xml${charset}`],
  ['application/vnd.cartwright.v2+xml', `application/vnd.cartwright.v2+xml${charset}`],
  [problem, problem, 'problem'],
  ['application/problem+xml', 'application/problem+xml', 'problem'],
  [`application/json, ${problem}`, problem, 'problem'],
  [`${problem}, application/json`, problem, 'problem'],
  [`${problem}, */*`, problem, 'problem'],
  [`${problem};q=0.5, application/json`, `application/json${charset}`],
  [`${problem};q=0.9, application/json;q=0.8`, problem, 'problem'],
  [`${problem};q=0`, `application/json${charset}`],
  [`application/xml, ${problem}`, problem, 'problem'],
  [`application/json${simple}`, `application/json${charset}${simple}`, 'simple'],
  ['application/json;PROFILE=simple-error', `application/json${charset}${simple}`, 'simple'],
  [`application/xml${simple}`, `application/xml${charset}${simple}`, 'simple'],
  [
    `application/vnd.cartwright.v1+json${simple}`,
    `application/vnd.cartwright.v1+json${charset}${simple}`,
    'simple',
  ],
  [`application/json, application/json${simple}`, `application/json${charset}${simple}`, 'simple'],
  [`application/json, application/json${simple};q=0.5`, `application/json${charset}`],
  [`application/json${simple};q=0, application/json`, `application/json${charset}`],
  ['application/json; profile="other"', `application/json${charset}`],
]
for (const [accept, type, shape] of cases) {
  test(`an error for Accept ${accept ?? '(absent)'} is ${type}`, () => {
    const format = negotiateErrorFormat(accept)
    assert.equal(format.contentType, type)
    assert.equal(format.shape, shape)
  })
}
