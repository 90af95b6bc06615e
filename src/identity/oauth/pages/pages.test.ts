import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from './html.ts'
import { languageFor } from './language.ts'
import { pageFields } from './page.ts'
import { signInPage } from './sign-in.ts'
import { de } from './words/de.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { zh } from './words/zh.ts'

const blanks = (sentence: string): string => (sentence.match(/\{\w+\}/g) ?? []).sort().join()

test('every language says everything, with the same blanks', () => {
  for (const [name, words] of Object.entries({ zh, es, fr, de })) {
    assert.deepEqual(Object.keys(words), Object.keys(en), name)
    for (const [key, sentence] of Object.entries(en)) {
      const said = words[key as keyof typeof en]
      assert.equal(blanks(said), blanks(sentence), `${name} ${key}`)
      assert.notEqual(said, '')
    }
  }
})

const wishes: readonly (readonly [string | undefined, string | undefined, string])[] = [
  [undefined, undefined, 'en'],
  [undefined, 'fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
  [undefined, 'en;q=0.3, de;q=0.7', 'de'],
  [undefined, 'tlh, es;q=0', 'en'],
  [undefined, 'es-MX, es;q=0, de;q=0.1', 'de'],
  [undefined, 'fr;q=x, de;q=0.1', 'de'],
  [undefined, '*;q=0.5, zh-TW;q=0.4', 'en'],
  ['tlh zh-Hans', 'de', 'zh'],
  ['constructor', '__proto__', 'en'],
]

test('the language is the one that the client names, else the one that the browser prefers', () => {
  for (const [uiLocales, accepted, expected] of wishes) {
    assert.equal(languageFor(uiLocales, accepted).tag, expected)
  }
})

test('what is filled in cannot become part of a page', () => {
  const evil = `"><script>alert('&')</script>`
  assert.equal(
    html`<p title="${evil}">${[html`<b>${evil}</b>`]}</p>`.text,
    `<p title="${'&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;'}"><b>${'&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;'}</b></p>`,
  )
  const shown = { client: evil, csrf: evil, username: evil, isRemembered: false, problems: [] }
  assert.doesNotMatch(signInPage(languageFor('en'), 200, shown).text, /<script/)
})

test('a page may be sent on to the client alone, and to nothing that is no address', () => {
  const policyFor = (...leadsTo: readonly string[]) =>
    pageFields({ text: '', language: 'en' }, leadsTo)['content-security-policy'] ?? ''
  assert.match(
    policyFor('https://app.example/back?x=1'),
    /form-action 'self' https:\/\/app\.example;/,
  )
  for (const odd of ['', 'javascript:alert(1)', "x'; script-src *"]) {
    assert.match(policyFor(odd), /form-action 'self';/)
  }
  assert.doesNotMatch(policyFor(), /script-src/)
})
