import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectMaker, objectMapper, valuesReader } from './by-name.ts'

const strange = ['a', 'two words', '"quoted"', '`', '\u2028', '', '__proto__', 'a-b', '0']

test('objects are made of values in the order of their names, whatever these are', () => {
  const made = objectMaker(strange)(strange.map((_, at) => at))
  assert.deepEqual(Object.keys(made).toSorted(), strange.toSorted())
  for (const [at, name] of strange.entries()) {
    assert.equal(Object.getOwnPropertyDescriptor(made, name)?.value, at)
  }
})

test('of two columns with the same name the last one counts', () => {
  assert.deepEqual(objectMaker(['id', 'id'])([1, 2]), { id: 2 })
})

test('values are read in order, undefined where there is none', () => {
  const source = Object.fromEntries(strange.map((name, at) => [name, at]))
  assert.deepEqual(valuesReader(strange)(source), [...strange.keys()])
  assert.deepEqual(valuesReader(['b', 'a'])({ a: null }), [undefined, null])
})

test('objects are mapped property by property, undefined ones left out', () => {
  const map = objectMapper([
    { name: 'kept', map: undefined },
    { name: 'doubled', map: (value) => Number(value) * 2 },
    { name: 'absent', map: () => assert.fail('nothing to map') },
    { name: 'it"s', map: String },
  ])
  const told = map({ kept: null, doubled: 4, more: 1, 'it"s': 5 })
  assert.deepEqual(told, { kept: null, doubled: 8, 'it"s': '5' })
})
