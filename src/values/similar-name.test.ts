import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSimilarToName } from './similar-name.ts'

const names = ['Ada Lovelace', 'ada.king@example.com', null, '张伟', 'user1815']

test('a password that is a name with other case, punctuation or digits is similar to it', () => {
  const similar = [
    'adalovelace',
    'Ada Lovelace',
    'ADA-LOVELACE-1815!',
    '1815lovelace1852',
    'ada.king@example.com',
    'AdaKing2026',
    'ａｄａｋｉｎｇ',
    '张伟123456',
    'user1815',
    'user 1815 1815',
  ]
  for (const password of similar) assert.ok(isSimilarToName(password, names), password)
})

test('a password that contains a name among other words is not similar to it', () => {
  const others = [
    'adas analytical engine',
    'lovelace and babbage',
    '12345678',
    '!!!!!!!!',
    'king of',
  ]
  for (const password of others) assert.ok(!isSimilarToName(password, names), password)
  assert.ok(!isSimilarToName('correct horse battery staple', ['', ' ', '1815', null]))
})
