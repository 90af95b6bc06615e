import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSealer } from './sealing.ts'

const { seal, open } = openSealer(['a secret key of tests'])

test('what is sealed opens again under its name', () => {
  const text = '{"name":"Zoë 🙂"}'
  assert.equal(open(seal(text, 'a'), 'a'), text)
})
test('the same text is sealed differently each time', () => {
  assert.notEqual(seal('text', 'a'), seal('text', 'a'))
})
test('nothing opens under another name or secret, or when it was changed', () => {
  const sealed = seal('text', 'a')
  assert.equal(open(sealed, 'b'), undefined)
  assert.equal(openSealer(['another secret key']).open(sealed, 'a'), undefined)
  assert.equal(open(`${sealed.slice(0, -4)}AAA=`, 'a'), undefined)
  assert.equal(open('', 'a'), undefined)
})
