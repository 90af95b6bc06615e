import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, testPassword } from '#test/support/app.ts'

const ada = { name: 'Ada Lovelace', email: 'countess@example.com', username: 'enchantress' }
const guessablePasswords = [
  'Password123',
  'qwertyuiop',
  'ada lovelace',
  'Lovelace1815',
  'COUNTESS2026',
  'countess@example.com',
  'enchantress!',
  'Cartwright1',
]

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())

  describe('a password that is easily guessed', () => {
    test('is rejected at sign-up and creates no user', async () => {
      for (const password of guessablePasswords) {
        const { status, json } = await shop.request('POST', '/users', { ...ada, password })
        assert.deepEqual([status, json.error_code], [422, '4221'], password)
        assert.equal(json.errors[0].field, 'password')
      }
      const created = await shop.request('POST', '/users', { ...ada, password: testPassword })
      assert.equal(created.status, 201)
    })

    test('is rejected by PATCH and PUT, which keep the current password', async () => {
      const grace = { name: 'Grace Hopper', email: 'amazing@example.com', username: 'grandmother' }
      const user = await shop.signInAs('customer', grace)
      const path = `/users/${user.id}`
      for (const password of ['password1', 'grandmother7', 'hopper1906', 'amazing@example.com']) {
        for (const [method, body] of [
          ['PATCH', { password, current_password: testPassword }],
          ['PUT', { ...grace, password, current_password: testPassword }],
        ] as const) {
          const { status, json } = await user.request(method, path, body)
          assert.deepEqual([status, json.error_code], [422, '4221'], `${method} ${password}`)
        }
      }
      const { username } = user
      const login = await shop.request('POST', '/login', { username, password: testPassword })
      assert.equal(login.status, 200)
    })

    test('is compared with the names in the same request', async () => {
      const user = await shop.signInAs('customer', { username: `renamed-${kind}` })
      const body = { username: 'nightingale', password: 'Nightingale1820' }
      const change = { ...body, current_password: testPassword }
      const { status } = await user.request('PATCH', `/users/${user.id}`, change)
      assert.equal(status, 422)
    })

    test('is explained in the language of the request', async () => {
      const body = { ...ada, password: 'password1' }
      const { json } = await shop.request('POST', '/users', body, { 'accept-language': 'de' })
      assert.match(json.errors[0].message, /ist zu häufig/)
    })

    test('still works when it was set before', async () => {
      const user = await shop.signInAs('customer')
      const password = 'password1'
      const password_hash = await shop.passwords.hash(password)
      await shop.db.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute()
      const { username } = user
      const login = await shop.request('POST', '/login', { username, password })
      assert.equal(login.status, 200)
      const renamed = await user.request('PATCH', `/users/${user.id}`, { name: 'Somebody' })
      assert.equal(renamed.status, 200)
    })
  })
})
