import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import sharp from 'sharp'
import { maxImageBytes } from '#src/files/image-type.ts'
import { eachDatabase } from '#test/support/app.ts'
import { makeImage } from '#test/support/images/uploads.ts'
import { type ImportingShop, runWaitingImports, startImportingShop } from '#test/support/imports.ts'

/** A server of images that another one cannot be, too. */
async function startImageServer() {
  const red = await makeImage('png', { background: '#aa0000' })
  const blue = await makeImage('jpeg', { background: '#0000aa' })
  const bomb = await sharp({
    create: { width: 16_000, height: 16_000, channels: 3, background: '#ffffff' },
  })
    .png()
    .toBuffer()
  const requests: string[] = []
  const answers: Readonly<Record<string, RequestListener>> = {
    '/red.png': (_, response) => response.end(red),
    '/same.png': (_, response) => response.end(red),
    '/blue.jpg': (_, response) => response.end(blue),
    '/page': (_, response) => response.setHeader('content-type', 'image/png').end('<html></html>'),
    '/bomb.png': (_, response) => response.end(bomb),
    '/moved': (_, response) => response.writeHead(302, { location: '/blue.jpg' }).end(),
    '/private': (_, response) =>
      response.writeHead(302, { location: 'http://10.0.0.1/secret.png' }).end(),
    '/metadata': (_, response) =>
      response.writeHead(301, { location: 'http://[::ffff:169.254.169.254]/latest' }).end(),
    '/file': (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
    '/large': (_, response) => response.end(Buffer.alloc(maxImageBytes + 1)),
    '/endless': (_, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        response.once('drain', write)
      }
      write()
    },
    '/silent': () => undefined,
    '/slow': (_, response) => response.write('x'),
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    requests.push(pathname)
    const answer = answers[pathname]
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    requests,
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

eachDatabase((kind) => {
  let shop: ImportingShop
  let server: Awaited<ReturnType<typeof startImageServer>>
  before(async () => {
    server = await startImageServer()
    shop = await startImportingShop(kind)
  })
  after(async () => {
    await shop.dispose()
    server.close()
  })
  beforeEach(() => {
    server.requests.length = 0
  })
  const shown = async (sku: string) =>
    ((await shop.productOf(sku)).images ?? []).map(({ position, alt }: Record<string, unknown>) => [
      position,
      alt,
    ])
  const rowsOf = (sku: string, ...paths: string[]) =>
    `sku,name,price,image_urls\n${sku},Tee,5,"${paths.map(server.url).join(', ')}"\n`

  test('images of a file become those of products, and a second import fetches none', async () => {
    const file = rowsOf('TWO', '/red.png', '/moved', '/same.png')
    const { operation, errors } = await shop.importFile('products', file)
    assert.deepEqual(errors, [])
    assert.deepEqual(operation.progress.images, { done: 3, total: 3, failed: 0 })
    const product = await shop.productOf('TWO')
    // Equal content is one image.
    assert.deepEqual(await shown('TWO'), [
      [1, ''],
      [2, ''],
    ])
    assert.match(product.image_url, /\/files\/[0-9a-f]+-1280\.webp$/)
    server.requests.length = 0
    const again = await shop.importFile('products', rowsOf('TWO', '/red.png', '/moved'))
    assert.partialDeepStrictEqual(again.operation.result, { created: 0, updated: 0, unchanged: 1 })
    assert.deepEqual(server.requests, [])
    assert.equal((await shop.productOf('TWO')).updated_at, product.updated_at)
  })

  test('the images of a file are the first ones, in its order; uploaded ones stay', async () => {
    await shop.importFile('products', rowsOf('ORDER', '/red.png'))
    const { id } = await shop.productOf('ORDER')
    const [image] = (await shop.productOf('ORDER')).images
    await shop.admin.request('PATCH', `/products/${id}/images/${image.id}`, { alt: 'By hand' })
    await shop.importFile('products', rowsOf('ORDER', '/blue.jpg'))
    assert.deepEqual(await shown('ORDER'), [
      [1, ''],
      [2, 'By hand'],
    ])
  })

  test('images of Shopify have their texts and positions, and variants their own', async () => {
    const file = [
      'Handle,Title,Variant Price,Option1 Name,Option1 Value,Variant SKU,Image Src,Image Position,Image Alt Text,Variant Image',
      `pot,Pot,5,Size,S,POT-S,${server.url('/blue.jpg?1')},2,Back,`,
      `pot,,6,,L,POT-L,${server.url('/red.png?1')},1,Front,${server.url('/red.png?1')}`,
      `pot,,,,,,${server.url('/gone.png')},3,,`,
    ].join('\n')
    const { operation, errors } = await shop.importFile('products', file)
    assert.deepEqual(errors, [[4, 'image_urls', '4221']])
    assert.deepEqual(operation.progress.images, { done: 3, total: 4, failed: 1 })
    assert.equal(operation.outcome, 'complete')
    assert.deepEqual(await shown('pot'), [
      [1, 'Front'],
      [2, 'Back'],
    ])
    assert.equal((await shown('POT-L')).length, 1)
    assert.equal((await shown('POT-S')).length, 0)
  })

  test('what cannot be fetched is listed with its row', async () => {
    const cases: readonly (readonly [path: string, code: string])[] = [
      ['/none.png', '4221'],
      ['/page', '4151'],
      ['/bomb.png', '4221'],
      ['/private', '4221'],
      ['/metadata', '4221'],
      ['/file', '4221'],
      ['/loop', '4221'],
      ['/large', '4131'],
      ['/endless', '4131'],
      ['/slow', '4221'],
    ]
    const lines = cases.map(([path], at) => `BAD-${at},Tee,5,${server.url(path)}`)
    const others = ['BAD-A,Tee,5,ftp://a.example/a.png', 'BAD-B,Tee,5,http://10.1.2.3/a.png']
    const file = `sku,name,price,image_urls\n${[...lines, ...others].join('\n')}\n`
    const { operation, errors } = await shop.importFile('products', file)
    assert.partialDeepStrictEqual(operation.progress, { done: 12, failed: 0 })
    assert.deepEqual(operation.progress.images, { done: 0, total: 12, failed: 12 })
    const expected = [...cases.map(([, code]) => code), '4221', '4221']
    assert.deepEqual(
      errors.toSorted((one: number[], other: number[]) => Number(one[0]) - Number(other[0])),
      expected.map((code, at) => [at + 2, 'image_urls', code]),
    )
  })

  test('of a credential without the scope of files are errors', async () => {
    const scopes = ['imports:write', 'products:write']
    const { json: key } = await shop.admin.request('POST', '/api-keys', { name: 'narrow', scopes })
    const started = await shop.shop.app.inject({
      method: 'POST',
      url: '/imports?resource=products',
      headers: { authorization: `Api-Key ${key.key}`, 'content-type': 'text/csv' },
      payload: rowsOf('NARROW', '/red.png'),
    })
    await runWaitingImports(shop.shop)
    const path = `/operations/${started.json().id}`
    assert.deepEqual((await shop.read(path)).progress.images, { done: 0, total: 1, failed: 1 })
    assert.deepEqual(
      (await shop.read(`${path}/errors`)).data.map(({ error_code }: never) => error_code),
      ['4033'],
    )
    assert.deepEqual(server.requests, [])
  })

  test('a host that does not answer is given up', async () => {
    const lines = Array.from(
      { length: 12 },
      (_, at) => `HUSH-${at},Tee,5,${server.url('/silent')}?${at}`,
    )
    const { operation } = await shop.importFile(
      'products',
      `sku,name,price,image_urls\n${lines.join('\n')}\n`,
    )
    assert.deepEqual(operation.progress.images, { done: 0, total: 12, failed: 12 })
    // Four at a time, until three have failed.
    assert.ok(server.requests.length <= 8, `${server.requests.length} requests`)
  })

  test('a product has at most 50 images; the others are errors', async () => {
    const paths = Array.from({ length: 52 }, (_, at) => `/red.png?n=${at}`)
    const { operation, errors } = await shop.importFile('products', rowsOf('MANY', ...paths))
    assert.deepEqual(errors, [
      [2, 'image_urls', '4091'],
      [2, 'image_urls', '4091'],
    ])
    assert.deepEqual(operation.progress.images, { done: 50, total: 52, failed: 2 })
  })

  test('a process that dies meanwhile leaves no image twice', async () => {
    const lines = Array.from({ length: 6 }, (_, at) => `DIE-${at},Tee,5,${server.url('/red.png')}`)
    const file = `sku,name,price,image_urls\n${lines.join('\n')}\n`
    const { starts, operation } = await shop.importWithKills('products', file)
    assert.ok(starts > 2)
    assert.deepEqual(operation.progress.images, { done: 6, total: 6, failed: 0 })
    for (let at = 0; at < 6; at += 1) assert.equal((await shown(`DIE-${at}`)).length, 1)
  })

  test('an import that is cancelled meanwhile adds no further image', async () => {
    const path = await shop.begin('products', rowsOf('STOP', '/red.png', '/blue.jpg'))
    const { parts } = shop.shop
    await runWaitingImports(shop.shop, {
      transaction: async (work) => {
        if ((await shop.read(path)).progress.images) await shop.admin.request('DELETE', path)
        return parts.transaction(work)
      },
    })
    assert.equal((await shop.read(path)).status, 'cancelled')
    assert.deepEqual(await shown('STOP'), [])
    const { length } = await shop.shop.db.selectFrom('operation_images').selectAll().execute()
    assert.ok(length <= 1)
  })
})
