import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  confirmAddress,
  eachDatabase,
  startTestApp,
  type TestApp,
  testPassword,
} from '#test/support/app.ts'
import { tokenIn, useMailServer } from '#test/support/mailer.ts'
import { hourMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: TestApp
  let count = 0
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())
  const mailing = useMailServer(() => shop)
  const nextAddress = () => {
    count += 1
    return `Moved-${count}@example.com`
  }
  /** Signs up a user whose address is confirmed, and whose username is the address. */
  async function signUp() {
    const email = nextAddress()
    const user = await shop.signInAs('customer', { email, username: email })
    await confirmAddress(shop.db, user.id)
    await mailing.mailer.run()
    mailing.server.mails.length = 0
    return { ...user, email }
  }
  type Person = Awaited<ReturnType<typeof signUp>>
  async function change({ id, request }: Person, fields: object) {
    const { status, text } = await request('PATCH', `/users/${id}`, fields)
    assert.equal(status, 200, text)
  }
  /** Sends what is due, and returns the link to undo a change in the last mail to an address. */
  async function linkTo(email: string): Promise<string | undefined> {
    await mailing.mailer.run()
    const mail = mailing.server.mails.findLast(({ to }) => to.includes(email))
    return mail?.text.includes('/account/address-changes/') ? tokenIn(mail) : undefined
  }
  const undo = (token: string) => shop.request('PUT', `/address-changes/${token}`, {})
  const stored = ({ id }: Person) =>
    shop.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const signUpWith = (fields: object) =>
    shop.request('POST', '/users', { name: 'Eve', password: testPassword, ...fields })
  async function resetMailTo(email: string) {
    await mailing.mailer.run()
    mailing.server.mails.length = 0
    await shop.request('POST', '/password-resets', { email })
    await mailing.mailer.run()
    return mailing.server.mails
  }

  test('the former address gets a link that undoes the change, and ends all that a thief has', async () => {
    const user = await signUp()
    const { json: key } = await user.request('POST', '/api-keys', {
      name: 'Key',
      scopes: ['users:read'],
    })
    const thief = nextAddress()
    await change(user, { email: thief })
    await confirmAddress(shop.db, user.id)
    const token = await linkTo(user.email)
    assert.ok(token)
    assert.equal(await linkTo(thief), undefined)
    const read = await shop.request('GET', `/address-changes/${token}`)
    assert.equal(read.status, 200, read.text)
    assert.equal(read.json._links.undo.method, 'PUT')
    assert.equal(read.json.expires_at, new Date(shop.now + 72 * hourMs).toISOString())
    const answers = await Promise.all([undo(token), undo(token)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 404])
    const { email, email_verified, username, password_hash } = await stored(user)
    assert.deepEqual([email, email_verified, username], [user.email, 1, user.email])
    assert.equal(password_hash, null)
    assert.equal((await user.request('GET', '/profile')).status, 401)
    const byKey = { authorization: `Api-Key ${key.key}` }
    assert.equal((await shop.request('GET', '/profile', undefined, byKey)).status, 401)
    const login = { username: user.email, password: testPassword }
    assert.equal((await shop.request('POST', '/login', login)).status, 401)
    // The address of the thief has no link, and no say.
    assert.equal(await linkTo(thief), undefined)
    assert.deepEqual(await resetMailTo(thief), [])
    const [mail] = await resetMailTo(user.email)
    assert.ok(mail)
    const password = 'a wholly different passphrase'
    const reset = await shop.request('PUT', `/password-resets/${tokenIn(mail)}`, { password })
    assert.equal(reset.status, 204, reset.text)
    const signedIn = await shop.request('POST', '/login', { username: user.email, password })
    assert.equal(signedIn.status, 200)
  })

  test('a reset to either address goes to the former one for 72 hours, and confirms no other', async () => {
    const user = await signUp()
    const next = nextAddress()
    await change(user, { email: next })
    for (const email of [next, user.email]) {
      const mails = await resetMailTo(email)
      assert.deepEqual(
        mails.map(({ to }) => to),
        [[user.email]],
      )
    }
    const [mail] = await resetMailTo(next)
    assert.ok(mail)
    const reset = await shop.request('PUT', `/password-resets/${tokenIn(mail)}`, {
      password: 'a wholly different passphrase',
    })
    assert.equal(reset.status, 204, reset.text)
    assert.equal((await stored(user)).email_verified, 0)
    shop.now += 73 * hourMs
    assert.deepEqual(
      (await resetMailTo(next)).map(({ to }) => to),
      [[next]],
    )
    assert.deepEqual(await resetMailTo(user.email), [])
  })

  test('nobody else takes the former address while the change can be undone', async () => {
    const user = await signUp()
    await change(user, {
      email: nextAddress(),
      username: `moved-${count}-${kind}`,
      current_password: testPassword,
    })
    for (const [fields, code] of [
      [{ email: user.email.toUpperCase() }, '4092'],
      [{ username: user.email }, '4221'],
    ] as const) {
      assert.equal((await signUpWith(fields)).json.error_code, code)
    }
    shop.now += 72 * hourMs
    const { status, text } = await signUpWith({ email: user.email })
    assert.equal(status, 201, text)
  })

  test('of several changes the first address is the former one, and a return ends the link', async () => {
    const user = await signUp()
    const [second, third] = [nextAddress(), nextAddress()]
    await change(user, { email: second })
    const first = await linkTo(user.email)
    await confirmAddress(shop.db, user.id)
    shop.now += 71 * hourMs
    const again = await shop.request('POST', '/login', {
      username: second,
      password: testPassword,
    })
    const headers = { authorization: `Bearer ${again.json.token}` }
    const patch = (email: string) => shop.request('PATCH', `/users/${user.id}`, { email }, headers)
    assert.equal((await patch(third)).status, 200)
    assert.equal(await linkTo(second), undefined)
    assert.equal(await linkTo(user.email), first)
    shop.now += 2 * hourMs
    const { status } = await shop.request('GET', `/address-changes/${first}`)
    assert.equal(status, 200)
    await shop.db
      .updateTable('sessions')
      .set({ expires_at: shop.now + hourMs })
      .execute()
    const { status: signedIn, json } = await shop.request('POST', '/login', {
      refresh_token: again.json.refresh_token,
    })
    assert.equal(signedIn, 200)
    const back = await shop.request(
      'PATCH',
      `/users/${user.id}`,
      { email: user.email, current_password: testPassword },
      { authorization: `Bearer ${json.token}` },
    )
    assert.equal(back.json.email_verified, true, back.text)
    assert.equal((await undo(first ?? '')).status, 404)
  })

  test('an address that was never confirmed gets no link, and an old link does not work', async () => {
    const unconfirmed = await shop.signInAs('customer', { email: nextAddress() })
    const former = `Moved-${count}@example.com`
    const { status } = await unconfirmed.request('PATCH', `/users/${unconfirmed.id}`, {
      email: nextAddress(),
    })
    assert.equal(status, 200)
    assert.equal(await linkTo(former), undefined)
    const user = await signUp()
    const named = { username: `named-${count}`, current_password: testPassword }
    await change(user, { email: null, ...named })
    const token = (await linkTo(user.email)) ?? ''
    const page = await shop.request('GET', `/account/address-changes/${token}`)
    assert.match(page.text, /Undo the change of your address/)
    shop.now += 72 * hourMs
    const expired = await undo(token)
    assert.deepEqual([expired.status, expired.json.error_code], [404, '4041'])
    assert.equal((await shop.request('POST', `/account/address-changes/${token}`)).status, 404)
  })
})
