import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ErrorCode, errorCatalogue } from '#i18n/error-codes.ts'
import { languages } from '#i18n/languages.ts'
import { startTestApp, type TestApp } from '#test/support/app.ts'

const codes = Object.keys(errorCatalogue) as readonly ErrorCode[]
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

describe('the error code pages', () => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp('memory')
  })
  after(() => shop.dispose())

  const read = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    shop.request('GET', url, undefined, headers)

  test('explain every code, on one page and on its own, in every language', async () => {
    for (const [language, sentences] of Object.entries(languages)) {
      const headers = { 'accept-language': language }
      const all = await read('/problems', headers)
      assert.equal(all.status, 200)
      assert.equal(all.headers['content-language'], language)
      assert.equal(all.json.total_items, codes.length)
      assert.deepEqual(
        all.json.data.map(({ error_code }: { error_code: string }) => error_code),
        codes,
      )
      const { _links, ...fields } = (await read('/problems/4093', headers)).json
      assert.deepEqual(fields, {
        error_code: '4093',
        status: 409,
        label: 'out_of_stock',
        title: sentences['title.4093'],
        explanation: sentences['explanation.4093'],
        suggestion: sentences['suggestion.4093'],
      })
      assert.equal(_links.problems.href, '/problems')
    }
  })

  test('are linked from the root, and each from the list', async () => {
    const { href } = (await read('/')).json._links.problems
    const { data } = (await read(href)).json
    for (const { _links } of data) assert.equal((await read(_links.self.href)).status, 200)
  })

  test('are XML on request', async () => {
    const { headers, text } = await read('/problems/4041', { accept: 'application/xml' })
    assert.equal(headers['content-type'], 'application/xml; charset=utf-8')
    assert.match(text, /^<\?xml [^>]+><problem><error_code>4041<\/error_code>/)
    const all = await read('/problems', { accept: 'application/xml' })
    assert.match(all.text, /<problems><total_items>\d+<\/total_items><data><problem>/)
  })

  test('are HTML without scripts for browsers, in their language', async () => {
    for (const url of ['/problems', '/problems/4041', '/v2/problems/4041']) {
      const { status, headers, text } = await read(url, {
        accept: browser,
        'accept-language': 'de',
      })
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.match(text, /^<!doctype html>\n<html lang="de">/)
      assert.ok(text.includes(languages.de['explanation.4041']))
      assert.match(headers['content-security-policy'] ?? '', /default-src 'none'/)
      assert.doesNotMatch(text, /<script/)
    }
  })

  test('link to one another within the same version', async () => {
    const hrefs = async (url: string) =>
      [...(await read(url, { accept: 'text/html' })).text.matchAll(/ href="([^"]+)"/g)]
        .map(([, href = '']) => href)
        .filter((href) => !href.startsWith('data:'))
        .map((href) => new URL(href, `http://shop.example${url}`).pathname)
    assert.deepEqual(await hrefs('/v2/problems/4041'), ['/v2/problems'])
    const paths = codes.map((code) => `/problems/${code}`)
    assert.deepEqual(await hrefs('/problems'), paths)
  })

  test('are cacheable for five minutes, with an ETag for each media type and language', async () => {
    const variants = ['application/json', 'application/xml', 'text/html'].flatMap((accept) =>
      Object.keys(languages).map((language) => ({ accept, 'accept-language': language })),
    )
    const tags = new Set<string>()
    for (const variant of variants) {
      const { headers } = await read('/problems/4041', variant)
      tags.add(headers['etag'] ?? '')
      const control = 'public, max-age=300, must-revalidate, proxy-revalidate'
      assert.equal(headers['cache-control'], control)
      assert.equal(headers['expires'], new Date(shop.now + 300_000).toUTCString())
      assert.equal(headers['vary'], 'Accept, Accept-Encoding, Accept-Language')
      const known = { 'if-none-match': headers['etag'] ?? '' }
      assert.equal((await read('/problems/4041', { ...variant, ...known })).status, 304)
    }
    assert.equal(tags.size, variants.length)
  })

  test('answer 404 for an unknown code', async () => {
    for (const code of ['4000', '404', '0', 'x', '40410', 'constructor']) {
      const { status, json } = await read(`/problems/${code}`)
      assert.equal(`${status} ${json.error_code}`, '404 4041', code)
    }
  })
})
