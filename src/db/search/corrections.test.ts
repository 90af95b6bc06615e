import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wordsWithoutError } from './corrections.ts'

const groupOf = (word: string, meant: string): number =>
  wordsWithoutError(word).findIndex((group) => group.includes(meant))

describe('a word with one typing error', () => {
  const cases: readonly (readonly [typed: string, meant: string, group: number])[] = [
    ['kettel', 'kettle', 0],
    ['kettke', 'kettle', 1],
    ['ketle', 'kettle', 1],
    ['ettle', 'kettle', 1],
    ['kettl', 'kettle', 1],
    ['kettlle', 'kettle', 2],
    ['kettles', 'kettle', 2],
    ['чайнки', 'чайник', 0],
    ['τσαγιερε', 'τσαγιερα', 1],
    ['groß', 'gros', 1],
    ['m3x40', 'm3x50', 1],
  ]
  for (const [typed, meant, group] of cases) {
    test(`${typed} may be ${meant}`, () => assert.equal(groupOf(typed, meant), group))
  }

  test('is none of two errors, nor the word itself, nor one of three letters', () => {
    assert.equal(groupOf('kttel', 'kettle'), -1)
    assert.equal(groupOf('kettle', 'kettle'), -1)
    assert.deepEqual(wordsWithoutError('oka'), [])
  })

  test('has at most two thousand candidates', () => {
    const longest = `${'abcdefghijkl'.repeat(2).slice(1)}1`
    assert.ok(wordsWithoutError(longest).flat().length < 2100)
  })
})
