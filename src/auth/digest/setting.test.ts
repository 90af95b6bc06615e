import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eraseDigestSecrets, openDigestCleanup } from '#auth/re-encryption/digest-cleanup.ts'
import { reencryptAll } from '#auth/re-encryption/re-encrypt.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  testPassword,
  testSecretKey,
} from '#test/support/app.ts'
import { askByDigest, type DigestProof, digestNonce } from '#test/support/callers/digest-caller.ts'
import type { TemporaryStore } from '#test/support/services/databases.ts'
import { temporaryStore } from '#test/support/services/databases.ts'
import { dayMs } from '#values/instant.ts'
import { type DigestSetting, openDigestSecrets } from './secrets.ts'

const younger = 'a secret key that takes its place from now'

// Processes with different settings on one database.
eachDatabase((kind) => {
  let place: TemporaryStore
  let apps: Readonly<Record<DigestSetting, TestApp>>
  before(async () => {
    place = await temporaryStore(kind)
    const temporary = { ...place, dispose: async () => undefined }
    const under = (digest: DigestSetting) => startTestApp(kind, { temporary, digest })
    apps = { on: await under('on'), 'sha-256': await under('sha-256'), off: await under('off') }
  })
  after(async () => {
    for (const app of Object.values(apps)) await app.dispose()
    await place.dispose()
  })

  let names = 0
  const signUpAt = async (setting: DigestSetting) => {
    names += 1
    const { username } = await apps[setting].signUp({ username: `${setting}-${names}` })
    return String(username)
  }
  const login = async (setting: DigestSetting, username: string) => {
    const answer = await apps[setting].request('POST', '/login', {
      username,
      password: testPassword,
    })
    assert.equal(answer.status, 200)
  }
  /** The algorithms that a secret is kept for; undefined where none is. */
  const keptFor = async (username: string): Promise<string | undefined> => {
    const { digest_secret } = await place.store.db
      .selectFrom('users')
      .select('digest_secret')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    if (digest_secret === null) return undefined
    const { open } = openDigestSecrets([younger, testSecretKey])
    return Object.keys(open(digest_secret, username) ?? {}).join()
  }
  const statusOf = async (
    setting: DigestSetting,
    username: string,
    algorithm: DigestProof['algorithm'],
  ) => {
    // Where none is asked for, a nonce of another process is shown.
    const nonce = await digestNonce(apps[setting === 'off' ? 'on' : setting])
    return askByDigest(apps[setting], { username, nonce, ...(algorithm && { algorithm }) })
  }
  const challengeAt = async (setting: DigestSetting): Promise<string> => {
    const { headers } = await apps[setting].request('GET', '/profile')
    return headers['www-authenticate'] ?? ''
  }

  describe('with sha-256', () => {
    test('MD5 is neither asked for nor kept nor taken', async () => {
      const username = await signUpAt('sha-256')
      assert.equal(await keptFor(username), 'SHA-256')
      const asked = await challengeAt('sha-256')
      assert.match(asked, /Digest [^,]*, qop="auth", algorithm=SHA-256/)
      assert.doesNotMatch(asked, /MD5/)
      assert.equal((await statusOf('sha-256', username, 'SHA-256')).status, 200)
      const other = await signUpAt('on')
      for (const name of [username, other]) {
        const { status, json } = await statusOf('sha-256', name, 'MD5')
        assert.deepEqual([status, json.error_code], [401, '4012'])
      }
    })

    test('a sign-in drops MD5 from what was kept before', async () => {
      const username = await signUpAt('on')
      assert.equal(await keptFor(username), 'SHA-256,MD5')
      await login('sha-256', username)
      assert.equal(await keptFor(username), 'SHA-256')
    })

    test('the jobs drop MD5 from all that is kept, whoever else does so, once a day', async () => {
      const usernames = await Promise.all([1, 2, 3].map(() => signUpAt('on')))
      const { db } = place.store
      const secrets = openDigestSecrets([testSecretKey], 'sha-256')
      const [first, second] = [openDigestCleanup(secrets), openDigestCleanup(secrets)]
      const counts = await Promise.all([first(db, 0), second(db, 0)])
      assert.ok((counts[0] ?? 0) + (counts[1] ?? 0) >= 3, counts.join())
      for (const username of usernames) {
        assert.equal(await keptFor(username), 'SHA-256')
        assert.equal((await statusOf('sha-256', username, 'SHA-256')).status, 200)
      }
      const late = await signUpAt('on')
      assert.equal(await first(db, dayMs - 1), 0)
      assert.equal(await first(db, dayMs), 1)
      assert.equal(await keptFor(late), 'SHA-256')
    })

    test('a change of SECRET_KEY seals SHA-256 alone', async () => {
      const username = await signUpAt('on')
      await reencryptAll(place.store.db, [younger, testSecretKey], 'sha-256')
      assert.equal(await keptFor(username), 'SHA-256')
      assert.deepEqual(await reencryptAll(place.store.db, [younger], 'sha-256'), {
        reencrypted: 0,
        unreadable: 0,
      })
      await reencryptAll(place.store.db, [testSecretKey, younger], 'sha-256')
      assert.equal((await statusOf('sha-256', username, 'SHA-256')).status, 200)
    })
  })

  describe('off', () => {
    test('Digest is not asked for, is no scheme and is not described', async () => {
      assert.doesNotMatch(await challengeAt('off'), /Digest/)
      const username = await signUpAt('on')
      const refused = await statusOf('off', username, 'SHA-256')
      const unknown = await apps.off.request('GET', '/profile', undefined, {
        authorization: 'Nonsense abc',
      })
      assert.deepEqual([refused.status, refused.json.error_code], [401, '4012'])
      assert.equal(refused.json.details, unknown.json.details)
      assert.doesNotMatch(JSON.stringify(apps.off.describe()), /"digest"/)
      assert.match(JSON.stringify(apps.on.describe()), /"digest":\[/)
    })

    test('nothing is kept of a new password, and a sign-in erases what was', async () => {
      assert.equal(await keptFor(await signUpAt('off')), undefined)
      const username = await signUpAt('on')
      await login('off', username)
      assert.equal(await keptFor(username), undefined)
    })

    test('all that is kept is erased, at the start and by the jobs', async () => {
      const { db } = place.store
      const kept = db.selectFrom('users').select('id').where('digest_secret', 'is not', null)
      await Promise.all([1, 2, 3].map(() => signUpAt('on')))
      assert.ok((await eraseDigestSecrets(db)) >= 3)
      assert.deepEqual(await kept.execute(), [])
      assert.equal(await eraseDigestSecrets(db), 0)
      const clean = openDigestCleanup(openDigestSecrets([testSecretKey], 'off'))
      assert.equal(await clean(db, 0), 0)
      await signUpAt('on')
      assert.equal(await clean(db, dayMs), 1)
    })
  })

  test('on again, a sign-in makes what was dropped', async () => {
    for (const setting of ['sha-256', 'off'] as const) {
      const username = await signUpAt(setting)
      const before = await statusOf('on', username, 'MD5')
      assert.deepEqual([before.status, before.json.error_code], [401, '4012'], setting)
      await login('on', username)
      assert.equal(await keptFor(username), 'SHA-256,MD5')
      assert.equal((await statusOf('on', username, 'MD5')).status, 200)
    }
  })
})
