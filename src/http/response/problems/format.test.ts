import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorForm } from './format.ts'

const charset = '; charset=utf-8'
const simple = '; profile="simple-error"'
const problem = 'application/problem+json'

/** What is accepted, and the media type and shape of an error then. */
const requestedLines: readonly (readonly [
  accept: string | undefined,
  type: string,
  shape?: string,
])[] = [
  [undefined, `application/json${charset}`],
  ['*/*', `application/json${charset}`],
  ['application/json', `application/json${charset}`],
  ['text/html', `application/json${charset}`],
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
for (const [accept, type, shape] of requestedLines) {
  test(`an error for who accepts ${accept ?? 'anything'} is ${type}`, () => {
    const form = errorForm(accept)
    assert.equal(form.contentType, type)
    assert.equal(form.shape, shape)
  })
}
