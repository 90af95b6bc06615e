import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ndjsonType, xlsxType } from '#http/message/media-type.ts'
import { gtinOf } from '#test/contract/setup/valid-requests.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { startGuest } from '#test/support/callers/guest.ts'
import { sendBytes, validUpload } from '#test/support/images/uploads.ts'
import { runWaitingImports } from '#test/support/imports.ts'

/** Texts that CSV quotes, that exports guard, or that are easily changed. */
const texts = [
  '=1+1',
  "'=1+1",
  '＝1+1',
  '＠SUM(1)',
  "'quoted'",
  '-5',
  '+49 30',
  '@handle',
  '12',
  '1e3',
  'true',
  'null',
  ' spaces around ',
  'a, "b"; c',
  'lines\nand\r\nlines',
  'Ünï 茶 🫖 e\u0301',
  '{"json":[1]}',
]

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  const create = async (path: string, body: object) => {
    const { status, json, text } = await admin.request('POST', path, body)
    assert.equal(status, 201, text)
    return json
  }

  /** The ETags of everything in a collection, by path. */
  async function readEtags(list: string): Promise<Map<string, string | undefined>> {
    const paths: string[] = []
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { json } = await admin.request('GET', `${list}&page=${page}`)
      pages = json.pagination.total_pages
      for (const { _links } of json.data) {
        paths.push(new URL(_links.self.href, 'http://localhost').pathname)
      }
    }
    const etags = new Map<string, string | undefined>()
    for (const path of paths) {
      const { headers, status } = await admin.request('GET', path)
      assert.equal(status, 200)
      etags.set(path, headers['etag'])
    }
    return etags
  }

  /** Exports a collection, imports the file, and returns the operation with its errors. */
  async function sendBack(resource: string, list: string, mediaType: string) {
    const authorization = `Bearer ${admin.token}`
    const headers = { authorization, accept: mediaType }
    const { statusCode, rawPayload } = await shop.app.inject({ url: list, headers })
    assert.equal(statusCode, 200, rawPayload.toString())
    shop.now += 1000
    const started = await shop.app.inject({
      method: 'POST',
      url: `/imports?resource=${resource}`,
      headers: { authorization, 'content-type': mediaType },
      payload: rawPayload,
    })
    assert.equal(started.statusCode, 202, started.payload)
    await runWaitingImports(shop)
    const path = `/operations/${started.json().id}`
    const errors = await admin.request('GET', `${path}/errors?limit=100`)
    const codes = errors.json.data.map(
      ({ field, error_code }: { field: string; error_code: string }) => [field, error_code],
    )
    return {
      operation: (await admin.request('GET', path)).json,
      codes,
      text: rawPayload.toString(),
    }
  }

  const forms = ['text/csv', ndjsonType, xlsxType].flatMap((mediaType) =>
    [1, 2].map((version) => ({ mediaType, version, key: `${mediaType.slice(-3)}${version}` })),
  )
  for (const { mediaType, version, key } of forms) {
    test(`exported products of version ${version} are imported unchanged as ${mediaType}`, async () => {
      for (const [at, text] of texts.entries()) {
        await create('/products', {
          sku: `${text.trim()} ${at} ${key}`,
          name: text,
          ...(at === 2
            ? { description_html: '<h2>Care</h2><ul><li>Dry &amp; clean</li></ul>' }
            : { description: text }),
          category: text.trim(),
          price: 19.99 + at,
          stock: at === 0 ? null : at - 1,
          availability: (['in_stock', 'preorder', 'discontinued'] as const)[at % 3],
          brand: text.trim(),
          tax_class: at % 2 ? text.trim() : null,
          handle: at % 2 ? null : `h-${key}-${at}`,
          gtin: at % 2 ? null : gtinOf(1000 * forms.findIndex((each) => each.key === key) + at),
          external_id: at % 2 ? `=${at}${key}` : null,
          cost_price: at % 2 ? 2.5 : null,
          compare_at_price: at % 2 ? 30.5 : null,
          weight_grams: at % 2 ? null : at,
          unit_measure: at % 2 ? { quantity: '0.750', unit: 'ml' } : null,
          requires_shipping: at % 2 === 0,
          tags: at % 2 ? [text, 'a,b', '"'] : [],
          attributes: at % 2 ? { [text.trim()]: text, '12': '12', n: 2.5, l: [text, '[1]'] } : null,
          seo_title: at % 2 ? text : null,
          seo_description: at % 2 ? null : text,
          image_url: at % 2 ? 'https://images.example.com/a,b.jpg' : null,
        })
      }
      const parent = await create('/products', { sku: `P-${key}`, name: 'Shirt', price: 9 })
      for (const size of ['S', 'M "wide"']) {
        const variant = { name: `Shirt ${size}`, price: 8, variant_of: parent.id, stock: 3 }
        await create('/products', { ...variant, sku: `${size}-${key}`, options: { size } })
      }
      const { payload, headers } = validUpload
      await sendBytes(shop, admin, `/products/${parent.id}/images`, payload, headers)
      const unkeyed = await create('/products', { name: 'Without a SKU', price: 1 })
      const list = `/v${version}/products?variants=all&limit=100`
      const before = await readEtags(list)
      const { operation, codes, text } = await sendBack('products', list, mediaType)
      assert.deepEqual(await readEtags(list), before)
      const named = mediaType === 'text/csv' ? `P-${key}\r\n` : `"variant_of_sku":"P-${key}"}\n`
      const isText = mediaType !== xlsxType
      if (isText) assert.equal(text.split(named).length - 1, 2, 'a variant names its parent')
      assert.deepEqual(codes, [], 'what has no SKU is found by its handle')
      const unchanged = before.size
      assert.partialDeepStrictEqual(operation.result, { created: 0, updated: 0, unchanged })
      await admin.request('DELETE', `/products/${unkeyed.id}`)
    })

    test(`exported users of version ${version} are imported unchanged as ${mediaType}`, async () => {
      for (const [at, text] of texts.entries()) {
        await create('/users', {
          name: text,
          email: `Round.Trip-${at}-${key}@Example.com`,
          age: at % 2 ? at : null,
          username: at % 3 ? `=${at}${key}` : undefined,
          status: at % 4 ? 'active' : 'suspended',
          language: at % 2 ? 'de' : 'zh',
          role: at === 1 ? 'admin' : 'customer',
        })
      }
      const email = `round.trip-0-${key}@example.com`
      for (const name of ['Ada', 'Eve']) await startGuest(shop, { name, email })
      await startGuest(shop)
      const list = `/v${version}/users?limit=100`
      const before = await readEtags(list)
      const { operation, codes } = await sendBack('users', list, mediaType)
      assert.deepEqual(await readEtags(list), before)
      const users = await Promise.all([...before.keys()].map((path) => admin.request('GET', path)))
      // An email identifies no guest, and not everybody else has one.
      const rejected = users.flatMap(({ json: { email, role } }) =>
        email === null ? [['email', '4001']] : role === 'guest' ? [['role', '4031']] : [],
      )
      const byText = (codes: unknown[]) => codes.map(String).sort()
      assert.deepEqual(byText(codes), byText(rejected))
      const unchanged = before.size - rejected.length
      assert.partialDeepStrictEqual(operation.result, { created: 0, updated: 0, unchanged })
    })
  }
})
