import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageOf } from '#http/message/language.ts'

const cases: readonly (readonly [accepted: string | undefined, language: string])[] = [
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['de', 'de'],
  ['DE-at', 'de'],
  ['zh-CN', 'zh'],
  ['zh-Hant-TW', 'zh'],
  ['es-419', 'es'],
  ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'fr'],
  ['it, pt;q=0.9', 'en'],
  ['it, de;q=0.3, *;q=0.5', 'en'],
  ['it, de;q=0.5, *;q=0.3', 'de'],
  ['en;q=0.2, es;q=0.8', 'es'],
  ['es ; q=0.4 , fr ; q=0.6', 'fr'],
  ['de, fr', 'de'],
  ['fr, de', 'fr'],
  ['de;q=0, fr;q=0.1', 'fr'],
  ['de-AT, de;q=0', 'en'],
  ['de-AT;q=0, de', 'de'],
  ['en;q=0, *', 'zh'],
  ['en;q=0', 'en'],
  ['*;q=0', 'en'],
  ['de;q=2, fr', 'fr'],
  ['de;q=x, fr;q=0.001', 'fr'],
  ['de;q=, fr', 'fr'],
  ['!!, ;;, de', 'de'],
  ['deutsch-und-mehr, fr;q=0.1', 'fr'],
  ['constructor, __proto__, fr;q=0.1', 'fr'],
]
for (const [accepted, language] of cases) {
  test(`Accept-Language ${accepted ?? 'absent'} selects ${language}`, () => {
    assert.equal(languageOf(accepted), language)
  })
}

test('a long Accept-Language is parsed in linear time', () => {
  assert.equal(languageOf(`${'x-'.repeat(8_000)},de`), 'de')
  assert.equal(languageOf(`${'it,'.repeat(5_000)}de`), 'de')
})
