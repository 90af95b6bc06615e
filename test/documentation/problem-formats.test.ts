import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { errorCatalogue } from '#i18n/error-codes.ts'
import { languages } from '#i18n/languages.ts'
import {
  startTestApp,
  type TestApp,
  type TestCaller,
  type TestResponse,
  testPassword,
} from '#test/support/app.ts'
import { type Node, resolve } from '#test/support/openapi.ts'

const simple = 'application/json; profile="simple-error"'

describe('the format and language of errors', () => {
  let shop: TestApp
  before(async () => {
    const baseUrl = 'https://shop.example'
    shop = await startTestApp('memory', { composition: { baseUrl } })
  })
  after(() => shop.dispose())

  const failing = (accept: string, language = 'de-CH', url = '/products/999?x=1') =>
    shop.request('GET', url, undefined, { accept, 'accept-language': language })

  test('a problem has the members of RFC 9457 and those of the standard shape', async () => {
    const { status, headers, json } = await failing('application/problem+json', 'fr', '/products/9')
    assert.equal(status, 404)
    assert.equal(headers['content-type'], 'application/problem+json')
    assert.equal(headers['content-language'], 'fr')
    const { timestamp, request_id, ...rest } = json
    assert.equal(timestamp, new Date(shop.now).toISOString())
    assert.equal(request_id, headers['x-request-id'])
    assert.deepEqual(rest, {
      type: 'https://shop.example/problems/4041',
      title: languages.fr['title.4041'],
      status: 404,
      detail: 'Rien n’a cet identifiant (produit).',
      instance: '/products/9',
      error_code: '4041',
      suggestion: languages.fr['suggestion.4041'],
    })
  })

  test('every shape lists the field errors in the requested language', async () => {
    const { 'field.required': required } = languages.zh
    const json = { 'content-type': 'application/json', 'accept-language': 'zh-CN' }
    const ask = (accept: string) =>
      shop.app.inject({
        method: 'POST',
        url: '/users',
        headers: { ...json, accept },
        payload: '{}',
      })
    for (const accept of ['application/json', 'application/problem+json']) {
      const { errors } = (await ask(accept)).json()
      assert.deepEqual(errors[0], { field: 'name', message: required }, accept)
    }
    const simpleError = (await ask(simple)).json()
    assert.equal(simpleError.error, 'missing_or_malformed_parameter')
    assert.deepEqual(simpleError.details[0], { field: 'name', message: required })
    const xml = (await ask('application/problem+xml')).payload
    assert.match(xml, /^<\?xml [^>]+><problem xmlns="urn:ietf:rfc:7807"><type>/)
    assert.ok(xml.includes(`<errors><i><field>name</field><message>${required}</message></i>`), xml)
    const standardXml = (await ask('application/xml')).payload
    assert.ok(standardXml.includes(`<message>${required}</message>`), standardXml)
  })

  test('problem XML escapes a field name that XML cannot represent', async () => {
    const { status, text } = await shop.request(
      'POST',
      '/users',
      { name: 'A', username: 'a', password: 'long enough', 'a\u0000<b>': 1 },
      { accept: 'application/problem+xml' },
    )
    assert.equal(status, 422)
    assert.ok(text.includes('<field>a\\u0000&lt;b&gt;</field>'), text)
  })

  test('accepting problems still gets resources as JSON', async () => {
    const accepted = [
      'application/problem+json',
      'application/problem+json, application/json',
      simple,
    ]
    for (const accept of accepted) {
      const { status, headers } = await shop.request('GET', '/products', undefined, { accept })
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    }
    const { status } = await failing('application/problem+json, application/json;q=0', 'en')
    assert.equal(status, 406)
  })

  test('every error has Content-Language and varies by Accept and Accept-Language', async () => {
    const requests: readonly (readonly [method: string, url: string, code: string])[] = [
      ['GET', '/nowhere', '4042'],
      ['TRACE', '/products', '4051'],
      ['GET', '/products?x=1', '4003'],
      ['GET', '/openapi.json?x=1', '4003'],
      ['GET', '/problems/4000', '4041'],
      ['GET', '/users/1/cart', '4011'],
      ['GET', '/%zz', '4001'],
    ]
    for (const [method, url, code] of requests) {
      const headers = { 'accept-language': 'es-419', accept: 'application/problem+json' }
      const answer = await shop.request(method, url, undefined, headers)
      assert.equal(JSON.parse(answer.text).error_code, code, answer.text)
      assert.equal(JSON.parse(answer.text).title, languages.es[`title.${code}` as 'title.4001'])
      assertNegotiated(answer, 'es')
    }
  })

  function assertNegotiated({ headers, text }: TestResponse, language: string): void {
    assert.equal(headers['content-language'], language, text)
    assert.equal(headers['cache-control'], 'no-store', text)
    const vary = (headers['vary'] ?? '').split(', ')
    for (const name of ['Accept', 'Accept-Encoding', 'Accept-Language']) {
      assert.ok(vary.includes(name), `${name} is not in ${vary}: ${text}`)
    }
  }

  test('a response without messages has no Content-Language and does not vary by it', async () => {
    const headers = { 'accept-language': 'de' }
    for (const url of ['/', '/products', '/openapi.json']) {
      const answer = await shop.request('GET', url, undefined, headers)
      assert.equal(answer.headers['content-language'], undefined)
      assert.doesNotMatch(answer.headers['vary'] ?? '', /Accept-Language/)
    }
  })

  test('an error is replayed in the language and format of the repeated request', async () => {
    const { username } = await shop.signUp()
    const { request } = await shop.signInAs('customer')
    const body = { name: 'A', username, password: testPassword }
    const ask = (headers: Readonly<Record<string, string>>) =>
      request('POST', '/users', body, { 'idempotency-key': 'k-1', ...headers })
    const first = await ask({ 'accept-language': 'de' })
    const again = await ask({ 'accept-language': 'es', accept: 'application/problem+json' })
    assert.equal(first.json.message, languages.de['title.4092'], first.text)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal(again.headers['content-language'], 'es')
    assert.equal(again.json.title, languages.es['title.4092'])
    assert.equal(again.json.request_id, first.json.request_id)
  })

  test('with the simple shape as the default, problem+json is still available', async () => {
    const other = await startTestApp('memory', { composition: { errorShape: 'simple' } })
    try {
      const standard = await other.request('GET', '/products/9')
      assert.equal(standard.json.error, 'no_such_resource')
      assert.equal(standard.headers['content-type'], 'application/json; charset=utf-8')
      const accept = 'application/problem+json'
      const { json } = await other.request('GET', '/products/9', undefined, { accept })
      assert.equal(json.type, '/problems/4041')
    } finally {
      await other.dispose()
    }
  })

  test('OpenAPI describes every error of every operation in every media type', () => {
    const document = shop.describe()
    const errorResponses = Object.values(document.paths)
      .flatMap(({ parameters: _, ...operations }) => Object.values(operations))
      .flatMap(({ responses }) => Object.entries(responses as Node))
      .filter(([status]) => status === 'default' || Number(status) >= 400)
      .map(([, response]) => resolve(document, response))
    const described = new Set(
      errorResponses.flatMap(({ description }) =>
        [...String(description).matchAll(/^`(\d{4})`/gm)].map(([, code]) => code),
      ),
    )
    assert.ok(described.size > Object.keys(errorCatalogue).length / 2)
    for (const { content } of errorResponses) {
      assert.deepEqual(Object.keys(content as Node), [
        'application/json',
        'application/xml',
        'application/problem+json',
        'application/problem+xml',
        simple,
        'application/xml; profile="simple-error"',
      ])
    }
  })
})

describe('the status of a cart', () => {
  let shop: TestApp
  let customer: TestCaller
  before(async () => {
    shop = await startTestApp('memory')
    customer = await shop.signInAs('customer')
    const admin = await shop.signInAs('admin')
    const product = { name: 'Kettle', price: 5, stock: 3 }
    const { json } = await admin.request('POST', '/products', product)
    await customer.request('POST', '/cart', { product_id: json.id, quantity: 3 })
    await admin.request('PATCH', `/products/${json.id}`, { stock: 1 })
  })
  after(() => shop.dispose())

  const read = (headers: Readonly<Record<string, string>> = {}) =>
    customer.request('GET', `/users/${customer.id}/cart/status`, undefined, headers)

  test('has its problems in the requested language, under its own ETag', async () => {
    const english = await read()
    const german = await read({ 'accept-language': 'de' })
    assert.equal(german.json.problems[0].message, 'Kettle: 3 gewünscht, 1 auf Lager.')
    assert.equal(english.json.problems[0].message, 'Kettle: 3 requested, 1 in stock.')
    assert.equal(german.headers['content-language'], 'de')
    assert.equal(english.headers['content-language'], 'en')
    for (const { headers } of [english, german])
      assert.match(headers['vary'] ?? '', /Accept-Language/)
    assert.notEqual(german.headers['etag'], english.headers['etag'])
  })

  test('is not answered with 304 in another language', async () => {
    const { headers } = await read({ 'accept-language': 'fr' })
    const known = { 'if-none-match': headers['etag'] ?? '' }
    const same = await read({ 'accept-language': 'fr', ...known })
    assert.equal(same.status, 304)
    assert.match(same.headers['vary'] ?? '', /Accept-Language/)
    assert.equal((await read({ 'accept-language': 'es', ...known })).status, 200)
  })
})
