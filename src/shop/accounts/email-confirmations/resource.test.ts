import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  testPassword,
} from '#test/support/app.ts'
import { createTestMailer, tokenIn, useMailServer } from '#test/support/mailer.ts'
import { dayMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())
  const mailing = useMailServer(() => shop)

  /** Returns the next mail with a link to confirm an address. */
  async function nextMail() {
    await mailing.mailer.run()
    const mails = mailing.server.mails.splice(0)
    const [mail, ...others] = mails.filter(({ text }) =>
      text.includes('/account/email-confirmations/'),
    )
    assert.deepEqual(others, [])
    assert.ok(mail)
    return mail
  }
  const confirm = (token: string) => shop.request('PUT', `/email-confirmations/${token}`, {})
  const read = async ({ id, request }: TestCaller) => (await request('GET', `/users/${id}`)).json
  const requestAgain = ({ id, request }: TestCaller) =>
    request('POST', `/users/${id}/email-confirmations`, {})

  test('who signs up gets one mail in the own language, whose token confirms once', async () => {
    const fields = { email: 'Ada@example.com', language: 'es', name: 'Win money at evil.example' }
    const user = await shop.signInAs('customer', fields)
    await user.request('PATCH', `/users/${user.id}`, { age: 36 })
    const other = createTestMailer(shop, mailing.server.url)
    await Promise.all([mailing.mailer.run(), other.run()])
    const mail = await nextMail()
    assert.deepEqual(mail.to, ['Ada@example.com'])
    assert.equal(mail.headers['subject'], 'Confirme su correo electrónico')
    assert.doesNotMatch(mail.text + mail.html, /evil/)
    const before = await read(user)
    assert.equal(before.email_verified, false)
    assert.ok(before._links.confirm_email)
    const answers = await Promise.all([confirm(tokenIn(mail)), confirm(tokenIn(mail))])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 404])
    const confirmed = await read(user)
    assert.equal(confirmed.email_verified, true)
    assert.equal(confirmed._links.confirm_email, undefined)
    assert.equal((await requestAgain(user)).status, 409)
    const { status } = await user.request('GET', '/profile')
    assert.equal(status, 200)
  })

  test('a new address is not confirmed, gets a mail, and the token of the former one ends', async () => {
    const user = await shop.signInAs('customer', { email: 'old@example.com' })
    const old = tokenIn(await nextMail())
    await user.request('PATCH', `/users/${user.id}`, { email: 'new@example.com' })
    const mail = await nextMail()
    assert.deepEqual(mail.to, ['new@example.com'])
    assert.equal((await confirm(old)).status, 404)
    assert.equal((await confirm(tokenIn(mail))).status, 204)
    await user.request('PATCH', `/users/${user.id}`, { email: 'old@example.com' })
    assert.equal((await read(user)).email_verified, false)
    await nextMail()
  })

  test('who did not sign up frees the address, which ends all that was made in the account', async () => {
    const email = 'victim@example.com'
    const squatter = await shop.signInAs('customer', { email, username: email })
    const mail = await nextMail()
    const links = mail.text.match(/\/account\/email-rejections\/[\w-]+/g)
    assert.equal(links?.length, 1)
    const [page = ''] = links ?? []
    const token = tokenIn(mail)
    assert.equal(page, `/account/email-rejections/${token}`)
    const { json } = await shop.request('GET', `/email-confirmations/${token}`)
    assert.equal(json._links.reject.href, `/email-rejections/${token}`)
    assert.equal((await shop.request('GET', `/email-rejections/${token}`)).status, 200)
    const shown = await shop.request('GET', page, undefined, { 'accept-language': 'de' })
    assert.match(shown.text, /Ich habe mich nicht angemeldet/)
    assert.equal((await read(squatter)).email, email)
    const rejected = await shop.request('PUT', `/email-rejections/${token}`, {})
    assert.equal(rejected.status, 204, rejected.text)
    assert.equal((await squatter.request('GET', '/profile')).status, 401)
    const renewed = { refresh_token: squatter.refreshToken }
    assert.equal((await shop.request('POST', '/login', renewed)).status, 401)
    assert.equal((await confirm(token)).status, 404)
    assert.equal((await shop.request('PUT', `/email-rejections/${token}`, {})).status, 404)
    const row = await shop.db
      .selectFrom('users')
      .select(['email', 'email_key', 'username', 'username_key', 'password_hash'])
      .where('id', '=', squatter.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(Object.values(row), [null, null, null, null, null])
    const victim = await shop.signUp({ email, username: email })
    assert.equal(victim.email, email)
    const named = await shop.signInAs('customer', { email: 'other@example.com' })
    await mailing.mailer.run()
    const [other] = mailing.server.mails
      .splice(0)
      .filter(({ to }) => to.includes('other@example.com'))
    assert.ok(other)
    const answer = await shop.request('POST', `/account/email-rejections/${tokenIn(other)}`)
    assert.equal(answer.status, 200)
    const signIn = { username: named.username, password: testPassword }
    assert.equal((await shop.request('POST', '/login', signIn)).status, 200)
  })

  test('an API key and an OAuth client need a confirmed address', async () => {
    const body = { name: 'Key', scopes: ['users:read'] }
    const keyless = await shop.signInAs('customer', { email: 'keyless@example.com' })
    const rejected = await keyless.request('POST', '/api-keys', body)
    assert.deepEqual([rejected.status, rejected.json.error_code], [409, '4091'])
    assert.match(rejected.json.details, /Confirm the email address/)
    assert.equal((await confirm(tokenIn(await nextMail()))).status, 204)
    assert.equal((await keyless.request('POST', '/api-keys', body)).status, 201)
    const admin = await shop.signInAs('admin', { email: 'admin@example.com' })
    assert.equal((await admin.request('POST', '/api-keys', body)).status, 201)
    const nameless = await shop.signUp()
    const { json } = await shop.request('POST', '/login', {
      username: nameless.username,
      password: testPassword,
    })
    const headers = { authorization: `Bearer ${json.token}` }
    const refused = await shop.request('POST', '/api-keys', body, headers)
    assert.deepEqual([refused.status, refused.json.error_code], [409, '4091'])
    mailing.server.mails.length = 0
  })

  test('the mail can be asked for again, at most five times an hour', async () => {
    const user = await shop.signInAs('customer', { email: 'again@example.com' })
    await nextMail()
    for (let asked = 0; asked < 6; asked += 1) assert.equal((await requestAgain(user)).status, 202)
    await mailing.mailer.run()
    assert.equal(mailing.server.mails.length, 4)
    const [mail] = mailing.server.mails.splice(0)
    assert.equal((await confirm(mail ? tokenIn(mail) : '')).status, 204)
    const other = await shop.signInAs('customer')
    assert.equal((await requestAgain(other)).status, 409)
    assert.equal(
      (await other.request('POST', `/users/${user.id}/email-confirmations`, {})).status,
      403,
    )
  })

  test('a token works for three days, and a GET never uses it', async () => {
    await shop.signUp({ email: 'late@example.com' })
    const token = tokenIn(await nextMail())
    const began = shop.now
    shop.now += 3 * dayMs - 1
    assert.equal((await shop.request('GET', `/email-confirmations/${token}`)).status, 200)
    const page = await shop.request('GET', `/account/email-confirmations/${token}`)
    assert.match(page.text, /<form method="post">\s*<div class="actions"><button class="main">/)
    shop.now += 1
    assert.equal((await confirm(token)).status, 404)
    shop.now = began
    const posted = await shop.app.inject({
      method: 'POST',
      url: `/account/email-confirmations/${token}`,
    })
    assert.match(posted.payload, /Your address is confirmed/)
  })

  test('a token confirms an address, but sets no password', async () => {
    await shop.signUp({ email: 'other@example.com' })
    const token = tokenIn(await nextMail())
    const answer = await shop.request('PUT', `/password-resets/${token}`, {
      password: 'a wholly different passphrase',
    })
    assert.equal(answer.status, 404)
  })
})
