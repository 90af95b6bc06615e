import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDigestSecrets } from '#shop/access/digest/secrets.ts'
import { createPasswordHasher } from '#shop/accounts/passwords/hash.ts'
import { openStore } from '#store/database.ts'
import { eachDatabase } from '#test/support/app.ts'
import { openTemporaryStore } from '#test/support/services/databases.ts'
import { createAdmin } from './first-admin.ts'

const now = Date.UTC(2026, 5, 1)
const passwords = createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 })
const hashing = { ...passwords, ...createDigestSecrets(['a secret key of tests']) }
const admin = { username: 'Admin', password: 'the first password' }

eachDatabase((kind) => {
  test('the first administrator is created once and not changed by later starts', async (t) => {
    const { store, dispose } = await openTemporaryStore(kind)
    t.after(dispose)
    assert.equal(await createAdmin(store.db, admin, hashing, now), true)
    const other = { username: 'root', password: 'another password' }
    assert.equal(await createAdmin(store.db, other, hashing, now), false)
    const users = await store.db.selectFrom('users').selectAll().execute()
    assert.equal(users.length, 1)
    const [user] = users
    assert.equal(user?.role, 'admin')
    assert.equal(user?.username, 'Admin')
    assert.equal(user?.username_key, 'admin')
    assert.equal(user?.created_at, now)
    assert.ok(await passwords.matches(admin.password, user?.password_hash ?? null))
    const ciphertext = user?.digest_secret ?? ''
    assert.deepEqual(
      hashing.decrypt(ciphertext, 'Admin'),
      hashing.decrypt(hashing.make('Admin', admin.password) ?? '', 'Admin'),
    )
    assert.ok(hashing.isCurrent(ciphertext, 'Admin'))
    assert.doesNotMatch(JSON.stringify(user), /the first password/)
  })

  test('concurrent starts create one administrator', async (t) => {
    const { store, url, dispose } = await openTemporaryStore(kind)
    const second = await openStore(url)
    t.after(async () => {
      await second.close()
      await dispose()
    })
    const results = await Promise.all(
      [store, second, store, second].map(({ transaction }) =>
        transaction((db) => createAdmin(db, admin, hashing, now)),
      ),
    )
    assert.equal(results.filter(Boolean).length, 1)
    const users = await store.db.selectFrom('users').select('role').execute()
    assert.deepEqual(users, [{ role: 'admin' }])
  })
})
