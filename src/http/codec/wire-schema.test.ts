import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import {
  DateTime,
  Id,
  Money,
  mergePatch,
  nullable,
  oneOfGroups,
  requestBody,
  stringEnum,
} from '#schema/words.ts'
import { wireSchema } from './wire-schema.ts'

const dollars = { currency: 'USD', currencyDigits: 2, linksField: '_links' }
const yen = { currency: 'JPY', currencyDigits: 0, linksField: '_links' }

describe('the schema of the API form', () => {
  test('has money as a number with at most the decimals of the currency', () => {
    const price = Money({ description: 'The price.' })
    assert.deepEqual(wireSchema(price, 'response', dollars), {
      type: 'number',
      minimum: 0,
      description: 'The price.',
      examples: [12.5],
    })
    assert.deepEqual(wireSchema(price, 'request', yen), {
      type: 'number',
      minimum: 0,
      maximum: 1_000_000_000_000,
      multipleOf: 1,
      description: 'The price.',
      examples: [13],
    })
  })

  test('has instants as date-time texts and IDs as integers from 1', () => {
    assert.equal(wireSchema(DateTime(), 'response', dollars)['format'], 'date-time')
    assert.equal(wireSchema(Id('The user.'), 'response', dollars)['minimum'], 1)
  })

  test('has null beside an enum, and in the type of other schemas', () => {
    const word = nullable(stringEnum(['a', 'b'], { description: 'A word.' }))
    assert.deepEqual(wireSchema(word, 'response', dollars), {
      anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }],
      description: 'A word.',
    })
    assert.deepEqual(wireSchema(nullable(Type.Boolean()), 'response', dollars), {
      type: ['boolean', 'null'],
    })
  })

  test('states the limits of a request that no keyword declares', () => {
    const limits = (schema: TSchema) => wireSchema(schema, 'request', dollars)
    assert.deepEqual(limits(Type.String()), { type: 'string', pattern: '^[^\\x00]*$' })
    assert.deepEqual(limits(Type.String({ format: 'uri' })), {
      type: 'string',
      format: 'uri',
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#\\s\\x00-\\x1f\\x7f][^\\x00-\\x1f\\x7f]*$',
    })
    assert.deepEqual(limits(Type.Integer({ minimum: 0 })), {
      type: 'integer',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    })
    const country = limits(Type.String({ format: 'country' }))
    assert.ok((country['enum'] as readonly string[]).includes('NZ'))
    assert.deepEqual(wireSchema(Type.String(), 'response', dollars), { type: 'string' })
  })

  test('adds the keywords that a rule of the resource enforces', () => {
    const schema = Type.String({ documented: { format: 'origin', pattern: '^https:' } })
    assert.deepEqual(wireSchema(schema, 'request', dollars), {
      type: 'string',
      format: 'origin',
      pattern: '^https:',
    })
    assert.deepEqual(wireSchema(schema, 'response', dollars), { type: 'string', format: 'origin' })
  })

  test('has one closed object for each group of alternative fields', () => {
    const fields = { name: Type.String(), code: Type.Integer({ minimum: 1, maximum: 9 }) }
    const schema = oneOfGroups(fields, [
      { name: 'ByName', description: 'By name.', properties: ['name'] },
      { name: 'ByCode', description: 'By code.', properties: ['code'] },
    ])
    const shared = new Map<string, object>()
    const { oneOf } = wireSchema(schema, 'request', dollars, (name, group) => {
      shared.set(name, group)
      return { $ref: name }
    })
    assert.deepEqual(oneOf, [{ $ref: 'ByName' }, { $ref: 'ByCode' }])
    assert.deepEqual(shared.get('ByCode'), {
      type: 'object',
      description: 'By code.',
      properties: { code: { type: 'integer', minimum: 1, maximum: 9 } },
      required: ['code'],
      additionalProperties: false,
    })
  })

  test('shares nested schemas with a component name', () => {
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
    assert.deepEqual(shared, ['Name', 'Name', 'Name'])
    assert.deepEqual(properties, {
      first: { $ref: 'Name' },
      others: {
        type: 'array',
        items: { $ref: 'Name', xml: { name: 'other' } },
        xml: { wrapped: true },
      },
      last: { anyOf: [{ $ref: 'Name' }, { type: 'null' }] },
    })
  })

  test('leaves the description of a use beside the reference to a component', () => {
    const component = { name: 'Code', description: 'A code.' }
    const shape = Type.Object({ code: Type.String({ component, description: 'The code.' }) })
    const shared: object[] = []
    const { properties } = wireSchema(shape, 'response', dollars, (name, schema) => {
      shared.push(schema)
      return { $ref: name }
    })
    assert.deepEqual(properties, { code: { $ref: 'Code', description: 'The code.' } })
    assert.deepEqual(shared, [{ type: 'string', description: 'A code.' }])
  })

  test('allows further properties in responses only', () => {
    const shape = Type.Object({ name: Type.String() })
    assert.equal(wireSchema(shape, 'request', dollars)['additionalProperties'], false)
    assert.ok(!('additionalProperties' in wireSchema(shape, 'response', dollars)))
    const free = Type.Object({}, { additionalProperties: true })
    assert.equal(wireSchema(free, 'request', dollars)['additionalProperties'], true)
  })

  test('gives further properties a pattern beside named ones, whose types may differ', () => {
    const further = { additionalProperties: Type.Integer() }
    const mixed = wireSchema(Type.Object({ name: Type.String() }, further), 'response', dollars)
    assert.deepEqual(mixed['patternProperties'], { '^(?!(name)$)': { type: 'integer' } })
    const free = wireSchema(Type.Object({}, further), 'response', dollars)
    assert.deepEqual(free['additionalProperties'], { type: 'integer' })
  })

  test('allows the ignored fields of bodies and patches in any form', () => {
    const Pot = Type.Object({ id: nullable(Id('The pot.')), name: Type.String() })
    const body = requestBody({ name: Type.String({ default: 'Pot' }) }, Pot)
    for (const schema of [body, mergePatch(body)]) {
      const { properties, patternProperties } = wireSchema(schema, 'request', dollars)
      assert.deepEqual(Object.keys(properties as object), ['name'])
      assert.deepEqual(patternProperties, { '^(id|_links)$': {} })
    }
  })

  test('states defaults in the words of full request bodies only', () => {
    const name = Type.String({ default: 'Pot', description: 'The name.' })
    const body = Type.Object({ name })
    const nameIn = (schema: object) =>
      (schema as { readonly properties: { readonly name: Record<string, unknown> } }).properties
        .name
    const described = (schema: object) => nameIn(schema)['description']
    const words = 'The name. Default: `"Pot"`.'
    assert.equal(described(wireSchema(body, 'request', dollars)), words)
    assert.equal(described(wireSchema(body, 'response', dollars)), 'The name.')
    assert.equal(described(wireSchema(mergePatch(body), 'request', dollars)), 'The name.')
    assert.ok(!('default' in nameIn(wireSchema(body, 'request', dollars))))
    assert.equal(wireSchema(name, 'request', dollars)['default'], 'Pot')
  })
})
