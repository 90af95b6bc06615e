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

  test('an address of a stranger is no username', async () => {
    const squatted = await signUp({ username: 'stranger@example.com' })
    assert.deepEqual([squatted.status, squatted.json.errors[0].field], [422, 'username'])
    const own = { email: 'own@example.com', username: 'OWN@example.com' }
    assert.equal((await signUp(own)).status, 201)
    const plain = await shop.signInAs('customer')
    const changes = { username: 'other@example.com', current_password: testPassword }
    assert.equal((await plain.request('PATCH', `/users/${plain.id}`, changes)).status, 422)
  })
})
