import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createDigestCleanup, eraseDigestSecrets } from '#shop/access/digest/cleanup.ts'
import { reencryptAll } from '#src/server/re-encryption.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  testPassword,
  testSecretKey,
} from '#test/support/app.ts'
import {
  type DigestProof,
  requestDigestNonce,
  requestWithDigest,
} from '#test/support/callers/digest-caller.ts'
import type { TemporaryStore } from '#test/support/services/databases.ts'
import { openTemporaryStore } from '#test/support/services/databases.ts'
import { dayMs } from '#values/instant.ts'
import { createDigestSecrets, type DigestSetting } from './secrets.ts'

const newSecretKey = 'a secret key that takes its place from now'

// Processes with different settings on one database.
eachDatabase((kind) => {
  let temporaryDb: TemporaryStore
  let apps: Readonly<Record<DigestSetting, TestApp>>
  before(async () => {
    temporaryDb = await openTemporaryStore(kind)
    const temporary = { ...temporaryDb, dispose: async () => undefined }
    const start = (digest: DigestSetting) => startTestApp(kind, { temporary, digest })
    apps = { on: await start('on'), 'sha-256': await start('sha-256'), off: await start('off') }
  })
  after(async () => {
    for (const app of Object.values(apps)) await app.dispose()
    await temporaryDb.dispose()
  })

  let signUps = 0
  const signUpAt = async (setting: DigestSetting) => {
    signUps += 1
    const { username } = await apps[setting].signUp({ username: `${setting}-${signUps}` })
    return String(username)
  }
  const login = async (setting: DigestSetting, username: string) => {
    const body = { username, password: testPassword }
    assert.equal((await apps[setting].request('POST', '/login', body)).status, 200)
  }
  /** The algorithms of a stored secret; undefined without one. */
  const storedAlgorithms = async (username: string): Promise<string | undefined> => {
    const { digest_secret } = await temporaryDb.store.db
      .selectFrom('users')
      .select('digest_secret')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    if (digest_secret === null) return undefined
    const { decrypt } = createDigestSecrets([newSecretKey, testSecretKey])
    return Object.keys(decrypt(digest_secret, username) ?? {}).join()
  }
  const requestProfile = async (
    setting: DigestSetting,
    username: string,
    algorithm: DigestProof['algorithm'],
  ) => {
    // A process without Digest issues no nonce, so this takes one of another process.
    const nonce = await requestDigestNonce(apps[setting === 'off' ? 'on' : setting])
    return requestWithDigest(apps[setting], { username, nonce, ...(algorithm && { algorithm }) })
  }
  const challengesOf = async (setting: DigestSetting): Promise<string> => {
    const { headers } = await apps[setting].request('GET', '/profile')
    return headers['www-authenticate'] ?? ''
  }

  describe('with sha-256', () => {
    test('MD5 is not offered, stored or accepted', async () => {
      const username = await signUpAt('sha-256')
      assert.equal(await storedAlgorithms(username), 'SHA-256')
      const challenges = await challengesOf('sha-256')
      assert.match(challenges, /Digest [^,]*, qop="auth", algorithm=SHA-256/)
      assert.doesNotMatch(challenges, /MD5/)
      assert.equal((await requestProfile('sha-256', username, 'SHA-256')).status, 200)
      const other = await signUpAt('on')
      for (const name of [username, other]) {
        const { status, json } = await requestProfile('sha-256', name, 'MD5')
        assert.deepEqual([status, json.error_code], [401, '4012'])
      }
    })

    test('a sign-in removes MD5 from the stored secret', async () => {
      const username = await signUpAt('on')
      assert.equal(await storedAlgorithms(username), 'SHA-256,MD5')
      await login('sha-256', username)
      assert.equal(await storedAlgorithms(username), 'SHA-256')
    })

    test('the job removes MD5 from all secrets once a day, in several processes at once', async () => {
      const usernames = await Promise.all([1, 2, 3].map(() => signUpAt('on')))
      const { db } = temporaryDb.store
      const secrets = createDigestSecrets([testSecretKey], 'sha-256')
      const [first, second] = [createDigestCleanup(secrets), createDigestCleanup(secrets)]
      const counts = await Promise.all([first(db, 0), second(db, 0)])
      assert.ok((counts[0] ?? 0) + (counts[1] ?? 0) >= 3, counts.join())
      for (const username of usernames) {
        assert.equal(await storedAlgorithms(username), 'SHA-256')
        assert.equal((await requestProfile('sha-256', username, 'SHA-256')).status, 200)
      }
      const late = await signUpAt('on')
      assert.equal(await first(db, dayMs - 1), 0)
      assert.equal(await first(db, dayMs), 1)
      assert.equal(await storedAlgorithms(late), 'SHA-256')
    })

    test('re-encryption keeps only SHA-256', async () => {
      const username = await signUpAt('on')
      await reencryptAll(temporaryDb.store.db, [newSecretKey, testSecretKey], 'sha-256')
      assert.equal(await storedAlgorithms(username), 'SHA-256')
      assert.deepEqual(await reencryptAll(temporaryDb.store.db, [newSecretKey], 'sha-256'), {
        reencrypted: 0,
        unreadable: 0,
      })
      await reencryptAll(temporaryDb.store.db, [testSecretKey, newSecretKey], 'sha-256')
      assert.equal((await requestProfile('sha-256', username, 'SHA-256')).status, 200)
    })
  })

  describe('off', () => {
    test('Digest is not offered, accepted or documented', async () => {
      assert.doesNotMatch(await challengesOf('off'), /Digest/)
      const username = await signUpAt('on')
      const digest = await requestProfile('off', username, 'SHA-256')
      const unknown = await apps.off.request('GET', '/profile', undefined, {
        authorization: 'Nonsense abc',
      })
      assert.deepEqual([digest.status, digest.json.error_code], [401, '4012'])
      assert.equal(digest.json.details, unknown.json.details)
      assert.doesNotMatch(JSON.stringify(apps.off.describe()), /"digest"/)
      assert.match(JSON.stringify(apps.on.describe()), /"digest":\[/)
    })

    test('a new password stores no secret, and a sign-in erases the stored one', async () => {
      assert.equal(await storedAlgorithms(await signUpAt('off')), undefined)
      const username = await signUpAt('on')
      await login('off', username)
      assert.equal(await storedAlgorithms(username), undefined)
    })

    test('all secrets are erased, at the start and by the job', async () => {
      const { db } = temporaryDb.store
      const stored = db.selectFrom('users').select('id').where('digest_secret', 'is not', null)
      await Promise.all([1, 2, 3].map(() => signUpAt('on')))
      assert.ok((await eraseDigestSecrets(db)) >= 3)
      assert.deepEqual(await stored.execute(), [])
      assert.equal(await eraseDigestSecrets(db), 0)
      const clean = createDigestCleanup(createDigestSecrets([testSecretKey], 'off'))
      assert.equal(await clean(db, 0), 0)
      await signUpAt('on')
      assert.equal(await clean(db, dayMs), 1)
    })
  })

  test('after Digest is on again, a sign-in stores the missing algorithms', async () => {
    for (const setting of ['sha-256', 'off'] as const) {
      const username = await signUpAt(setting)
      const before = await requestProfile('on', username, 'MD5')
      assert.deepEqual([before.status, before.json.error_code], [401, '4012'], setting)
      await login('on', username)
      assert.equal(await storedAlgorithms(username), 'SHA-256,MD5')
      assert.equal((await requestProfile('on', username, 'MD5')).status, 200)
    }
  })
})
