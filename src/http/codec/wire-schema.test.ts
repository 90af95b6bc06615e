import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { Id, Moment, Money, nullable, oneOf, patchOf, writable } from '#http/declare/schema.ts'
import { wireSchema } from './wire-schema.ts'

const dollars = { currency: 'USD', currencyDigits: 2 }
const yen = { currency: 'JPY', currencyDigits: 0 }

describe('a schema outside', () => {
  test('has money as a number with the decimals of the currency', () => {
    const price = Money({ description: 'The price.' })
    assert.deepEqual(wireSchema(price, 'told', dollars), {
      type: 'number',
      minimum: 0,
      description: 'The price.',
      examples: [19.99],
    })
    assert.deepEqual(wireSchema(price, 'sent', yen), {
      type: 'number',
      minimum: 0,
      exclusiveMaximum: 10_000_000_000,
      description: 'The price. A number with at most 0 decimals.',
      examples: [20],
    })
  })

  test('has moments as texts and identifiers as whole numbers', () => {
    assert.equal(wireSchema(Moment(), 'told', dollars)['format'], 'date-time')
    assert.equal(wireSchema(Id('The user.'), 'told', dollars)['minimum'], 1)
  })

  test('allows null among the words of what may be null', () => {
    const told = wireSchema(nullable(oneOf(['a', 'b'])), 'told', dollars)
    assert.deepEqual(told, { type: ['string', 'null'], enum: ['a', 'b', null] })
  })

  test('refers to what has a name inside it, but not where it may be null', () => {
    const Name = Type.String({ component: 'Name' })
    const shape = Type.Object(
      { first: Name, others: Type.Array(Name), last: nullable(Name) },
      { component: 'Person' },
    )
    const shared: string[] = []
    const { properties, type } = wireSchema(shape, 'told', dollars, (name) => {
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

  test('is closed where it is sent and open where it is told', () => {
    const shape = Type.Object({ name: Type.String() })
    assert.equal(wireSchema(shape, 'sent', dollars)['additionalProperties'], false)
    assert.ok(!('additionalProperties' in wireSchema(shape, 'told', dollars)))
    const free = Type.Object({}, { additionalProperties: true })
    assert.ok(!('additionalProperties' in wireSchema(free, 'sent', dollars)))
  })

  test('lets what cannot be written be sent back, in a patch too', () => {
    const Pot = Type.Object({ id: Id('The pot.'), name: Type.String() })
    const body = writable({ name: Type.String({ default: 'Pot' }) }, Pot)
    for (const schema of [body, patchOf(body)]) {
      const { properties } = wireSchema(schema, 'sent', dollars)
      const { id } = properties as Record<string, { readonly readOnly?: boolean }>
      assert.equal(id?.readOnly, true)
    }
  })

  test('has defaults in whole bodies alone', () => {
    const body = Type.Object({ name: Type.String({ default: 'Pot' }) })
    const nameIn = (schema: object) =>
      (schema as { readonly properties: { readonly name: object } }).properties.name
    assert.ok('default' in nameIn(wireSchema(body, 'sent', dollars)))
    assert.ok(!('default' in nameIn(wireSchema(body, 'told', dollars))))
    assert.ok(!('default' in nameIn(wireSchema(patchOf(body), 'sent', dollars))))
  })
})
