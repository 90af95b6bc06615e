import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createComponents } from './components.ts'

const $ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const text = { type: 'string' }
const closed = { type: 'object', additionalProperties: false }

describe('components', () => {
  test('have unique names in each section', () => {
    const { add, sections } = createComponents()
    add('schemas', 'Product', text)
    assert.throws(() => add('schemas', 'Product', text), /Two schemas are named Product/)
    add('responses', 'Product', text)
    assert.deepEqual(sections.schemas, { Product: text })
  })

  test('are created at the first use', () => {
    const { once, sections } = createComponents()
    assert.deepEqual(
      once('schemas', 'Product', () => text),
      $ref('Product'),
    )
    const again = once('schemas', 'Product', () => assert.fail('created twice'))
    assert.deepEqual(again, $ref('Product'))
    assert.deepEqual(sections.schemas, { Product: text })
  })

  test('are shared if equal, under the first possible name', () => {
    const { share, sections } = createComponents()
    const names = ['Address', 'AddressBody'] as const
    assert.deepEqual(share('schemas', text, ...names), $ref('Address'))
    assert.deepEqual(share('schemas', { ...text }, ...names), $ref('Address'))
    assert.deepEqual(share('schemas', closed, ...names), $ref('AddressBody'))
    assert.deepEqual(share('schemas', closed, 'Address'), closed)
    assert.deepEqual(sections.schemas, { Address: text, AddressBody: closed })
  })
})
