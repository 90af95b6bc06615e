import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { openStore, type Store } from '#store/database.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestResponse,
  testPassword,
} from '#test/support/app.ts'
import { readFailedSignIns } from '#test/support/failed-sign-ins.ts'
import { dayMs, secondMs } from '#values/instant.ts'
import { refreshTokens } from './table.ts'

const resultOf = ({ status, json }: TestResponse): unknown[] => [status, json.error_code]

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
  const countRefreshTokens = async (userId: number): Promise<number> => {
    const tokens = shop.db.selectFrom('refresh_tokens').select('token_hash')
    return (await tokens.where('user_id', '=', userId).execute()).length
  }
  const countActiveSessions = async (userId: number): Promise<number> => {
    const sessions = shop.db.selectFrom('sessions').select('id').where('ended_at', 'is', null)
    return (await sessions.where('user_id', '=', userId).execute()).length
  }

  describe('signing in', () => {
    test('returns a valid access token and a refresh token', async () => {
      const { username } = await shop.signUp()
      const { status, json, headers } = await login(username)
      assert.equal(status, 200)
      const { token, refresh_token, _links, ...fields } = json
      assert.deepEqual(fields, { token_type: 'Bearer', expires_in: 900 })
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

    test('accepts the username or the email, ignoring case', async () => {
      await shop.signUp({ username: 'CamelCase', email: 'Camel@example.com' })
      for (const name of ['CamelCase', 'camelcase', 'CAMEL@EXAMPLE.COM']) {
        assert.equal((await login(name)).status, 200)
      }
    })

    test('answers the same for a wrong password, an unknown name and an account without a password', async () => {
      const { username } = await shop.signUp()
      const { email } = await shop.signUp({
        email: 'keyless@example.com',
        password: undefined,
        username: undefined,
      })
      const responses = await Promise.all([
        login(username, 'not the password'),
        login('unknown name'),
        login(email),
        login(''),
        login(username, ''),
        login(username, testPassword.toUpperCase()),
      ])
      for (const response of responses) {
        assert.deepEqual(resultOf(response), [401, '4012'])
        const { request_id, ...problem } = response.json
        const { request_id: _, ...first } = responses[0]?.json ?? {}
        assert.deepEqual(problem, first)
        assert.equal(response.headers['cache-control'], 'no-store')
      }
    })

    test('requires username and password, and rejects other fields', async () => {
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
        assert.deepEqual(resultOf(await shop.request('POST', '/login', body)), expected)
      }
    })

    test('ignores invalid credentials in the request', async () => {
      const { username } = await shop.signUp()
      const body = { username, password: testPassword }
      const stale = { authorization: 'Bearer stale' }
      assert.equal((await shop.request('POST', '/login', body, stale)).status, 200)
    })

    test('is rejected with 403 for a suspended user, but only with the right password', async () => {
      const admin = await shop.signInAs('admin')
      const { id, username, refreshToken } = await shop.signInAs('customer')
      await admin.request('PATCH', `/users/${id}`, { status: 'suspended' })
      assert.deepEqual(resultOf(await login(username)), [403, '4032'])
      assert.deepEqual(resultOf(await login(username, 'wrong')), [401, '4012'])
      assert.deepEqual(resultOf(await renew(refreshToken)), [403, '4032'])
      await admin.request('PATCH', `/users/${id}`, { status: 'active' })
      assert.deepEqual(resultOf(await renew(refreshToken)), [401, '4012'])
      assert.equal((await login(username)).status, 200)
    })

    test('is rejected for a removed user like a wrong password, and recorded as failed', async () => {
      const { id, username } = await shop.signUp()
      const { db, now } = shop
      await db.updateTable('users').set({ deleted_at: now }).where('id', '=', id).execute()
      assert.deepEqual(resultOf(await login(username)), [401, '4012'])
      const failures = await readFailedSignIns(db, 'password')
      assert.deepEqual(failures.at(-1)?.slice(0, 2), [id, null])
    })

    test('stores refresh tokens as hashes only, and deletes them after they expire', async (t) => {
      const startedAt = shop.now
      t.after(() => {
        shop.now = startedAt
      })
      const { id, username } = await shop.signUp()
      const { refresh_token } = (await login(username)).json
      const rows = await shop.db.selectFrom('refresh_tokens').selectAll().execute()
      assert.ok(!JSON.stringify(rows).includes(refresh_token))
      shop.now = startedAt + 30 * dayMs
      await login(username)
      await refreshTokens.deleteExpired(shop.db, shop.now)
      assert.equal(await countRefreshTokens(id), 1)
    })

    test('takes five statements, and four to renew', async () => {
      const { username } = await shop.signUp()
      shop.takeCount()
      const { json } = await login(username)
      assert.equal(shop.takeCount(), 5)
      await renew(json.refresh_token)
      assert.equal(shop.takeCount(), 4)
    })
  })

  describe('renewing', () => {
    test('returns new tokens each time', async () => {
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

    test('twice with the same token ends the session, but no other session of the user', async () => {
      const { username, refreshToken: first } = await shop.signInAs('customer')
      const otherToken = (await login(username)).json.refresh_token
      const second = (await renew(first)).json.refresh_token
      const third = (await renew(second)).json.refresh_token
      shop.now += 10 * secondMs + 1
      assert.deepEqual(resultOf(await renew(first)), [401, '4012'])
      assert.deepEqual(resultOf(await renew(third)), [401, '4012'])
      assert.equal((await renew(otherToken)).status, 200)
    })

    test('is repeated within ten seconds, as for a client that lost the answer', async () => {
      const lost = await shop.signInAs('customer')
      const next = (await renew(lost.refreshToken)).json.refresh_token
      shop.now += 10 * secondMs
      const again = await renew(lost.refreshToken)
      assert.equal(again.status, 200)
      assert.equal((await renew(next)).status, 200)
      assert.equal((await lost.request('GET', '/profile')).status, 200)
    })

    test('is possible for 30 days', async (t) => {
      const startedAt = shop.now
      t.after(() => {
        shop.now = startedAt
      })
      const early = await shop.signInAs('customer')
      const late = await shop.signInAs('customer')
      shop.now = startedAt + 30 * dayMs - 1
      assert.equal((await renew(early.refreshToken)).status, 200)
      shop.now = startedAt + 30 * dayMs
      assert.deepEqual(resultOf(await renew(late.refreshToken)), [401, '4012'])
    })

    test('is rejected with anything but a refresh token', async () => {
      const { token } = await shop.signInAs('customer')
      for (const secret of ['', 'x', token]) {
        assert.deepEqual(resultOf(await renew(secret)), [401, '4012'])
      }
      assert.deepEqual(resultOf(await renew(7)), [422, '4221'])
    })
  })

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

    test('concurrent renewals with one token all succeed, in one session', async () => {
      other.now = shop.now
      for (let turn = 0; turn < 5; turn += 1) {
        const { id, refreshToken } = await shop.signInAs('customer')
        const responses = await Promise.all(
          Array.from({ length: 8 }, (_, index) => renew(refreshToken, index % 2 ? shop : other)),
        )
        for (const { status, json } of responses) {
          assert.equal(status, 200)
          assert.equal((await renew(json.refresh_token)).status, 200)
        }
        assert.equal(await countActiveSessions(id), 1)
      }
    })

    test('reuse of a token ends the session despite concurrent renewals', async () => {
      for (let turn = 0; turn < 10; turn += 1) {
        const { id, refreshToken: first } = await shop.signInAs('customer')
        const second = (await renew(first)).json.refresh_token
        shop.now += 10 * secondMs + 1
        other.now = shop.now
        const keepRenewing = async (token: string): Promise<void> => {
          let current = token
          // Bounded, so that a session that does not end fails the test instead of hanging it.
          for (let count = 0; count < 200; count += 1) {
            const { status, json } = await renew(current, other)
            if (status !== 200) return
            current = json.refresh_token
          }
        }
        const renewing = keepRenewing(second)
        assert.equal((await renew(first)).status, 401)
        await renewing
        assert.equal(await countActiveSessions(id), 0)
      }
    })

    test('a new password leaves one session active despite concurrent sign-ins', async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        const { id, username, request, refreshToken } = await shop.signInAs('customer')
        const password = testPassword
        const responses = await Promise.all([
          request('PATCH', `/users/${id}`, {
            password: 'another password',
            current_password: testPassword,
          }),
          renew(refreshToken, other),
          ...Array.from({ length: 4 }, () =>
            other.request('POST', '/login', { username, password }),
          ),
        ])
        assert.equal(responses[0]?.status, 200)
        assert.equal(await countActiveSessions(id), 1)
        assert.equal((await request('GET', '/profile')).status, 200)
      }
    })
  })
})
