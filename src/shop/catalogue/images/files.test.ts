import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLocalStorage } from '#src/files/local.ts'
import type { Scaler } from '#src/files/scale.ts'
import type { FileStorage } from '#src/files/storage.ts'
import { eachDatabase, startTestApp, type TestOptions } from '#test/support/app.ts'
import { addProduct } from '#test/support/callers/paying.ts'
import { sendBytes, validUpload } from '#test/support/images/uploads.ts'
import { createEmptyFolder } from '#test/support/services/command.ts'
import type { StoreKind } from '#test/support/services/databases.ts'
import { hourMs } from '#values/instant.ts'
import { removeUnusedFiles, storeImage } from './files.ts'

const fail = (error: unknown): never => {
  throw error
}

/** A scaler without `sharp`. */
const noScaler: Scaler = {
  isAvailable: () => false,
  render: async (bytes, type) => ({
    width: null,
    height: null,
    original: { bytes, type },
    derivatives: new Map(),
  }),
}

eachDatabase((kind: StoreKind) => {
  const start = async (t: Parameters<typeof createEmptyFolder>[0], options: TestOptions = {}) => {
    const folder = join(await createEmptyFolder(t), 'files')
    const storage = createLocalStorage(folder, fail)
    const shop = await startTestApp(kind, { ...options, files: { storage, ...options.files } })
    t.after(shop.dispose)
    const admin = await shop.signInAs('admin')
    const { transaction } = shop.parts
    const add = async (caller = admin) => {
      const { id } = await addProduct(caller, {})
      const url = `/products/${id}/images`
      const { payload, headers } = validUpload
      const { json, text } = await sendBytes(shop, caller, url, payload, headers)
      assert.ok(json?.id, text)
      return { url: `${url}/${json.id}`, product: `/products/${id}`, urls: json.urls }
    }
    const objects = async () => {
      const folders = await readdir(folder).catch(() => [])
      return (await Promise.all(folders.map((each) => readdir(join(folder, each))))).flat()
    }
    const removeUnused = () =>
      removeUnusedFiles({ storage }, { db: shop.db, transaction }, shop.now)
    const get = (url: string) => shop.app.inject({ url: new URL(url).pathname })
    const upload = (files: FileStorage = storage) =>
      storeImage({ storage: files, scaler: shop.parts.scaler }, validUpload.payload, {
        transaction,
        now: shop.now,
      })
    return { shop, admin, folder, storage, add, objects, removeUnused, get, upload }
  }

  test('a file stays while any image shows it, and goes within a day of the last', async (t) => {
    const { shop, admin, add, objects, removeUnused, get } = await start(t)
    const [one, other] = [await add(), await add()]
    assert.deepEqual(one.urls, other.urls)
    assert.equal((await objects()).length, 4)
    await admin.request('DELETE', one.url)
    shop.now += 24 * hourMs
    assert.equal(await removeUnused(), 0)
    assert.equal((await get(one.urls['320'])).statusCode, 200)
    const again = await shop.signInAs('admin')
    assert.equal((await again.request('DELETE', other.product)).status, 204)
    assert.equal(await removeUnused(), 0)
    shop.now += 24 * hourMs
    assert.equal(await removeUnused(), 1)
    assert.equal((await get(one.urls['320'])).statusCode, 404)
    assert.deepEqual(await objects(), [])
    assert.deepEqual(await shop.db.selectFrom('files').select('id').execute(), [])
  })

  test('what a process that ended has left is removed after an hour, and not before', async (t) => {
    const { shop, storage, objects, removeUnused, upload } = await start(t)
    let writes = 0
    const dying: FileStorage = {
      ...storage,
      write: (name, object) => (++writes > 2 ? fail('died') : storage.write(name, object)),
    }
    await assert.rejects(upload(dying), /died/)
    await upload()
    assert.equal((await objects()).length, 6)
    assert.equal(await removeUnused(), 0)
    shop.now += hourMs
    assert.equal(await removeUnused(), 2)
    assert.deepEqual(await objects(), [])
  })

  test('uploads of one image at once share one file, also while it is removed', async (t) => {
    const { shop, add, get, removeUnused, upload } = await start(t)
    const stored = await Promise.all(Array.from({ length: 4 }, () => upload()))
    assert.equal(new Set(stored.map(({ id }) => id)).size, 1)
    for (let round = 0; round < 5; round += 1) {
      shop.now += hourMs
      const again = await shop.signInAs('admin')
      const [image] = await Promise.all([add(again), removeUnused(), removeUnused()])
      assert.equal((await get(image.urls['640'])).statusCode, 200)
      await shop.db.deleteFrom('product_images').execute()
      await shop.db.updateTable('files').set({ kept_until: shop.now }).execute()
    }
    shop.now += hourMs
    while ((await removeUnused()) > 0);
    assert.deepEqual(await shop.db.selectFrom('files').select('id').execute(), [])
  })

  test('a file whose object is damaged or missing is unavailable', async (t) => {
    const { add, get, folder, storage } = await start(t)
    const { urls } = await add()
    const { pathname } = new URL(urls['320'])
    const hash = pathname.slice('/files/'.length).split('-')[0] ?? ''
    const sub = join(folder, hash.slice(0, 2))
    const names = await readdir(sub)
    for (const name of names) await writeFile(join(sub, name), 'damaged')
    const { statusCode, headers } = await get(urls['320'])
    assert.deepEqual([statusCode, headers['retry-after']], [503, '5'])
    for (const name of names) await storage.remove(name)
    assert.equal((await get(urls['320'])).statusCode, 503)
  })

  test('without sharp images are served as they came, and the readiness says so', async (t) => {
    const { shop, add, get, objects } = await start(t, { files: { scaler: noScaler } })
    const { urls, product } = await add()
    for (const url of Object.values<string>(urls)) {
      const { rawPayload, headers } = await get(url)
      assert.deepEqual(rawPayload, validUpload.payload)
      assert.equal(headers['content-type'], 'image/png')
      assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    }
    assert.equal((await objects()).length, 1)
    const { images } = (await shop.request('GET', product)).json
    assert.deepEqual([images[0].width, images[0].height], [null, null])
    const { json } = await shop.request('GET', '/health/ready')
    assert.deepEqual(json, { status: 'ready', images: 'unscaled' })
  })
})
