import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, testPassword } from '#test/support/app.ts'

eachDatabase((kind) => {
  describe('names of accounts', () => {
    let shop: TestApp
    before(async () => {
      shop = await startTestApp(kind)
    })
    after(() => shop.dispose())

    const signUp = (fields: object) =>
      shop.request('POST', '/users', { name: 'Ada', password: testPassword, ...fields })
    const signIn = async (username: string, password = testPassword) =>
      (await shop.request('POST', '/login', { username, password })).status

    test('are one however a keyboard writes them', async () => {
      assert.equal((await signUp({ username: 'ada', email: 'ada@example.com' })).status, 201)
      for (const username of ['ada ', 'ADA', 'ａｄａ', 'a\u200bda', ' ada\u00a0']) {
        assert.equal((await signUp({ username })).json.error_code, '4092', JSON.stringify(username))
        assert.equal(await signIn(username), 200, JSON.stringify(username))
      }
      assert.equal(await signIn('ada@example.com '), 200)
      assert.equal(await signIn(' Ada@EXAMPLE.com'), 200)
    })

    test('have one mailbox, whatever the form of its domain', async () => {
      assert.equal((await signUp({ email: 'x@exämple.com' })).status, 201)
      for (const email of ['x@xn--exmple-cua.com', 'X@EXÄMPLE.COM', 'x@exa\u0308mple.com']) {
        assert.equal((await signUp({ email })).json.error_code, '4092', email)
        assert.equal(await signIn(email), 200, email)
      }
    })

    test('are no addresses that no mail reaches', async () => {
      for (const email of [
        ...[
          'a@example.com\u200b',
          'a\u202e@example.com',
          'a\u034f@example.com',
          'a..b@example.com',
          '.a@example.com',
        ],
        ...['a@-example.com', 'a@example-.com', 'a@example..com', 'a@example', ' a@example.com'],
      ]) {
        const { status, json } = await signUp({ email })
        assert.deepEqual([status, json.errors?.[0].field], [422, 'email'], JSON.stringify(email))
      }
      for (const email of [
        "o'brien+shop@mail.example.co.uk",
        'δοκιμή@παράδειγμα.gr',
        'a.b-c_d@x-y.de',
      ]) {
        assert.equal((await signUp({ email })).status, 201, email)
      }
    })

    test('keep the address that mail reaches, whichever keyboard typed it', async () => {
      const made = await signUp({ email: 'ｖic@ｍail.test' })
      assert.deepEqual([made.status, made.json.email], [201, 'vic@mail.test'])
      for (const email of ['vic@mai%6c.test', 'vic@mail。test', 'vic@mai\ufe0fl.test']) {
        assert.equal((await signUp({ email })).status, 422, email)
      }
      for (const email of ['vıc@mail.test', 'straße@mail.test', 'strasse@mail.test']) {
        assert.equal((await signUp({ email })).status, 201, email)
      }
    })

    test('have passwords of eight characters besides blanks, in any Unicode form', async () => {
      for (const password of [' '.repeat(10), 'abc    \u3000defg', '\u200b'.repeat(9)]) {
        const { status, json } = await signUp({ username: 'blank', password })
        assert.deepEqual(
          [status, json.errors[0].field],
          [422, 'password'],
          JSON.stringify(password),
        )
      }
      const composed = 'café ﬁnesse ｗide words'
      assert.equal((await signUp({ username: 'composed', password: composed })).status, 201)
      for (const password of [composed, composed.normalize('NFD'), composed.normalize('NFKC')]) {
        assert.equal(await signIn('composed', password), 200, password)
      }
      assert.equal(await signIn('composed', 'cafe finesse wide words'), 401)
    })
  })
})
