import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Type } from './type.ts'

/** Uses every builder, with and without options, and nested. */
function schemasOf(type: typeof Type) {
  const text = type.String({ minLength: 1, description: 'Text.' })
  const parts = {
    text,
    bare: type.String(),
    maybe: type.Optional(text),
    number: type.Number({ minimum: 0 }),
    whole: type.Optional(type.Integer({ maximum: 9 })),
    flag: type.Boolean({ default: true }),
    nothing: type.Null(),
    anything: type.Unknown({ description: 'Any.' }),
    word: type.Unsafe<string>({ type: 'string', enum: ['a', 'b'] }),
    literal: type.Literal('Bearer', { description: 'How.' }),
    seven: type.Literal(7),
    list: type.Array(type.String(), { maxItems: 3 }),
    either: type.Union([text, type.Null()], { title: 'Either' }),
  }
  const object = type.Object(parts, { additionalProperties: false })
  const spread = type.Object({ ...object.properties, copied: { ...parts.maybe } })
  return {
    ...parts,
    object,
    spread,
    empty: type.Object({}),
    loose: type.Object({ maybe: parts.maybe }),
    partial: type.Partial(object),
    picked: type.Pick(object, ['maybe', 'number']),
    twice: type.Optional(type.Optional(text)),
  }
}

test('schemas equal those of TypeBox', () => {
  const expected = schemasOf(TypeBox as unknown as typeof Type)
  assert.deepEqual(
    JSON.parse(JSON.stringify(schemasOf(Type))),
    JSON.parse(JSON.stringify(expected)),
  )
})

test('Type.Optional does not change the schema it is given', () => {
  const text = Type.String()
  const object = Type.Object({ optional: Type.Optional(text), required: text })
  assert.deepEqual(object.required, ['required'])
})
