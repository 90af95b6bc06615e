import assert from 'node:assert/strict'
import { test } from 'node:test'
import { english } from './en.ts'
import { defaultLanguage, type Language, languages } from './languages.ts'
import type { MessageKey } from './message.ts'

const keys = Object.keys(english) as readonly MessageKey[]
const translations = (Object.keys(languages) as readonly Language[]).filter(
  (language) => language !== defaultLanguage,
)
const placeholdersIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()

for (const language of translations) {
  const texts = languages[language]
  test(`every message is translated to ${language}`, () => {
    assert.deepEqual(Object.keys(texts).toSorted(), keys.toSorted())
    // The word for a resource may be the same in two languages.
    const isSame = (key: MessageKey) => texts[key] === english[key] && !key.startsWith('resource.')
    const untranslated = keys.filter((key) => isSame(key) || texts[key] === '')
    assert.deepEqual(untranslated, [])
  })

  test(`every message in ${language} has the placeholders of the English one`, () => {
    for (const key of keys) {
      assert.deepEqual(placeholdersIn(texts[key]), placeholdersIn(english[key]), key)
    }
  })

  test(`a message in ${language} ends with a full stop where the English one does`, () => {
    const different = keys.filter((key) => /[.。]$/.test(texts[key]) !== english[key].endsWith('.'))
    assert.deepEqual(different, [])
  })
}
