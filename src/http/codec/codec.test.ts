import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import { Id, Moment, Money, nullable, oneOf, writable } from '#http/declare/schema.ts'
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
    ['a text that is too short', Type.String({ minLength: 1 }), '', ['x field.min_length']],
    ['a text at its limit, in code points', Type.String({ maxLength: 2 }), '😀😀', []],
    ['a text over it', Type.String({ maxLength: 2 }), '😀😀😀', ['x field.max_length']],
    ['a NUL', Type.String(), 'a\0b', ['x field.text']],
    ['a lone surrogate', Type.String(), '\ud800', ['x field.text']],
    ['an e-mail address', Type.String({ format: 'email' }), 'a@b.example', []],
    ['no e-mail address', Type.String({ format: 'email' }), 'a@b', ['x field.email']],
    ['a web address', Type.String({ format: 'uri' }), 'https://a.example/b', []],
    ['a script address', Type.String({ format: 'uri' }), 'javascript:alert(1)', ['x field.uri']],
    ['another form', Type.String({ pattern: '^[A-Z]{2}$' }), 'gb', ['x field.pattern']],
    ['a whole number', Type.Integer({ minimum: 0, maximum: 9 }), 9, []],
    ['a fraction', Type.Integer(), 1.5, ['x field.integer']],
    ['a number beyond 2^53', Type.Integer(), 2 ** 53, ['x field.integer']],
    ['a number too small', Type.Integer({ minimum: 1 }), 0, ['x field.minimum']],
    ['a number too large', Type.Integer({ maximum: 5 }), 6, ['x field.maximum']],
    ['a number as text', Type.Integer(), '5', ['x field.integer']],
    ['a truth value', Type.Boolean(), true, []],
    ['a word', oneOf(['a', 'b']), 'b', []],
    ['another word', oneOf(['a', 'b']), 'c', ['x field.enum']],
    ['null where it may be', nullable(Type.String()), null, []],
    ['null where it may not', Type.String(), null, ['x field.string']],
    ['an identifier', Id('x'), 7, []],
    ['a list that is none', Type.Array(Type.String()), {}, ['x field.array']],
    [
      'too long a list',
      Type.Array(Type.String(), { maxItems: 1 }),
      ['a', 'b'],
      ['x field.max_items'],
    ],
    ['a wrong entry', Type.Array(Type.Integer()), [1, 'b'], ['x[1] field.integer']],
    ['an amount', Money(), 19.99, []],
    ['an amount with too many decimals', Money(), 19.999, ['x field.decimals']],
    ['a tiny amount', Money(), 1e-7, ['x field.decimals']],
    ['a negative amount', Money(), -1, ['x field.minimum']],
    ['too large an amount', Money(), 1e8, ['x field.below']],
    ['an amount as text', Money(), '5', ['x field.number']],
    ['a moment', Moment(), '2026-02-28T12:00:00Z', []],
    ['no moment', Moment(), '2026-02-28', ['x field.instant']],
  ]
  for (const [name, schema, input, wrong] of cases) {
    test(`${name}: ${wrong.join() || 'taken'}`, () => assert.deepEqual(field(schema, input), wrong))
  }
})

describe('an object', () => {
  const EntityDefinition = Type.Object({ id: Id('x'), name: Type.String(), colour: Type.String() })
  const body = writable(
    { name: Type.String(), size: Type.Integer({ default: 3 }) },
    EntityDefinition,
  )
  test('names what is missing as missing', () => {
    const { issues } = decode(body, {})
    assert.deepEqual(
      issues.map(({ field: name, missing }) => [name, missing]),
      [
        ['name', true],
        ['size', true],
      ],
    )
  })
  test('names what is unknown, and ignores what is known but not writable', () => {
    const sent = { name: 'a', size: 1, id: 5, colour: 'red', _links: {}, shape: 'round' }
    assert.deepEqual(decode(body, sent).wrong, ['shape field.unknown'])
    assert.deepEqual(decode(body, sent).value, { name: 'a', size: 1 })
  })
  test('is nothing else, however it is called', () => {
    for (const input of [null, [], 'x', 5]) {
      assert.deepEqual(decode(body, input).wrong, ['body field.object'])
    }
    const poisoned: unknown = JSON.parse('{"name":"a","size":1,"__proto__":{"admin":true}}')
    assert.deepEqual(decode(body, poisoned).wrong, ['__proto__ field.unknown'])
  })
})

test('what is encoded decodes to the same value', () => {
  const schema = Type.Object({
    price: Money(),
    at: nullable(Moment()),
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
    fc.property(value, (inner) => {
      const sent: unknown = JSON.parse(JSON.stringify(encode(inner)))
      const { value: again, wrong } = decode(schema, sent)
      assert.deepEqual(wrong, [])
      assert.deepEqual(again, inner)
    }),
  )
})

test('what is encoded has the fields of the schema, in its order, without those that are undefined', () => {
  const schema = Type.Object({ name: Type.Optional(Type.String()), size: Type.Integer() })
  const { encode } = compileCodec(schema, codecOptions)
  assert.equal(JSON.stringify(encode({ more: 1, size: 2, name: undefined })), '{"size":2}')
  assert.equal(JSON.stringify(encode({ size: 2, name: 'a' })), '{"name":"a","size":2}')
})
