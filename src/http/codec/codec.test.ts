import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import { DateTime, Id, Money, nullable, requestBody, stringEnum } from '#schema/words.ts'
import type { FieldIssue } from '#values/problem.ts'
import { compileCodec } from './codec.ts'

const codecOptions = { currency: 'USD', currencyDigits: 2 }

function decode(schema: TSchema, input: unknown) {
  const issues: FieldIssue[] = []
  const value = compileCodec(schema, codecOptions).decode(input, '', issues)
  return { value, wrong: issues.map(({ field, message }) => `${field} ${message.key}`), issues }
}

const field = (schema: TSchema, input: unknown) =>
  decode(Type.Object({ x: schema }), { x: input }).wrong

describe('a field', () => {
  const cases: readonly [string, TSchema, unknown, readonly string[]][] = [
    ['a text', Type.String(), 'é', []],
    ['a number as text', Type.String(), 5, ['x field.string']],
    ['a text below its minimum length', Type.String({ minLength: 1 }), '', ['x field.empty']],
    ['one code point for two', Type.String({ minLength: 2 }), '😀', ['x field.min_length']],
    ['a text of its minimum length', Type.String({ minLength: 2 }), '😀😀', []],
    ['a text of its maximum length in code points', Type.String({ maxLength: 2 }), '😀😀', []],
    [
      'a text above its maximum length',
      Type.String({ maxLength: 2 }),
      '😀😀😀',
      ['x field.max_length'],
    ],
    ['a NUL', Type.String(), 'a\0b', ['x field.text']],
    ['a lone surrogate', Type.String(), '\ud800', ['x field.text']],
    ['an e-mail address', Type.String({ format: 'email' }), 'a@b.example', []],
    ['an invalid e-mail address', Type.String({ format: 'email' }), 'a@b', ['x field.email']],
    [
      'an e-mail address in brackets',
      Type.String({ format: 'email' }),
      '<a@b.example>',
      ['x field.email'],
    ],
    ['two e-mail addresses', Type.String({ format: 'email' }), 'a,b@c.example', ['x field.email']],
    ['an HTTPS URL', Type.String({ format: 'uri' }), 'https://a.example/b', []],
    ['a URL with a space', Type.String({ format: 'uri' }), 'https://a.example/b c', []],
    [
      'a URL of two lines',
      Type.String({ format: 'uri' }),
      'https://a.example/\r\nX: y',
      ['x field.uri'],
    ],
    ['a URL after a space', Type.String({ format: 'uri' }), ' https://a.example/', ['x field.uri']],
    ['a javascript URL', Type.String({ format: 'uri' }), 'javascript:alert(1)', ['x field.uri']],
    [
      'a text that does not match the pattern',
      Type.String({ pattern: '^[A-Z]{2}$' }),
      'gb',
      ['x field.pattern'],
    ],
    [
      'such a text where the schema has an example',
      Type.String({ pattern: '^[A-Z]{2}$', examples: ['GB'] }),
      'gb',
      ['x field.form'],
    ],
    ['an integer', Type.Integer({ minimum: 0, maximum: 9 }), 9, []],
    ['a fraction', Type.Integer(), 1.5, ['x field.integer']],
    ['a number beyond 2^53', Type.Integer(), 2 ** 53, ['x field.integer']],
    ['a number below the minimum', Type.Integer({ minimum: 1 }), 0, ['x field.minimum']],
    ['a number above the maximum', Type.Integer({ maximum: 5 }), 6, ['x field.maximum']],
    ['a number as text', Type.Integer(), '5', ['x field.integer']],
    ['a boolean', Type.Boolean(), true, []],
    ['a value of the enum', stringEnum(['a', 'b']), 'b', []],
    ['another value', stringEnum(['a', 'b']), 'c', ['x field.enum']],
    ['null in a nullable field', nullable(Type.String()), null, []],
    ['null in another field', Type.String(), null, ['x field.string']],
    ['an identifier', Id('x'), 7, []],
    ['an object instead of an array', Type.Array(Type.String()), {}, ['x field.array']],
    ['an empty array', Type.Array(Type.String(), { minItems: 1 }), [], ['x field.empty']],
    [
      'an array below its minimum length',
      Type.Array(Type.String(), { minItems: 2 }),
      ['a'],
      ['x field.min_items'],
    ],
    [
      'an array above its maximum length',
      Type.Array(Type.String(), { maxItems: 1 }),
      ['a', 'b'],
      ['x field.max_items'],
    ],
    ['an array with an invalid item', Type.Array(Type.Integer()), [1, 'b'], ['x[1] field.integer']],
    ['an amount', Money(), 19.99, []],
    ['an amount with too many decimals', Money(), 19.999, ['x field.decimals']],
    ['a tiny amount', Money(), 1e-7, ['x field.decimals']],
    ['a negative amount', Money(), -1, ['x field.minimum']],
    ['an amount above the largest', Money(), 1_000_000_000_000.01, ['x field.maximum']],
    ['an amount as text', Money(), '5', ['x field.money']],
    ['an instant', DateTime(), '2026-02-28T12:00:00Z', []],
    ['a date instead of an instant', DateTime(), '2026-02-28', ['x field.instant']],
  ]
  for (const [name, schema, input, wrong] of cases) {
    test(`with ${name} is ${wrong.join() || 'accepted'}`, () =>
      assert.deepEqual(field(schema, input), wrong))
  }
})

describe('an object', () => {
  const Pot = Type.Object({ id: Id('x'), name: Type.String(), colour: Type.String() })
  const body = requestBody({ name: Type.String(), size: Type.Integer({ default: 3 }) }, Pot)
  test('reports absent required fields as missing', () => {
    const { issues } = decode(body, {})
    assert.deepEqual(
      issues.map(({ field: name, missing }) => [name, missing]),
      [
        ['name', true],
        ['size', true],
      ],
    )
  })
  test('rejects unknown fields and ignores read-only ones', () => {
    const sent = { name: 'a', size: 1, id: 5, colour: 'red', _links: {}, shape: 'round' }
    assert.deepEqual(decode(body, sent).wrong, ['shape field.unknown'])
    assert.deepEqual(decode(body, sent).value, { name: 'a', size: 1 })
  })
  test('is no other JSON value and has no __proto__', () => {
    for (const input of [null, [], 'x', 5]) {
      assert.deepEqual(decode(body, input).wrong, ['body field.object'])
    }
    const poisoned: unknown = JSON.parse('{"name":"a","size":1,"__proto__":{"admin":true}}')
    assert.deepEqual(decode(body, poisoned).wrong, ['__proto__ field.unknown'])
  })
})

test('an encoded value decodes to the same value', () => {
  const schema = Type.Object({
    price: Money(),
    at: nullable(DateTime()),
    names: Type.Array(Type.Object({ name: Type.String() })),
  })
  const { encode } = compileCodec(schema, codecOptions)
  const plain = { noNullPrototype: true } as const
  const name = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))
  const value = fc.record(
    {
      price: fc.integer({ min: 0, max: 9_999_999_999 }),
      at: fc.option(fc.integer({ min: 0, max: 4e12 })),
      names: fc.array(fc.record({ name }, plain)),
    },
    plain,
  )
  fc.assert(
    fc.property(value, (original) => {
      const sent: unknown = JSON.parse(JSON.stringify(encode(original)))
      const { value: decoded, wrong } = decode(schema, sent)
      assert.deepEqual(wrong, [])
      assert.deepEqual(decoded, original)
    }),
  )
})

test('what is encoded has the fields of the schema, in its order, without those that are undefined', () => {
  const schema = Type.Object({ name: Type.Optional(Type.String()), size: Type.Integer() })
  const { encode } = compileCodec(schema, codecOptions)
  assert.equal(JSON.stringify(encode({ more: 1, size: 2, name: undefined })), '{"size":2}')
  assert.equal(JSON.stringify(encode({ size: 2, name: 'a' })), '{"name":"a","size":2}')
})
