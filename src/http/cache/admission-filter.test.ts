import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAdmissionFilter } from './admission-filter.ts'

test('a text is known from its second request until many others replace it', () => {
  const wasRequestedBefore = createAdmissionFilter()
  assert.equal(wasRequestedBefore('/products/1'), false)
  assert.equal(wasRequestedBefore('/products/1'), true)
  let known = 0
  for (let id = 2; id < 1002; id += 1) if (wasRequestedBefore(`/products/${id}`)) known += 1
  assert.equal(known, 0, 'none was requested before')
  assert.equal(wasRequestedBefore('/products/1'), true)
  for (let id = 0; id < 1_000_000; id += 1) wasRequestedBefore(`/others/${id}`)
  assert.equal(wasRequestedBefore('/products/1'), false)
})
