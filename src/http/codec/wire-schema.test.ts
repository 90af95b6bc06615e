import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import {
  DateTime,
  Id,
  Money,
  mergePatch,
  nullable,
  requestBody,
  stringEnum,
} from '#http/declare/schema.ts'
import { wireSchema } from './wire-schema.ts'

const dollars = { currency: 'USD', currencyDigits: 2 }
const yen = { currency: 'JPY', currencyDigits: 0 }

describe('the schema of the API form', () => {
  test('has money as a number with at most the decimals of the currency', () => {
    const price = Money({ description: 'The price.' })
    assert.deepEqual(wireSchema(price, 'response', dollars), {
      type: 'number',
      minimum: 0,
      description: 'The price.',
      examples: [19.99],
    })
    assert.deepEqual(wireSchema(price, 'request', yen), {
      type: 'number',
      minimum: 0,
      exclusiveMaximum: 10_000_000_000,
      description: 'The price. A number with at most 0 decimals.',
      examples: [20],
    })
  })

  test('has instants as date-time texts and IDs as integers from 1', () => {
    assert.equal(wireSchema(DateTime(), 'response', dollars)['format'], 'date-time')
    assert.equal(wireSchema(Id('The user.'), 'response', dollars)['minimum'], 1)
  })

  test('has null in the enum of a nullable schema', () => {
    const schema = wireSchema(nullable(stringEnum(['a', 'b'])), 'response', dollars)
    assert.deepEqual(schema, { type: ['string', 'null'], enum: ['a', 'b', null] })
  })

  test('shares nested schemas with a component name, unless they are nullable', () => {
    const Name = Type.String({ component: 'Name' })
    const shape = Type.Object(
      { first: Name, others: Type.Array(Name), last: nullable(Name) },
      { component: 'Person' },
    )
    const shared: string[] = []
    const { properties, type } = wireSchema(shape, 'response', dollars, (name) => {
      shared.push(name)
      return { $ref: name }
    })
    assert.equal(type, 'object')
    assert.deepEqual(shared, ['Name', 'Name'])
    assert.deepEqual(properties, {
      first: { $ref: 'Name' },
      others: {
        type: 'array',
        items: { $ref: 'Name', xml: { name: 'other' } },
        xml: { wrapped: true },
      },
      last: { type: ['string', 'null'] },
    })
  })

  test('allows further properties in responses only', () => {
    const shape = Type.Object({ name: Type.String() })
    assert.equal(wireSchema(shape, 'request', dollars)['additionalProperties'], false)
    assert.ok(!('additionalProperties' in wireSchema(shape, 'response', dollars)))
    const free = Type.Object({}, { additionalProperties: true })
    assert.ok(!('additionalProperties' in wireSchema(free, 'request', dollars)))
  })

  test('has the ignored fields of bodies and patches as read-only', () => {
    const Pot = Type.Object({ id: Id('The pot.'), name: Type.String() })
    const body = requestBody({ name: Type.String({ default: 'Pot' }) }, Pot)
    for (const schema of [body, mergePatch(body)]) {
      const { properties } = wireSchema(schema, 'request', dollars)
      const { id } = properties as Record<string, { readonly readOnly?: boolean }>
      assert.equal(id?.readOnly, true)
    }
  })

  test('has defaults in full request bodies only', () => {
    const body = Type.Object({ name: Type.String({ default: 'Pot' }) })
    const nameIn = (schema: object) =>
      (schema as { readonly properties: { readonly name: object } }).properties.name
    assert.ok('default' in nameIn(wireSchema(body, 'request', dollars)))
    assert.ok(!('default' in nameIn(wireSchema(body, 'response', dollars))))
    assert.ok(!('default' in nameIn(wireSchema(mergePatch(body), 'request', dollars))))
  })
})
