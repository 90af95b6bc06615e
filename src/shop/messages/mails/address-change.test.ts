import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { anonymous } from '#http/declare/actor.ts'
import type { Language } from '#i18n/languages.ts'
import { saveUser } from '#shop/accounts/users/actions.ts'
import { patchUserState } from '#shop/accounts/users/rules.ts'
import { findUser } from '#shop/accounts/users/store.ts'
import { eachDatabase, startTestApp, type TestApp, testPassword } from '#test/support/app.ts'
import { startGuest } from '#test/support/callers/guest.ts'
import { createTestMailer, useMailServer } from '#test/support/mailer.ts'
import { serverActor } from '#values/audit.ts'
import { dayMs, hourMs } from '#values/instant.ts'

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
    return `Person-${count}@example.com`
  }
  async function signUp(fields: object = {}) {
    const email = nextAddress()
    const user = await shop.signInAs('customer', { email, ...fields })
    return { ...user, email }
  }
  type Person = Awaited<ReturnType<typeof signUp>>
  async function change({ id, request }: Pick<Person, 'id' | 'request'>, patch: object) {
    const { status, text } = await request('PATCH', `/users/${id}`, patch)
    assert.equal(status, 200, text)
  }
  const stored = ({ id }: Pick<Person, 'id'>) =>
    shop.db
      .selectFrom('mails')
      .select(['status', 'recipient'])
      .where('user_id', '=', id)
      .where('kind', '=', 'email_changed')
      .orderBy('id')
      .execute()
  /** Sends what is due, and returns the mails to an address. */
  async function sentTo(email: string) {
    await mailing.mailer.run()
    return mailing.server.mails.filter(({ to }) => to.includes(email))
  }
  /** Sends mails to a server that is down. */
  const fail = () =>
    createTestMailer(shop, '', { send: async () => ({ kind: 'failed', error: 'down' }) }).run()

  test('the former address learns of a change, with neither the new address nor a name', async () => {
    const subjects: Record<Language, string> = {
      en: 'Your email address was changed',
      de: 'Ihre E-Mail-Adresse wurde geändert',
      es: 'Se ha cambiado su correo electrónico',
      fr: 'Votre adresse e-mail a été modifiée',
      zh: '您的电子邮箱已更改',
    }
    for (const [language, subject] of Object.entries(subjects)) {
      const user = await signUp({ language, name: 'Visit evil.example' })
      const email = `new-${language}@example.com`
      await mailing.mailer.run()
      mailing.server.mails.length = 0
      await change(user, { email })
      assert.deepEqual(await stored(user), [{ status: 'pending', recipient: user.email }])
      const [mail, ...others] = await sentTo(user.email)
      assert.deepEqual([mail?.headers['subject'], others], [subject, []])
      assert.equal(mail?.headers['content-language'], language)
      assert.deepEqual(mail?.to, [user.email])
      for (const content of [mail?.text ?? '', mail?.html ?? '']) {
        assert.match(content, /2026.*12:00:00/)
        assert.doesNotMatch(content, /evil|new-/)
      }
      const sent = mailing.server.mails.filter(({ headers }) => headers['subject'] === subject)
      assert.equal(sent.length, 1)
      assert.deepEqual(await stored(user), [{ status: 'sent', recipient: null }])
    }
  })

  test('every way to change or remove the address tells the former one, which the export lists', async () => {
    const [own, replaced, removed] = [await signUp(), await signUp(), await signUp()]
    const admin = await shop.signInAs('admin')
    await change(own, { email: nextAddress() })
    const { status } = await admin.request('PUT', `/users/${replaced.id}`, {
      name: 'Ada',
      email: nextAddress(),
    })
    assert.equal(status, 200)
    await change(removed, { email: null })
    for (const { email } of [own, replaced, removed]) {
      const subjects = (await sentTo(email)).map(({ headers }) => headers['subject'])
      assert.ok(subjects.includes('Your email address was changed'), subjects.join())
    }
    const { json } = await own.request('GET', `/users/${own.id}?include=data`)
    const kinds = json.data.mails.map(({ kind: each }: { kind: string }) => each)
    assert.ok(kinds.includes('email_changed'))
    assert.equal('recipient' in json.data.mails[0], false)
  })

  test('a change of case only, of other fields, a first address and an erasure send nothing', async () => {
    const [person, erased] = [await signUp(), await signUp()]
    await change(person, { email: person.email.toUpperCase(), name: 'Other', age: 40 })
    const first = await shop.signInAs('customer')
    await change(first, { email: nextAddress() })
    assert.equal((await erased.request('DELETE', `/users/${erased.id}`)).status, 204)
    for (const user of [person, first, erased]) assert.deepEqual(await stored(user), [])
  })

  test('guests get no mail, neither about a change nor about their registration', async () => {
    const guest = await startGuest(shop, { email: nextAddress() })
    await change(guest, { email: nextAddress() })
    await change(guest, { email: nextAddress(), name: 'Ada', password: testPassword })
    assert.deepEqual(await stored(guest), [])
  })

  test('a change that is rolled back sends nothing', async () => {
    const person = await signUp()
    const user = await findUser(shop.db, person.id)
    assert.ok(user)
    const { now } = shop
    const work = shop.parts.transaction(async (db) => {
      const ctx = { db, now, actor: anonymous, auditActor: () => serverActor(now) }
      await saveUser(ctx, user, patchUserState(user, { email: nextAddress() }))
      const [mail] = await db
        .selectFrom('mails')
        .selectAll()
        .where('user_id', '=', user.id)
        .execute()
      assert.equal(mail?.recipient, person.email)
      throw new Error('rolled back')
    })
    await assert.rejects(work, /rolled back/)
    const other = await signUp()
    const taken = await person.request('PATCH', `/users/${person.id}`, { email: other.email })
    assert.equal(taken.status, 409)
    assert.deepEqual(await stored(person), [])
  })

  test('the former address is kept until the mail is sent, rejected or given up', async () => {
    const [sent, rejected, lost] = [await signUp(), await signUp(), await signUp()]
    for (const user of [sent, rejected, lost]) await change(user, { email: nextAddress() })
    await fail()
    for (const user of [sent, rejected, lost]) {
      assert.deepEqual(await stored(user), [{ status: 'pending', recipient: user.email }])
    }
    mailing.server.reject = (address) => {
      if (address === rejected.email) return 550
      return address === lost.email ? 450 : undefined
    }
    const began = shop.now
    for (; shop.now < began + 3 * dayMs; shop.now += hourMs) await mailing.mailer.run()
    shop.now = began
    assert.deepEqual(await stored(sent), [{ status: 'sent', recipient: null }])
    for (const user of [rejected, lost]) {
      assert.deepEqual(await stored(user), [{ status: 'failed', recipient: null }])
    }
    assert.doesNotMatch(JSON.stringify(mailing.mailer.reports), /Person-/)
  })

  test('suspended users get no mail, and an erasure deletes the address', async () => {
    const [suspended, erased] = [await signUp(), await signUp()]
    for (const user of [suspended, erased]) await change(user, { email: nextAddress() })
    const admin = await shop.signInAs('admin')
    await change({ ...admin, id: suspended.id }, { status: 'suspended' })
    assert.equal((await admin.request('DELETE', `/users/${erased.id}`)).status, 204)
    assert.deepEqual(await stored(erased), [])
    await mailing.mailer.run()
    assert.deepEqual(await stored(suspended), [{ status: 'cancelled', recipient: null }])
    const recipients = mailing.server.mails.flatMap(({ to }) => to)
    for (const { email } of [suspended, erased]) assert.ok(!recipients.includes(email))
  })

  test('an address gets at most five mails an hour, whichever accounts had it', async () => {
    const email = nextAddress()
    for (let account = 0; account < 6; account += 1) {
      const user = await shop.signInAs('customer', { email })
      await change(user, { email: nextAddress() })
    }
    await fail()
    const began = shop.now
    shop.now += hourMs / 2
    await mailing.mailer.run()
    shop.now = began
    const sent = mailing.server.mails.filter(
      ({ headers, to }) =>
        to.includes(email) && headers['subject'] === 'Your email address was changed',
    )
    assert.equal(sent.length, 5)
  })
})
