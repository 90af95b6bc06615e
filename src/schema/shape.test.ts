import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { objectShapeOf, shapeOf, withoutNull } from './shape.ts'
import { DateTime, Id, Money, mapOf, moneyObject, nullable, stringEnum } from './words.ts'

test('every word has a shape', () => {
  const map = mapOf(Type.String(), { names: { pattern: '^a' }, maxProperties: 2 }, 'Texts.')
  const schemas = [Money(), moneyObject(Money()), DateTime(), Id(), stringEnum(['a']), map]
  assert.deepEqual(
    schemas.map((schema) => shapeOf(schema).kind),
    ['money', 'amount', 'instant', 'identifier', 'enum', 'map'],
  )
})

test('null is no variant of a union', () => {
  const text = Type.String()
  const shape = shapeOf(nullable(text))
  assert.equal(shape.kind, 'nullable')
  assert.equal(withoutNull(shape), shapeOf(text))
  const money = Money()
  const union = withoutNull(shapeOf(Type.Union([money, text, Type.Null()])))
  assert.deepEqual('variants' in union && union.variants, [shapeOf(money), shapeOf(text)])
})

test('the members of an object are in the order of its properties', () => {
  const schema = Type.Object({ b: Type.Optional(Id()), a: Type.String() })
  const members = objectShapeOf(schema).members.map(({ name, isRequired }) => [name, isRequired])
  assert.deepEqual(members, [
    ['b', false],
    ['a', true],
  ])
})

test('a schema is read once', () => {
  const schema = Type.Array(Type.Boolean())
  assert.equal(shapeOf(schema), shapeOf(schema))
})
