import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { addProduct } from '#test/support/callers/paying.ts'
import { formType, makeForm, makeImage, sendBytes } from '#test/support/images/uploads.ts'

const jpegType = { 'content-type': 'image/jpeg' }

eachDatabase((kind) => {
  describe('images', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())

    const newProduct = async (fields = {}): Promise<string> =>
      `/products/${(await addProduct(admin, fields)).id}`
    const send = (
      url: string,
      body: Buffer | string,
      headers: Readonly<Record<string, string>> = jpegType,
    ) => sendBytes(shop, admin, `${url}/images`, body, headers)
    let colour = 0
    const nextColour = () => `#${(++colour).toString(16).padStart(6, '0')}`
    const add = async (url: string) => {
      const { json, text } = await send(url, await makeImage('png', { background: nextColour() }))
      assert.ok(json?.id, text)
      return json
    }
    const read = async (url: string) => (await shop.request('GET', url)).json
    const download = (address: string) =>
      shop.app.inject({ method: 'GET', url: new URL(address).pathname })

    test('are stored and served in three widths, without metadata, and never enlarged', async () => {
      const product = await newProduct()
      const photo = await sharp(await makeImage('jpeg', { width: 2000, height: 1000 }))
        .withExif({ IFD0: { Artist: 'Somebody' }, IFD3: { GPSLatitudeRef: 'N' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer()
      const { status, json, headers } = await send(product, photo)
      assert.deepEqual([status, headers['location']], [201, `${product}/images/${json.id}`])
      assert.partialDeepStrictEqual(json, { alt: '', position: 1, width: 1000, height: 2000 })
      for (const [width, url] of Object.entries<string>(json.urls)) {
        const { statusCode, headers: sent, rawPayload } = await download(url)
        assert.match(url, new RegExp(`/files/[0-9a-f]{64}-${width}\\.webp$`))
        assert.partialDeepStrictEqual(sent, {
          'content-type': 'image/webp',
          'cache-control': 'public, max-age=31536000, immutable',
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
        })
        const scaled = await sharp(rawPayload).metadata()
        const expected = Math.min(Number(width), 1000)
        assert.deepEqual([statusCode, scaled.width, scaled.format], [200, expected, 'webp'])
        assert.deepEqual([scaled.exif, scaled.orientation], [undefined, undefined])
      }
    })

    test('answer 304 to their ETag, HEAD without a body, and 404 to an unknown name', async () => {
      const { urls } = await add(await newProduct())
      const { pathname: url } = new URL(urls['320'])
      const first = await shop.app.inject({ url })
      const head = await shop.app.inject({ method: 'HEAD', url })
      assert.deepEqual([head.statusCode, head.payload], [200, ''])
      assert.equal(Number(head.headers['content-length']), first.rawPayload.length)
      assert.equal(first.headers['content-encoding'], undefined)
      const known = { 'if-none-match': String(first.headers['etag']) }
      const second = await shop.app.inject({ url, headers: known })
      assert.deepEqual([second.statusCode, second.payload], [304, ''])
      assert.equal(second.headers['cache-control'], 'public, max-age=31536000, immutable')
      const unknown = [
        url.replace('-320', '-321'),
        url.replace('.webp', '.jpg'),
        url.replace(/[0-9a-f]{64}/, '0'.repeat(64)),
        `${url}/../original`,
        '/files/..%2Fcartwright.db',
        '/files/demo-kitchen-1-320.webp',
      ]
      for (const each of unknown) {
        const { statusCode, headers } = await shop.app.inject({ url: each })
        assert.deepEqual([statusCode, headers['cache-control']], [404, 'no-store'], each)
      }
    })

    test('are shown by their product, in both versions, in XML, and as image_url', async () => {
      const product = await newProduct({ image_url: 'https://example.com/own.jpg' })
      assert.deepEqual((await read(product)).images, [])
      const first = await add(product)
      const second = await add(product)
      for (const version of ['/v1', '/v2']) {
        const { images, image_url } = await read(`${version}${product}`)
        assert.deepEqual(
          images,
          [first, second].map(({ id, alt, position, width, height, urls }) => ({
            ...{ id, alt, position, width, height, urls },
          })),
        )
        assert.equal(image_url, first.urls['1280'])
      }
      const { text } = await shop.request('GET', product, undefined, { accept: 'application/xml' })
      assert.match(text, /<images><image><id>\d+<\/id>.*<member name="320">http/)
      const listed = (await read('/products?limit=100&sort=id&order=desc')).data[0]
      assert.deepEqual(listed.images, (await read(product)).images)
      const { _links } = (await admin.request('GET', product)).json
      assert.equal(_links.images.href, `${product}/images`)
    })

    test('keep image_url read-only; what GET returns can be sent back', async () => {
      const product = await newProduct({ image_url: 'https://example.com/own.jpg' })
      const { id, urls } = await add(product)
      const { json } = await admin.request('GET', product)
      const replaced = await admin.request('PUT', product, json)
      assert.deepEqual([replaced.status, replaced.json.image_url], [200, urls['1280']])
      const image_url = 'https://example.com/other.jpg'
      const patched = await admin.request('PATCH', product, { image_url })
      assert.deepEqual([patched.status, patched.json.image_url], [200, urls['1280']])
      await admin.request('DELETE', `${product}/images/${id}`)
      assert.equal((await read(product)).image_url, 'https://example.com/own.jpg')
    })

    test('have dense positions after every change', async () => {
      const product = await newProduct()
      const ids: number[] = []
      for (let index = 0; index < 4; index += 1) ids.push((await add(product)).id)
      const [a, b, c, d] = ids
      const order = async () => {
        const { data } = await read(`${product}/images`)
        assert.deepEqual(
          data.map(({ position }: { position: number }) => position),
          data.map((_: unknown, index: number) => index + 1),
        )
        const inProduct = (await read(product)).images
        assert.deepEqual(
          inProduct.map(({ id }: { id: number }) => id),
          data.map(({ id }: { id: number }) => id),
        )
        return data.map(({ id }: { id: number }) => id)
      }
      const patch = (id: number | undefined, body: object) =>
        admin.request('PATCH', `${product}/images/${id}`, body)
      assert.deepEqual(await order(), [a, b, c, d])
      const moved = await patch(d, { position: 1, alt: 'A pot' })
      assert.partialDeepStrictEqual(moved.json, { position: 1, alt: 'A pot' })
      assert.deepEqual(await order(), [d, a, b, c])
      assert.equal((await patch(d, { position: 50 })).json.position, 4)
      assert.deepEqual(await order(), [a, b, c, d])
      assert.equal((await admin.request('DELETE', `${product}/images/${b}`)).status, 204)
      assert.deepEqual(await order(), [a, c, d])
      assert.equal((await admin.request('GET', `${product}/images/${b}`)).status, 404)
      const described = await patch(a, { alt: 'Another' })
      assert.equal((await read(product)).images[0].alt, 'Another')
      const unchanged = await patch(a, { alt: 'Another', position: 1 })
      assert.equal(unchanged.headers['etag'], described.headers['etag'])
      for (const body of [{ position: 0 }, { position: 51 }, { alt: 'x'.repeat(501) }, { x: 1 }]) {
        assert.equal((await patch(a, body)).status, 422, JSON.stringify(body))
      }
    })

    test('keep dense positions when many change at once', async () => {
      const product = await newProduct()
      const images = await Promise.all(Array.from({ length: 6 }, () => add(product)))
      await Promise.all(
        images.map(({ id }, index) =>
          index % 2 === 0
            ? admin.request('DELETE', `${product}/images/${id}`)
            : admin.request('PATCH', `${product}/images/${id}`, { position: 1 + (index % 3) }),
        ),
      )
      const { data } = await read(`${product}/images`)
      assert.deepEqual(
        data.map(({ position }: { position: number }) => position),
        [1, 2, 3],
      )
    })

    test('are at most 50 of a product', async () => {
      const product = await newProduct()
      const { id } = await add(product)
      const [row] = await shop.db
        .selectFrom('product_images')
        .selectAll()
        .where('id', '=', id)
        .execute()
      const { id: _, ...copy } = row ?? assert.fail()
      await shop.db
        .insertInto('product_images')
        .values(Array.from({ length: 49 }, (_, index) => ({ ...copy, position: index + 2 })))
        .execute()
      const { status, json } = await send(product, await makeImage())
      assert.deepEqual([status, json.error_code], [409, '4091'])
    })

    test('are created once under an Idempotency-Key', async () => {
      const product = await newProduct()
      const image = await makeImage('png', { background: nextColour() })
      const headers = { 'content-type': 'image/png', 'idempotency-key': 'picture-1' }
      const [one, other] = await Promise.all([
        send(product, image, headers),
        send(product, image, headers),
      ])
      const again = await send(product, image, headers)
      const made = [one, other, again].filter(({ status }) => status === 201)
      assert.equal(new Set(made.map(({ json }) => json.id)).size, 1)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.equal((await read(product)).images.length, 1)
      const different = await send(product, await makeImage('png', { width: 9 }), headers)
      assert.deepEqual([different.status, different.json.error_code], [422, '4222'])
    })

    test('go with their product', async () => {
      const product = await newProduct()
      await add(product)
      assert.equal((await admin.request('DELETE', product)).status, 204)
      assert.equal((await shop.request('GET', `${product}/images`)).status, 410)
      assert.equal((await send(product, await makeImage())).status, 410)
      assert.equal((await send('/products/999999', await makeImage())).status, 404)
    })

    test('are added and changed only with both scopes, by administrators', async () => {
      const product = await newProduct()
      const { id } = await add(product)
      const image = await makeImage()
      for (const scopes of [['files:write'], ['products:write']]) {
        const { json } = await admin.request('POST', '/api-keys', { name: 'narrow', scopes })
        const authorization = `Api-Key ${json.key}`
        const headers = { ...jpegType, authorization }
        assert.equal((await send(product, image, headers)).json.error_code, '4033')
        for (const method of ['PATCH', 'DELETE']) {
          const url = `${product}/images/${id}`
          const { json } = await shop.request(method, url, {}, { authorization })
          assert.equal(json.error_code, '4033')
        }
      }
      const customer = await shop.signInAs('customer')
      const forbidden = await sendBytes(shop, customer, `${product}/images`, image, jpegType)
      assert.equal(forbidden.json.error_code, '4031')
    })

    test('of a product are one change of it: one event, another ETag', async () => {
      const product = await newProduct()
      const before = await shop.request('GET', product)
      const { urls } = await add(product)
      const after = await shop.request('GET', product)
      assert.notEqual(before.headers['etag'], after.headers['etag'])
      const { json } = await admin.request('GET', `/events?subject=${product}&limit=1000`)
      const types = json.data.map(({ type }: { type: string }) => type)
      assert.deepEqual(types, ['product.created', 'product.updated'])
      const { images, image_url } = json.data[1].data
      assert.deepEqual([images[0].urls, image_url], [urls, urls['1280']])
    })

    test('come as a form with one file and an optional text', async () => {
      const product = await newProduct()
      const file = { name: 'file', filename: 'a.png', content: await makeImage('png') }
      const alt = { name: 'alt', content: 'Ein Töpfchen' }
      const sendForm = (parts: Parameters<typeof makeForm>[0]) =>
        send(product, makeForm(parts), formType)
      assert.partialDeepStrictEqual((await sendForm([file, alt])).json, { alt: 'Ein Töpfchen' })
      assert.equal((await sendForm([alt, file])).status, 201)
      assert.equal((await sendForm([file])).json.alt, '')
      const rejected: readonly (readonly [Parameters<typeof makeForm>[0], string])[] = [
        [[file, file], '4221'],
        [[alt], '4001'],
        [[{ name: 'file', content: 'no file' }], '4001'],
        [[], '4001'],
        [[{ ...file, name: 'picture' }], '4221'],
        [[file, { name: 'position', content: '1' }], '4221'],
        [[file, alt, alt], '4221'],
        [[file, { name: 'alt', content: 'x'.repeat(20_000) }], '4221'],
        [[file, { name: 'alt', content: 'a\0b' }], '4221'],
        [[file, { name: '__proto__', content: 'x' }], '4221'],
        [Array.from({ length: 1000 }, () => alt), '4002'],
        [[{ ...file, content: 'text' }], '4151'],
        [[file, { name: 'alt', content: Buffer.from([0x61, 0xff]) }], '4002'],
        [[file, { name: 'alt', content: `x${'ä'.repeat(5000)}` }], '4221'],
      ]
      for (const [parts, code] of rejected) {
        const { json, text } = await sendForm(parts)
        const names = parts.slice(0, 3).map(({ name }) => name)
        assert.equal(json?.error_code, code, `${names}: ${text}`)
      }
      const whole = makeForm([file])
      for (const body of [whole.subarray(0, -20), whole.subarray(0, 90), 'no form', '']) {
        const { json } = await send(product, body, formType)
        assert.match(String(json?.error_code), /^400[12]$/, String(body.length))
      }
      const noBoundary = await send(product, whole, { 'content-type': 'multipart/form-data' })
      assert.equal(noBoundary.json.error_code, '4002')
    })

    test('with more than 100 megapixels are rejected, however few bytes they have', async () => {
      const product = await newProduct()
      // The file is small, and would be 300 MB decoded.
      const bomb = await makeImage('png', { width: 10_001, height: 10_000 })
      assert.ok(bomb.length < 10 * 1024 * 1024)
      const claimed = Buffer.from(await makeImage('png'))
      claimed.writeUInt32BE(2 ** 31 - 1, 16)
      claimed.writeUInt32BE(2 ** 31 - 1, 20)
      for (const body of [bomb, claimed]) {
        const { json, text } = await send(product, body, { 'content-type': 'image/png' })
        assert.deepEqual([json?.error_code, json?.errors?.[0].field], ['4221', 'file'], text)
      }
      assert.deepEqual((await read(product)).images, [])
    })

    test('that move are served by their first frame', async () => {
      const product = await newProduct()
      const frame = (background: string) => makeImage('png', { background })
      const frames = [await frame('#ff0000'), await frame('#0000ff')]
      const moving = await sharp(frames, { join: { animated: true } })
        .webp({ loop: 0, delay: [100, 100] })
        .toBuffer()
      assert.equal((await sharp(moving).metadata()).pages, 2)
      const { json, text } = await send(product, moving, { 'content-type': 'image/webp' })
      assert.partialDeepStrictEqual(json, { width: 40, height: 30 }, text)
      const { rawPayload } = await download(json.urls['320'])
      const { pages = 1, height } = await sharp(rawPayload).metadata()
      assert.deepEqual([pages, height], [1, 30])
      const { dominant } = await sharp(rawPayload).stats()
      assert.ok(dominant.r > 200 && dominant.b < 50, JSON.stringify(dominant))
    })

    test('that are something else as well are served without it', async () => {
      const product = await newProduct()
      const script = '<script>alert("polyglot")</script>'
      const archive = Buffer.from('504b0304polyglot', 'latin1')
      const png = await makeImage('png', { background: nextColour() })
      const jpeg = await makeImage('jpeg', { background: nextColour() })
      const comment = Buffer.concat([
        Buffer.from([0xff, 0xfe, 0, script.length + 2]),
        Buffer.from(script),
      ])
      const polyglots: readonly Buffer[] = [
        Buffer.concat([png, Buffer.from(script), archive]),
        Buffer.concat([jpeg, Buffer.from(script), archive]),
        Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]),
      ]
      for (const polyglot of polyglots) {
        const { json, text } = await send(product, polyglot)
        assert.ok(json?.urls, text)
        for (const url of Object.values<string>(json.urls)) {
          const { rawPayload, headers } = await download(url)
          assert.equal(headers['content-type'], 'image/webp')
          assert.ok(!rawPayload.includes('polyglot'))
        }
      }
    })

    test('are rejected where they are no image that a browser shows', async () => {
      const product = await newProduct()
      const png = await makeImage('png')
      const jpeg = await makeImage('jpeg', { width: 300, height: 300 })
      const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
      const rejected: readonly (readonly [string, Buffer | string, string, string])[] = [
        ['a GIF', await makeImage('gif'), 'image/png', '4151'],
        ['a GIF that is a script', 'GIF89a/*=1;*/alert(1)', 'image/jpeg', '4151'],
        ['an SVG', svg, 'image/png', '4151'],
        ['HTML', '<!doctype html><script>alert(1)</script>', 'image/webp', '4151'],
        ['nothing', '', 'image/jpeg', '4151'],
        ['another declared type', png, 'image/svg+xml', '4151'],
        ['JSON', '{}', 'application/json', '4151'],
        ['a truncated JPEG', jpeg.subarray(0, jpeg.length - 300), 'image/jpeg', '4221'],
        ['a truncated PNG', png.subarray(0, png.length - 20), 'image/png', '4221'],
        ['only the beginning of a PNG', png.subarray(0, 40), 'image/png', '4221'],
        ['too many bytes', Buffer.alloc(10 * 1024 * 1024 + 1), 'image/jpeg', '4131'],
      ]
      for (const [name, body, type, code] of rejected) {
        const { json, text } = await send(product, body, { 'content-type': type })
        assert.equal(json?.error_code, code, `${name}: ${text}`)
      }
      assert.deepEqual((await read(product)).images, [])
      const other = await send(product, png, { 'content-type': 'image/webp' })
      assert.equal(other.status, 201, 'the content decides')
    })
  })
})
