import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { openStore, type Store } from '#db/database.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestResponse,
  testPassword,
} from '#test/support/app.ts'
import { dayMs } from '#values/instant.ts'
import { deleteExpiredTokens } from './store.ts'

const refused = ({ status, json }: TestResponse): unknown[] => [status, json.error_code]

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())

  const login = (username: unknown, password: unknown = testPassword) =>
    shop.request('POST', '/login', { username, password })
  const renew = (refresh_token: unknown, at: Pick<TestApp, 'request'> = shop) =>
    at.request('POST', '/login', { refresh_token })
  const familySize = async (userId: number): Promise<number> => {
    const tokens = shop.db.selectFrom('refresh_tokens').select('token_hash')
    return (await tokens.where('user_id', '=', userId).execute()).length
  }
  const liveSessions = async (userId: number): Promise<number> => {
    const sessions = shop.db.selectFrom('sessions').select('id').where('ended_at', 'is', null)
    return (await sessions.where('user_id', '=', userId).execute()).length
  }

  describe('signing in', () => {
    test('answers with an access token that works, and a refresh token', async () => {
      const { username } = await shop.signUp()
      const { status, json, headers } = await login(username)
      assert.equal(status, 200)
      const { token, refresh_token, _links, ...told } = json
      assert.deepEqual(told, { token_type: 'Bearer', expires_in: 900 })
      assert.match(refresh_token, /^[\w-]{43}$/)
      assert.deepEqual(_links, {
        self: { href: '/login', method: 'POST' },
        profile: { href: '/profile' },
        session: { href: `/sessions/${decodeJwt(token)['sid']}` },
        logout: { href: `/sessions/${decodeJwt(token)['sid']}`, method: 'DELETE' },
      })
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['location'], undefined)
      const bearer = { authorization: `Bearer ${token}` }
      const profile = await shop.request('GET', '/profile', undefined, bearer)
      assert.equal(profile.json.username, username)
    })

    test('takes the username or the email, in any case', async () => {
      await shop.signUp({ username: 'CamelCase', email: 'Camel@example.com' })
      for (const name of ['CamelCase', 'camelcase', 'CAMEL@EXAMPLE.COM']) {
        assert.equal((await login(name)).status, 200)
      }
    })

    test('does not tell a wrong password from an unknown name or an account without one', async () => {
      const { username } = await shop.signUp()
      const { email } = await shop.signUp({
        email: 'keyless@example.com',
        password: undefined,
        username: undefined,
      })
      const answers = await Promise.all([
        login(username, 'not the password'),
        login('nobody of this name'),
        login(email),
        login(''),
        login(username, ''),
        login(username, testPassword.toUpperCase()),
      ])
      for (const answer of answers) {
        assert.deepEqual(refused(answer), [401, '4012'])
        const { request_id, ...told } = answer.json
        const { request_id: _, ...first } = answers[0]?.json ?? {}
        assert.deepEqual(told, first)
        assert.equal(answer.headers['cache-control'], 'no-store')
      }
    })

    test('needs username and password, and nothing else', async () => {
      const cases = [
        [{}, 400, '4001'],
        [{ username: 'x' }, 400, '4001'],
        [{ password: 'x' }, 400, '4001'],
        [{ username: 1, password: 'x' }, 422, '4221'],
        [{ username: 'x', password: null }, 422, '4221'],
        [{ username: 'x', password: 'x', remember: true }, 422, '4221'],
        [[], 422, '4221'],
        [undefined, 400, '4001'],
      ] as const
      for (const [body, ...expected] of cases) {
        assert.deepEqual(refused(await shop.request('POST', '/login', body)), expected)
      }
    })

    test('is not hindered by credentials that have expired', async () => {
      const { username } = await shop.signUp()
      const body = { username, password: testPassword }
      const stale = { authorization: 'Bearer stale' }
      assert.equal((await shop.request('POST', '/login', body, stale)).status, 200)
    })

    test('is refused with 403 to who is suspended, once the password is right', async () => {
      const admin = await shop.signInAs('admin')
      const { id, username, refreshToken } = await shop.signInAs('customer')
      await admin.request('PATCH', `/users/${id}`, { status: 'suspended' })
      assert.deepEqual(refused(await login(username)), [403, '4032'])
      assert.deepEqual(refused(await login(username, 'wrong')), [401, '4012'])
      assert.deepEqual(refused(await renew(refreshToken)), [403, '4032'])
      await admin.request('PATCH', `/users/${id}`, { status: 'active' })
      assert.deepEqual(refused(await renew(refreshToken)), [401, '4012'])
      assert.equal((await login(username)).status, 200)
    })

    test('keeps no refresh token that could be used, and none for ever', async (t) => {
      const began = shop.now
      t.after(() => {
        shop.now = began
      })
      const { id, username } = await shop.signUp()
      const { refresh_token } = (await login(username)).json
      const kept = await shop.db.selectFrom('refresh_tokens').selectAll().execute()
      assert.ok(!JSON.stringify(kept).includes(refresh_token))
      shop.now = began + 30 * dayMs
      await login(username)
      await deleteExpiredTokens(shop.db, shop.now)
      assert.equal(await familySize(id), 1)
    })

    test('takes five statements, and four to renew, none of which waits for a password', async () => {
      const { username } = await shop.signUp()
      shop.takeCount()
      const { json } = await login(username)
      assert.equal(shop.takeCount(), 5)
      await renew(json.refresh_token)
      assert.equal(shop.takeCount(), 4)
    })
  })

  describe('renewing', () => {
    test('gives new tokens, again and again', async () => {
      const { username, refreshToken } = await shop.signInAs('customer')
      let current = refreshToken
      for (let turn = 0; turn < 3; turn += 1) {
        const { status, json } = await renew(current)
        assert.equal(status, 200)
        assert.notEqual(json.refresh_token, current)
        const bearer = { authorization: `Bearer ${json.token}` }
        const profile = await shop.request('GET', '/profile', undefined, bearer)
        assert.equal(profile.json.username, username)
        current = json.refresh_token
      }
    })

    test('twice with one token ends the whole session, but no other of the user', async () => {
      const { username, refreshToken: first } = await shop.signInAs('customer')
      const elsewhere = (await login(username)).json.refresh_token
      const second = (await renew(first)).json.refresh_token
      const third = (await renew(second)).json.refresh_token
      assert.deepEqual(refused(await renew(first)), [401, '4012'])
      assert.deepEqual(refused(await renew(third)), [401, '4012'])
      assert.equal((await renew(elsewhere)).status, 200)
    })

    test('works for 30 days', async (t) => {
      const began = shop.now
      t.after(() => {
        shop.now = began
      })
      const early = await shop.signInAs('customer')
      const late = await shop.signInAs('customer')
      shop.now = began + 30 * dayMs - 1
      assert.equal((await renew(early.refreshToken)).status, 200)
      shop.now = began + 30 * dayMs
      assert.deepEqual(refused(await renew(late.refreshToken)), [401, '4012'])
    })

    test('with anything but a refresh token is refused', async () => {
      const { token } = await shop.signInAs('customer')
      for (const secret of ['', 'x', token]) {
        assert.deepEqual(refused(await renew(secret)), [401, '4012'])
      }
      assert.deepEqual(refused(await renew(7)), [422, '4221'])
    })
  })

  // Memory has nobody to share it with.
  if (kind === 'memory') return

  describe('in two processes at once', () => {
    let secondStore: Store
    let other: TestApp
    before(async () => {
      secondStore = await openStore(shop.url)
      other = await startTestApp('memory', { composition: { store: secondStore } })
    })
    after(async () => {
      await other.dispose()
      await secondStore.close()
    })

    test('of several who renew with one token, exactly one wins, and the session ends', async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        const { id, refreshToken } = await shop.signInAs('customer')
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, at) => renew(refreshToken, at % 2 ? shop : other)),
        )
        const won = answers.filter(({ status }) => status === 200)
        assert.equal(won.length, 1)
        for (const answer of answers) {
          if (answer.status !== 200) assert.deepEqual(refused(answer), [401, '4012'])
        }
        assert.deepEqual(refused(await renew(won[0]?.json.refresh_token)), [401, '4012'])
        assert.equal(await liveSessions(id), 0)
      }
    })

    test('a reuse leaves no token alive, however many renewals it meets', async () => {
      for (let turn = 0; turn < 10; turn += 1) {
        const { id, refreshToken: first } = await shop.signInAs('customer')
        const second = (await renew(first)).json.refresh_token
        const keepRenewing = async (token: string): Promise<void> => {
          let current = token
          // Bounded, so that a session which wrongly lives on fails the test instead of hanging it.
          for (let count = 0; count < 200; count += 1) {
            const { status, json } = await renew(current, other)
            if (status !== 200) return
            current = json.refresh_token
          }
        }
        const renewing = keepRenewing(second)
        assert.equal((await renew(first)).status, 401)
        await renewing
        assert.equal(await liveSessions(id), 0)
      }
    })

    test('a new password leaves one session alive, however many begin meanwhile', async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        const { id, username, request, refreshToken } = await shop.signInAs('customer')
        const password = testPassword
        const answers = await Promise.all([
          request('PATCH', `/users/${id}`, {
            password: 'another password',
            current_password: testPassword,
          }),
          renew(refreshToken, other),
          ...Array.from({ length: 4 }, () =>
            other.request('POST', '/login', { username, password }),
          ),
        ])
        assert.equal(answers[0]?.status, 200)
        assert.equal(await liveSessions(id), 1)
        assert.equal((await request('GET', '/profile')).status, 200)
      }
    })
  })
})
