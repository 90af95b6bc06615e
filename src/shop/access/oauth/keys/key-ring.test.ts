import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCipher } from '#src/secrets/encryption.ts'
import { openStore } from '#store/database.ts'
import { eachDatabase } from '#test/support/app.ts'
import { openTemporaryStore } from '#test/support/services/databases.ts'
import { minuteMs } from '#values/instant.ts'
import { createKeyRing } from './key-ring.ts'

const cipher = createCipher(['secret key of the test'])

eachDatabase((kind) => {
  test('processes that start together sign with one key, and find each other’s keys', async (t) => {
    const { store, url, dispose } = await openTemporaryStore(kind)
    const other = await openStore(url)
    t.after(async () => {
      await other.close()
      await dispose()
    })
    const time = { now: Date.UTC(2026, 5, 1) }
    const clock = () => time.now
    const one = createKeyRing({ db: store.db, cipher, clock })
    const two = createKeyRing({ db: other.db, cipher, clock })
    const kids = async (ring: typeof one) => (await ring.all()).map(({ kid }) => kid)
    const [first, second] = await Promise.all([kids(one), kids(two)])
    assert.equal(first?.[0], second?.[0])
    await two.rotate(true)
    time.now += 2 * minuteMs
    assert.deepEqual(await kids(one), await kids(two))
    const [next] = (await two.all()).slice(-1)
    assert.ok(await one.find(next?.kid ?? ''))
    assert.equal(await one.find('unknown'), undefined)
  })

  test('a key encrypted under another secret is ignored', async (t) => {
    const { store, dispose } = await openTemporaryStore(kind)
    t.after(dispose)
    const parts = { db: store.db, clock: () => 0 }
    const [old] = await createKeyRing({ ...parts, cipher }).all()
    const foreignRing = createKeyRing({
      ...parts,
      cipher: createCipher(['another secret key']),
    })
    assert.equal(await foreignRing.find(old?.kid ?? ''), undefined)
    const [fresh] = await foreignRing.all()
    assert.notEqual(fresh?.kid, old?.kid)
    assert.deepEqual(
      (await createKeyRing({ ...parts, cipher }).all()).map(({ kid }) => kid),
      [old?.kid],
    )
  })
})
