import assert from 'node:assert/strict'
import { test } from 'node:test'
import { english } from './en.ts'
import { defaultLanguage, type Language, languages } from './languages.ts'
import type { MessageKey } from './message.ts'

const keys = Object.keys(english) as readonly MessageKey[]
const others = (Object.keys(languages) as readonly Language[]).filter(
  (language) => language !== defaultLanguage,
)
const placeholdersIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()

for (const language of others) {
  const sentences = languages[language]
  test(`every sentence is there in ${language}, and none is left in English`, () => {
    assert.deepEqual(Object.keys(sentences).toSorted(), keys.toSorted())
    const left = keys.filter((key) => sentences[key] === english[key] || sentences[key] === '')
    assert.deepEqual(left, [])
  })
  test(`every sentence in ${language} holds the values that it holds in English`, () => {
    for (const key of keys) {
      assert.deepEqual(placeholdersIn(sentences[key]), placeholdersIn(english[key]), key)
    }
  })
  test(`a sentence in ${language} ends as one where it does in English`, () => {
    const unlike = keys.filter(
      (key) => /[.。]$/.test(sentences[key]) !== english[key].endsWith('.'),
    )
    assert.deepEqual(unlike, [])
  })
}
