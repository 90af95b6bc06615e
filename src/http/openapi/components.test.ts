import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { emptyComponents } from './components.ts'

const $ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const text = { type: 'string' }
const closed = { type: 'object', additionalProperties: false }

describe('the components of a document', () => {
  test('have a name once', () => {
    const { add, sections } = emptyComponents()
    add('schemas', 'Product', text)
    assert.throws(() => add('schemas', 'Product', text), /Two schemas are named Product/)
    add('responses', 'Product', text)
    assert.deepEqual(sections.schemas, { Product: text })
  })

  test('are made at the first use', () => {
    const { once, sections } = emptyComponents()
    assert.deepEqual(
      once('schemas', 'Product', () => text),
      $ref('Product'),
    )
    const again = once('schemas', 'Product', () => assert.fail('made twice'))
    assert.deepEqual(again, $ref('Product'))
    assert.deepEqual(sections.schemas, { Product: text })
  })

  test('are shared by equals, under the first name that fits', () => {
    const { share, sections } = emptyComponents()
    const names = ['Address', 'AddressBody'] as const
    assert.deepEqual(share('schemas', text, ...names), $ref('Address'))
    assert.deepEqual(share('schemas', { ...text }, ...names), $ref('Address'))
    assert.deepEqual(share('schemas', closed, ...names), $ref('AddressBody'))
    assert.deepEqual(share('schemas', closed, 'Address'), closed)
    assert.deepEqual(sections.schemas, { Address: text, AddressBody: closed })
  })
})
