import assert from 'node:assert/strict'
import { test } from 'node:test'
import { english } from './en.ts'
import { createMessage, type MessageKey } from './message.ts'
import { suggestionFor } from './suggestions.ts'

const suggestion = (code: '4091' | '4092', key: MessageKey) =>
  suggestionFor(code, [createMessage(key)], english)

test('a cause has its own suggestion, or that of its code', () => {
  assert.equal(suggestion('4091', 'cart.empty'), 'Add a product to the cart first.')
  assert.match(suggestion('4091', 'order.expected_total'), /expected_total/)
  assert.match(suggestion('4091', 'shipping.incomplete'), /link shipping/)
  assert.match(suggestion('4091', 'payment.under_way'), /link continue/)
  assert.match(suggestion('4092', 'user.duplicate_email'), /guest_token/)
  assert.equal(suggestion('4091', 'order.transition'), english['suggestion.4091'])
  assert.equal(suggestion('4092', 'product.duplicate_sku'), english['suggestion.4092'])
})
