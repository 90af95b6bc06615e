import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, testPassword } from '#test/support/app.ts'
import { tokenIn, useMailServer } from '#test/support/mailer.ts'
import { hourMs } from '#values/instant.ts'

const newPassword = 'a wholly different passphrase'

eachDatabase((kind) => {
  let shop: TestApp
  let count = 0
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())
  const mailing = useMailServer(() => shop)

  async function signUp(fields: object = {}) {
    count += 1
    const email = `Person-${count}@example.com`
    const user = await shop.signInAs('customer', { email, ...fields })
    await mailing.mailer.run()
    mailing.server.mails.length = 0
    return { ...user, email }
  }
  const request = (email: string) => shop.request('POST', '/password-resets', { email })
  async function requestToken(email: string): Promise<string> {
    assert.equal((await request(email)).status, 202)
    await mailing.mailer.run()
    const mail = mailing.server.mails.pop()
    assert.deepEqual(mail?.to, [email])
    return tokenIn(mail)
  }
  const reset = (token: string, password = newPassword) =>
    shop.request('PUT', `/password-resets/${token}`, { password })
  const signIn = (username: string, password: string) =>
    shop.request('POST', '/login', { username, password })

  test('a known and an unknown address get the same response, from the same statements', async () => {
    const { email } = await signUp()
    shop.takeCount()
    const known = await request(email.toUpperCase())
    const knownCount = shop.takeCount()
    const unknown = await request('nobody@example.com')
    assert.equal(shop.takeCount(), knownCount)
    assert.deepEqual([known.status, unknown.status], [202, 202])
    assert.deepEqual(known.json, unknown.json)
    assert.equal(known.headers['location'], undefined)
    assert.deepEqual(Object.keys(known.headers), Object.keys(unknown.headers))
    assert.equal((await request('no address')).status, 422)
    await mailing.mailer.run()
    assert.deepEqual(
      mailing.server.mails.map(({ to }) => to),
      [[email]],
    )
  })

  test('the token sets the password once, ends every session and confirms the address', async () => {
    const user = await signUp({ language: 'fr' })
    const [token, other] = [await requestToken(user.email), await requestToken(user.email)]
    assert.equal((await shop.request('GET', `/password-resets/${token}`)).status, 200)
    const answers = await Promise.all([reset(token), reset(token)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 404])
    assert.equal(answers.find(({ status }) => status === 204)?.text, '')
    assert.equal((await reset(other)).status, 404)
    assert.equal((await user.request('GET', '/profile')).status, 401)
    const renewed = await shop.request('POST', '/login', { refresh_token: user.refreshToken })
    assert.equal(renewed.status, 401)
    assert.equal((await signIn(user.username, testPassword)).status, 401)
    const signedIn = await signIn(user.email, newPassword)
    assert.equal(signedIn.status, 200)
    const headers = { authorization: `Bearer ${signedIn.json.token}` }
    const { json } = await shop.request('GET', `/users/${user.id}`, undefined, headers)
    assert.equal(json.email_verified, true)
    const audit = await shop.db
      .selectFrom('audit_events')
      .select(['action', 'credential'])
      .where('subject_id', '=', user.id)
      .where('action', '=', 'password_changed')
      .execute()
    assert.deepEqual(audit, [{ action: 'password_changed', credential: 'password_reset' }])
  })

  test('the new password obeys the rules of every password, and a rejected one costs no token', async () => {
    const user = await signUp()
    const token = await requestToken(user.email)
    for (const [password, status] of [
      ['short', 422],
      ['password1', 422],
      [user.email, 422],
      [undefined, 400],
    ] as const) {
      const body = { password }
      const answer = await shop.request('PUT', `/password-resets/${token}`, body)
      assert.equal(answer.status, status, String(password))
    }
    assert.equal((await reset(token)).status, 204)
  })

  test('a token ends after an hour, with a new password or address, and with the account', async () => {
    const late = await requestToken((await signUp()).email)
    const began = shop.now
    shop.now += hourMs - 1
    assert.equal((await shop.request('GET', `/password-resets/${late}`)).status, 200)
    shop.now += 1
    assert.equal((await reset(late)).status, 404)
    shop.now = began
    const [changed, moved, gone] = [await signUp(), await signUp(), await signUp()]
    const suspended = await signUp()
    const tokens = []
    for (const { email } of [changed, moved, gone, suspended])
      tokens.push(await requestToken(email))
    const admin = await shop.signInAs('admin')
    await changed.request('PATCH', `/users/${changed.id}`, {
      password: 'something else entirely',
      current_password: testPassword,
    })
    await moved.request('PATCH', `/users/${moved.id}`, { email: 'moved@example.com' })
    await gone.request('DELETE', `/users/${gone.id}`)
    await admin.request('PATCH', `/users/${suspended.id}`, { status: 'suspended' })
    for (const token of tokens) assert.equal((await reset(token)).status, 404)
    assert.equal((await reset('unknown')).status, 404)
  })

  test('no account, a suspended one and a removed one get no mail', async () => {
    const [suspended, removed] = [await signUp(), await signUp()]
    const admin = await shop.signInAs('admin')
    await admin.request('PATCH', `/users/${suspended.id}`, { status: 'suspended' })
    await removed.request('DELETE', `/users/${removed.id}`)
    for (const email of [suspended.email, removed.email, 'nobody@example.com']) {
      assert.equal((await request(email)).status, 202)
    }
    await mailing.mailer.run()
    assert.deepEqual(mailing.server.mails, [])
    assert.deepEqual(await shop.db.selectFrom('mail_requests').selectAll().execute(), [])
  })

  test('an address gets at most five mails in an hour, and no response shows it', async () => {
    const { email } = await signUp()
    const other = email.replace('@', '+other@')
    await shop.signInAs('customer', { email: other })
    await mailing.mailer.run()
    mailing.server.mails.length = 0
    for (let time = 0; time < 7; time += 1) {
      assert.equal((await request(time % 2 === 0 ? email : email.toUpperCase())).status, 202)
    }
    await mailing.mailer.run()
    assert.equal(mailing.server.mails.length, 5)
    mailing.server.mails.length = 0
    // Whoever uses up the mails of one address takes none of another's.
    await requestToken(other)
    mailing.server.mails.length = 0
    const began = shop.now
    shop.now += hourMs
    await request(email)
    await mailing.mailer.run()
    shop.now = began
    assert.equal(mailing.server.mails.length, 1)
  })

  test('accounts with a `+tag` share the confirmations of a mailbox, and leave the others', async () => {
    count += 1
    const name = `tagged-${count}`
    const addresses = Array.from({ length: 7 }, (_, tag) => `${name}+${tag}@example.com`)
    for (const email of addresses) await shop.signInAs('customer', { email })
    const plain = `${name}@example.com`
    await shop.signInAs('customer', { email: plain })
    await mailing.mailer.run()
    assert.equal(mailing.server.mails.filter(({ to }) => to[0]?.startsWith(`${name}+`)).length, 5)
    assert.match(mailing.server.mails.at(-1)?.text ?? '', /email-rejections/)
    assert.deepEqual(mailing.server.mails.at(-1)?.to, [plain])
    for (const email of [plain, ...addresses]) await requestToken(email)
  })

  test('only a hash of the token is stored, and no event holds it', async () => {
    const user = await signUp()
    const token = await requestToken(user.email)
    for (const table of ['account_tokens', 'mails', 'events', 'outbox', 'settings'] as const) {
      const rows = await shop.db.selectFrom(table).selectAll().execute()
      assert.ok(!JSON.stringify(rows).includes(token), table)
    }
  })

  test('the page of the link shows a form, and sets the password', async () => {
    const user = await signUp()
    const token = await requestToken(user.email)
    const path = `/account/password-resets/${token}`
    const page = await shop.request('GET', path, undefined, { 'accept-language': 'de' })
    assert.equal(page.status, 200)
    assert.match(page.text, /<html lang="de">[\s\S]*Neues Passwort/)
    assert.equal(page.headers['referrer-policy'], 'no-referrer')
    const send = (password: string) =>
      shop.app.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ password }).toString(),
      })
    assert.equal((await send('short')).statusCode, 422)
    assert.equal((await send('password1')).statusCode, 422)
    // The rules are those of the API: lengths in code points, and no NUL.
    for (const password of ['🔑🔑🔑🔑', 'with a \0 inside', 'x'.repeat(257)]) {
      const rejected = await send(password)
      assert.equal(rejected.statusCode, 422, password)
      assert.match(rejected.payload, /role="alert"/)
    }
    const done = await send(newPassword)
    assert.equal(done.statusCode, 200, done.payload)
    assert.equal((await send(newPassword)).statusCode, 404)
    assert.equal((await shop.request('GET', path)).status, 404)
    assert.equal((await signIn(user.email, newPassword)).status, 200)
  })
})
