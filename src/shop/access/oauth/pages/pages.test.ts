import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '#http/declare/actor.ts'
import { html } from '#http/html/html.ts'
import { pageHeaders } from '#http/html/page.ts'
import { de } from '#i18n/oauth-pages/de.ts'
import { en } from '#i18n/oauth-pages/en.ts'
import { es } from '#i18n/oauth-pages/es.ts'
import { fr } from '#i18n/oauth-pages/fr.ts'
import { zh } from '#i18n/oauth-pages/zh.ts'
import { allScopes } from '#shop/access/oauth/scopes.ts'
import { type ConsentTerm, consentPage } from './consent.ts'
import { localizedMessages } from './language.ts'
import { signInPage } from './sign-in.ts'

const parameters = (message: string): string => (message.match(/\{\w+\}/g) ?? []).sort().join()

test('every language has every message, with the same parameters', () => {
  for (const [name, messages] of Object.entries({ zh, es, fr, de })) {
    assert.deepEqual(Object.keys(messages), Object.keys(en), name)
    for (const [key, english] of Object.entries(en)) {
      const translated = messages[key as keyof typeof en]
      assert.equal(parameters(translated), parameters(english), `${name} ${key}`)
      assert.notEqual(translated, '')
    }
  }
})

const languageCases: readonly (readonly [string | undefined, string | undefined, string])[] = [
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

test('ui_locales of the client takes precedence over Accept-Language of the browser', () => {
  for (const [uiLocales, acceptLanguage, expected] of languageCases) {
    assert.equal(localizedMessages('shop', uiLocales, acceptLanguage).tag, expected)
  }
})

test('values are escaped in a page', () => {
  const evil = `"><script>alert('&')</script>`
  assert.equal(
    html`<p title="${evil}">${[html`<b>${evil}</b>`]}</p>`.text,
    `<p title="${'&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;'}"><b>${'&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;'}</b></p>`,
  )
  const options = { client: evil, csrf: evil, username: evil, isRemembered: false, problems: [] }
  assert.doesNotMatch(signInPage(localizedMessages(evil, 'en'), 200, options).text, /<script/)
})

test('form-action allows the origin of the client only', () => {
  const policyFor = (...redirectUris: readonly string[]) =>
    pageHeaders({ text: '', language: 'en' }, redirectUris)['content-security-policy'] ?? ''
  assert.match(
    policyFor('https://app.example/back?x=1'),
    /form-action 'self' https:\/\/app\.example;/,
  )
  for (const invalid of ['', 'javascript:alert(1)', "x'; script-src *"]) {
    assert.match(policyFor(invalid), /form-action 'self';/)
  }
  assert.doesNotMatch(policyFor(), /script-src/)
})

const renderConsent = (
  role: Role,
  granted: readonly string[],
  kind: ConsentTerm['kind'] = 'lasting',
) =>
  consentPage(localizedMessages('shop', 'en'), {
    client: 'Parcel Tracker',
    name: 'Ada',
    role,
    csrf: '',
    host: 'app.example',
    isNative: false,
    granted,
    rejected: [],
    term: { minutes: 15, days: 90, kind },
    privacyUrl: undefined,
    termsUrl: undefined,
  }).text

test('the consent page warns administrators about access to all data, but not customers', () => {
  const scopes = ['openid', 'orders:read', 'users:write', 'keys:write']
  const customer = renderConsent('customer', scopes)
  assert.match(customer, /<li>See your orders and payments<\/li>/)
  assert.doesNotMatch(customer, /all (customers|users)|administrator/)
  const admin = renderConsent('admin', scopes)
  assert.match(admin, /You are an administrator/)
  assert.match(admin, /<li>See the orders and payments of all customers<\/li>/)
  assert.match(admin, /accounts of all users/)
  assert.doesNotMatch(admin, /your orders/)
  assert.doesNotMatch(
    renderConsent('admin', ['openid', 'reviews:write']),
    /You are an administrator/,
  )
})

test('the consent page states the duration', () => {
  assert.match(
    renderConsent('customer', []),
    /Duration of access[\s\S]*Until you revoke it, at most 90 days/,
  )
  assert.match(renderConsent('customer', [], 'passing'), /15 minutes at a time[\s\S]*90 days/)
  assert.match(
    renderConsent('customer', [], 'once'),
    /15 minutes\. Then the application has to ask/,
  )
})

test('every scope has a description in every language', () => {
  for (const messages of [zh, es, fr, de, en]) {
    for (const scope of allScopes) assert.ok(Object.hasOwn(messages, `scope.${scope}`), scope)
  }
})
