import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, testPassword } from '#test/support/app.ts'

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())

  const signUp = (fields: object) =>
    shop.request('POST', '/users', { name: 'Ada', password: testPassword, ...fields })

  test('of accounts that take one address at once, as email or as username, one gets it', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const email = `both-${turn}@example.com`
      const responses = await Promise.all([
        signUp({ email, username: `first-${turn}` }),
        signUp({ email }),
        signUp({ username: email }),
      ])
      assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 422])
    }
  })

  test('a change of username and sign-ups that take one address at once: one gets it', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const email = `move-${turn}@example.com`
      const user = await shop.signInAs('customer')
      const changes = { email, username: email, current_password: testPassword }
      const responses = await Promise.all([
        signUp({ email, username: `third-${turn}` }),
        user.request('PATCH', `/users/${user.id}`, changes),
        signUp({ email: email.toUpperCase(), username: email }),
      ])
      const made = responses.filter(({ status }) => status < 300)
      assert.equal(made.length, 1, responses.map(({ text }) => text).join())
      const key = (column: 'email_key' | 'username_key') =>
        shop.db.selectFrom('users').select('id').where(column, '=', email).execute()
      const rows = [...(await key('email_key')), ...(await key('username_key'))]
      assert.equal(new Set(rows.map(({ id }) => id)).size, 1)
    }
  })

  test('the database refuses a username that is an address but not the email', async () => {
    const times = { name: 'Ada', created_at: 1, updated_at: 1 }
    for (const email_key of [null, 'other@example.com']) {
      const row = { ...times, username_key: 'ada@example.com', email_key }
      await assert.rejects(
        shop.db.insertInto('users').values(row).execute(),
        /username_own_address/,
      )
    }
  })

  test('a username that is the email changes with it', async () => {
    const email = `with-${kind}@example.com`
    const user = await shop.signInAs('customer', { email, username: email })
    const path = `/users/${user.id}`
    const next = `next-${email}`
    const current = { current_password: testPassword }
    const changed = await user.request('PATCH', path, { email: next, ...current })
    assert.deepEqual([changed.status, changed.json.username], [200, next])
    const last = `last-${email}`
    const replaced = await user.request('PUT', path, { ...changed.json, email: last, ...current })
    assert.deepEqual([replaced.status, replaced.json.username], [200, last], replaced.text)
    const cleared = await user.request('PATCH', path, { email: null, ...current })
    assert.deepEqual([cleared.status, cleared.json.errors[0].field], [422, 'username'])
    const named = { email: null, username: `name-${kind}`, ...current }
    assert.equal((await user.request('PATCH', path, named)).status, 200)
    assert.equal((await signUp({ email: last })).status, 201)
    const login = { username: `name-${kind}`, password: testPassword }
    assert.equal((await shop.request('POST', '/login', login)).status, 200)
  })

  test('an address of a stranger is no username', async () => {
    for (const username of ['stranger@example.com', 'stranger@localhost', '@', 'a@b@c']) {
      const squatted = await signUp({ username })
      assert.deepEqual([squatted.status, squatted.json.errors[0].field], [422, 'username'])
    }
    const own = { email: 'own@example.com', username: 'OWN@example.com' }
    assert.equal((await signUp(own)).status, 201)
    const plain = await shop.signInAs('customer')
    const changes = { username: 'other@example.com', current_password: testPassword }
    assert.equal((await plain.request('PATCH', `/users/${plain.id}`, changes)).status, 422)
  })
})
