import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSeen } from './admission-filter.ts'

test('a text is known once it came before, until many others have come', () => {
  const wasSeen = openSeen()
  assert.equal(wasSeen('/products/1'), false)
  assert.equal(wasSeen('/products/1'), true)
  let known = 0
  for (let id = 2; id < 1002; id += 1) if (wasSeen(`/products/${id}`)) known += 1
  assert.equal(known, 0, 'none of them came before')
  assert.equal(wasSeen('/products/1'), true)
  for (let id = 0; id < 1_000_000; id += 1) wasSeen(`/others/${id}`)
  assert.equal(wasSeen('/products/1'), false)
})
