import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyScope } from '#auth/oauth/scopes.ts'
import type { Role } from '#http/declare/caller.ts'
import { de } from '#i18n/oauth-pages/de.ts'
import { en } from '#i18n/oauth-pages/en.ts'
import { es } from '#i18n/oauth-pages/es.ts'
import { fr } from '#i18n/oauth-pages/fr.ts'
import { zh } from '#i18n/oauth-pages/zh.ts'
import { type ConsentTerm, consentPage } from './consent.ts'
import { html } from './html.ts'
import { languageFor } from './language.ts'
import { pageFields } from './page.ts'
import { signInPage } from './sign-in.ts'

const blanks = (sentence: string): string => (sentence.match(/\{\w+\}/g) ?? []).sort().join()

test('every language says everything, with the same blanks', () => {
  for (const [name, messages] of Object.entries({ zh, es, fr, de })) {
    assert.deepEqual(Object.keys(messages), Object.keys(en), name)
    for (const [key, sentence] of Object.entries(en)) {
      const said = messages[key as keyof typeof en]
      assert.equal(blanks(said), blanks(sentence), `${name} ${key}`)
      assert.notEqual(said, '')
    }
  }
})

const requestedLines: readonly (readonly [string | undefined, string | undefined, string])[] = [
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
  for (const [uiLocales, accepted, expected] of requestedLines) {
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

const consentTo = (role: Role, granted: readonly string[], kind: ConsentTerm['kind'] = 'lasting') =>
  consentPage(languageFor('en'), {
    client: 'Parcel Tracker',
    name: 'Ada',
    role,
    csrf: '',
    host: 'app.example',
    isNative: false,
    granted,
    barred: [],
    term: { minutes: 15, days: 90, kind },
    privacy: undefined,
    terms: undefined,
  }).text

test('an administrator is told that the data of everybody is reached, a customer of the own', () => {
  const asked = ['openid', 'orders:read', 'users:write', 'keys:write']
  const customer = consentTo('customer', asked)
  assert.match(customer, /<li>See your orders and payments<\/li>/)
  assert.doesNotMatch(customer, /all (customers|users)|administrator/)
  const admin = consentTo('admin', asked)
  assert.match(admin, /You are an administrator/)
  assert.match(admin, /<li>See the orders and payments of all customers<\/li>/)
  assert.match(admin, /accounts of all users/)
  assert.doesNotMatch(admin, /your orders/)
  assert.doesNotMatch(consentTo('admin', ['openid', 'reviews:write']), /You are an administrator/)
})

test('the page of consent says for how long', () => {
  assert.match(
    consentTo('customer', []),
    /For how long[\s\S]*Until you withdraw it, 90 days at most/,
  )
  assert.match(consentTo('customer', [], 'passing'), /15 minutes at a time[\s\S]*90 days/)
  assert.match(consentTo('customer', [], 'once'), /15 minutes\. Then it has to ask/)
})

test('every scope has a sentence in every language', () => {
  for (const messages of [zh, es, fr, de, en]) {
    for (const scope of everyScope) assert.ok(Object.hasOwn(messages, `scope.${scope}`), scope)
  }
})
