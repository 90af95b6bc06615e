import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wordsWithoutError } from './corrections.ts'

const groupOf = (word: string, meant: string): number =>
  wordsWithoutError(word).findIndex((group) => group.includes(meant))

describe('a word with one typing error, or spelled otherwise', () => {
  const cases: readonly (readonly [typed: string, meant: string, group: number])[] = [
    ['kettel', 'kettle', 1],
    ['kettke', 'kettle', 2],
    ['ketle', 'kettle', 2],
    ['ettle', 'kettle', 2],
    ['kettl', 'kettle', 2],
    ['kettlle', 'kettle', 3],
    ['kettles', 'kettle', 3],
    ['чайнки', 'чайник', 1],
    ['τσαγιερε', 'τσαγιερα', 2],
    ['m3x40', 'm3x50', 2],
    ['קומקומ', 'קומקום', 2],
    ['ابرق', 'ابريق', 2],
    ['주전재', '주전자', 2],
    ['수간', '수건', 2],
    ['mueller', 'muller', 0],
    ['啡怀', '啡', 0],
  ]
  for (const [typed, meant, group] of cases) {
    test(`${typed} may be ${meant}`, () => assert.equal(groupOf(typed, meant), group))
  }

  test('is none of two errors, nor the word itself, nor one of three letters', () => {
    assert.equal(groupOf('kttel', 'kettle'), -1)
    assert.equal(groupOf('kettle', 'kettle'), -1)
    assert.deepEqual(wordsWithoutError('oka').flat(), [])
    assert.deepEqual(wordsWithoutError('壶'), [])
  })

  test('has at most two thousand candidates', () => {
    const longest = `${'abcdefghijkl'.repeat(2).slice(1)}1`
    assert.ok(wordsWithoutError(longest).flat().length < 2200)
    assert.ok(wordsWithoutError('oelsaedi'.repeat(3)).flat().length < 2200)
    assert.ok(wordsWithoutError('각'.repeat(24)).flat().length < 2200)
    assert.ok(wordsWithoutError('ا'.repeat(24)).flat().length < 2200)
  })
})
