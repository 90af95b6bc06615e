import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { noAuthentication, noStore } from '#http/declare/policy.ts'
import { item } from '#http/declare/resource.ts'
import { read } from '#http/declare/route.ts'
import { createDigestSecrets } from '#shop/access/digest/secrets.ts'
import { recoverUser } from '#shop/accounts/users/actions.ts'
import { findUser } from '#shop/accounts/users/store.ts'
import { operations } from '#shop/imports/table.ts'
import { integer, text } from '#store/columns.ts'
import { table } from '#store/table.ts'
import {
  confirmAddress,
  eachDatabase,
  startTestApp,
  type TestApp,
  testSecretKey,
} from '#test/support/app.ts'
import { tokenIn, useMailServer } from '#test/support/mailer.ts'
import { insertGrant } from '#test/support/oauth-grants.ts'
import { waitForLockWaiter } from '#test/support/services/databases.ts'
import { serverActor } from '#values/audit.ts'
import { setAdministrator } from './first-start/administrator.ts'
import { recoveries, requireRecoveries } from './recoveries.ts'

const newPassword = 'a wholly different passphrase'

eachDatabase((kind) => {
  let shop: TestApp
  let count = 0
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())
  const mailing = useMailServer(() => shop)

  /** Signs in an administrator who makes one of everything with authority. */
  async function prepare() {
    count += 1
    const email = `owner-${count}@example.com`
    const user = await shop.signInAs('admin', { email })
    const make = async (url: string, body: object) => {
      const { status, json, text } = await user.request('POST', url, body)
      assert.equal(status, 201, text)
      return json
    }
    const key = await make('/api-keys', { name: 'A program', scopes: ['users:read'] })
    const client = await make('/oauth-clients', {
      client_name: 'A robot',
      grant_types: ['client_credentials'],
      scope: 'users:read',
      user_id: user.id,
    })
    const webhook = await make('/webhooks', {
      url: 'https://93.184.215.14/',
      types: ['order.paid'],
    })
    await insertGrant(shop, user.id, client.client_id, 'users:read')
    await operations.insert(shop.db, {
      ...{ kind: 'import', status: 'queued', resource: 'products', media_type: 'text/csv' },
      ...{ dry_run: 0, user_id: user.id, credential: '{}', due_at: shop.now },
      ...{ created_at: shop.now, updated_at: shop.now },
    })
    return { ...user, email, key, client, webhook }
  }
  type Prepared = Awaited<ReturnType<typeof prepare>>

  const clientToken = ({ client }: Prepared) =>
    shop.app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: {
        authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: 'grant_type=client_credentials&scope=users:read',
    })

  /** Returns the tables of the declarations, with whether something of the user still works. */
  async function living(user: Prepared): Promise<readonly string[]> {
    const byKey = { authorization: `Api-Key ${user.key.key}` }
    const admin = await shop.signInAs('admin')
    const { json: webhook } = await admin.request('GET', `/webhooks/${user.webhook.id}`)
    const works = {
      sessions: (await user.request('GET', '/profile')).status === 200,
      refresh_tokens: (await renew(user)).status === 200,
      api_keys: (await shop.request('GET', `/users/${user.id}`, undefined, byKey)).status === 200,
      api_key_secrets: (await secretsOf(user.key.id)).length > 0,
      oauth_clients: (await clientToken(user)).statusCode === 200,
      oauth_artefacts: (await grantsOf(user.id)).length > 0,
      account_tokens: (await tokensOf(user.id)).length > 0,
      mails: false,
      webhooks: webhook.active as boolean,
      operations: (await operations.find(shop.db, { user_id: user.id }))?.status === 'queued',
    }
    assert.deepEqual(
      Object.keys(works).toSorted(),
      recoveries.flatMap(({ tables }) => tables).toSorted(),
      'create one of everything that a recovery ends',
    )
    return Object.entries(works).flatMap(([name, isAlive]) => (isAlive ? [name] : []))
  }
  const renew = ({ refreshToken }: Prepared) =>
    shop.request('POST', '/login', { refresh_token: refreshToken })
  const grantsOf = (id: number) =>
    shop.db.selectFrom('oauth_artefacts').select('kind').where('user_id', '=', id).execute()
  const secretsOf = (id: number) =>
    shop.db.selectFrom('api_key_secrets').select('key_id').where('key_id', '=', id).execute()
  const tokensOf = (id: number) =>
    shop.db.selectFrom('account_tokens').select('purpose').where('user_id', '=', id).execute()
  const disabledReason = async ({ webhook }: Prepared) =>
    (await (await shop.signInAs('admin')).request('GET', `/webhooks/${webhook.id}`)).json
      .disabled_reason

  async function requestToken(email: string): Promise<string> {
    assert.equal((await shop.request('POST', '/password-resets', { email })).status, 202)
    await mailing.mailer.run()
    const mail = mailing.server.mails.findLast(({ headers }) =>
      headers['subject']?.includes('new password'),
    )
    assert.ok(mail)
    return tokenIn(mail)
  }

  test('a reset by mail ends everything that was made in the account', async () => {
    const user = await prepare()
    const token = await requestToken(user.email)
    assert.equal((await living(user)).length, recoveries.flatMap(({ tables }) => tables).length - 1)
    const { status } = await shop.request('PUT', `/password-resets/${token}`, {
      password: newPassword,
    })
    assert.equal(status, 204)
    assert.deepEqual(await living(user), [])
    assert.equal(await disabledReason(user), 'recovered')
    const login = { username: user.email, password: newPassword }
    assert.equal((await shop.request('POST', '/login', login)).status, 200)
  })

  test('so does `npm run admin`, and nothing of anybody else ends', async () => {
    const [user, other] = [await prepare(), await prepare()]
    await requestToken(user.email)
    await requestToken(other.email)
    const hashing = { hash: shop.passwords.hash, make: createDigestSecrets([testSecretKey]).make }
    const request = { username: user.email, password: newPassword, promotes: false }
    assert.deepEqual(await setAdministrator(shop.store, hashing, request, shop.now), {
      isNew: false,
      hasLostAddress: false,
    })
    assert.deepEqual(await living(user), [])
    assert.equal((await living(other)).length > 7, true)
  })

  test('a webhook that is made, changed or given a new secret while an account is recovered does not stay', async () => {
    const works = [
      ({ request }: Prepared) =>
        request('POST', '/webhooks', { url: 'https://93.184.215.14/', types: ['order.paid'] }),
      ({ request, webhook }: Prepared) =>
        request('PATCH', `/webhooks/${webhook.id}`, { types: ['order.created'] }),
      ({ request, webhook }: Prepared) => request('POST', `/webhooks/${webhook.id}/rotations`, {}),
    ]
    for (const work of works) {
      const user = await prepare()
      const row = await findUser(shop.db, user.id)
      assert.ok(row)
      const [isHeld, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const auditActor = () => serverActor(shop.now)
      const recovery = shop.store.transaction(async (db) => {
        const ctx = { db, now: shop.now, auditActor }
        await recoverUser(ctx, recoveries, row, { ...row, password_hash: null })
        isHeld.resolve()
        await release.promise
      })
      await isHeld.promise
      const response = work(user)
      await waitForLockWaiter(shop.store)
      release.resolve()
      await recovery
      const { status } = await response
      assert.ok(status === 401 || status === 403, String(status))
      const active = await shop.db
        .selectFrom('webhooks')
        .select('id')
        .where('user_id', '=', user.id)
        .where('active', '=', 1)
        .execute()
      assert.deepEqual(active, [])
    }
  })

  test('a mail says that an account is to be erased, and a reset withdraws that', async () => {
    count += 1
    const email = `erased-${count}@example.com`
    const user = await shop.signInAs('customer', { email, language: 'de' })
    await confirmAddress(shop.db, user.id)
    const { json: key } = await user.request('POST', '/api-keys', {
      name: 'Key',
      scopes: ['users:write'],
    })
    const byKey = { authorization: `Api-Key ${key.key}` }
    const scheduled = await shop.request('DELETE', `/users/${user.id}`, undefined, byKey)
    assert.equal(scheduled.status, 202, scheduled.text)
    await mailing.mailer.run()
    const mail = mailing.server.mails.findLast(({ to }) => to.includes(email))
    assert.equal(mail?.headers['subject'], 'Ihr Konto soll gelöscht werden')
    assert.match(mail?.text ?? '', /2026/)
    await shop.request('POST', '/password-resets', { email })
    await mailing.mailer.run()
    const reset = mailing.server.mails.findLast(({ to }) => to.includes(email))
    assert.ok(reset)
    const body = { password: newPassword }
    const done = await shop.request('PUT', `/password-resets/${tokenIn(reset)}`, body)
    assert.equal(done.status, 204, done.text)
    const erasures = shop.db.selectFrom('erasures').selectAll().where('user_id', '=', user.id)
    assert.deepEqual(await erasures.execute(), [])
  })

  test('after `npm run admin` with a username, no address that a thief has given gets a reset', async () => {
    const hashing = { hash: shop.passwords.hash, make: createDigestSecrets([testSecretKey]).make }
    const owner = await shop.signInAs('admin')
    const addresses = ['thief-1@example.com', 'thief-2@example.com']
    for (const email of addresses) {
      assert.equal((await owner.request('PATCH', `/users/${owner.id}`, { email })).status, 200)
      await confirmAddress(shop.db, owner.id)
    }
    await mailing.mailer.run()
    const link = mailing.server.mails.findLast(({ to }) => to.includes('thief-1@example.com'))
    assert.ok(link)
    const request = { username: owner.username, password: newPassword, promotes: false }
    assert.deepEqual(await setAdministrator(shop.store, hashing, request, shop.now), {
      isNew: false,
      hasLostAddress: true,
    })
    mailing.server.mails.length = 0
    for (const email of addresses) await shop.request('POST', '/password-resets', { email })
    await mailing.mailer.run()
    assert.deepEqual(mailing.server.mails, [])
    const undone = await shop.request('PUT', `/address-changes/${tokenIn(link)}`, {})
    assert.equal(undone.status, 404)
    const { username } = owner
    const login = await shop.request('POST', '/login', { username, password: newPassword })
    assert.equal(login.status, 200, login.text)
  })
})

test('a resource or a table with authority that says nothing of recovery stops the start', () => {
  const pass = item({
    name: 'pass',
    description: 'A pass.',
    path: '/passes/:passId',
    schema: Type.Object({}),
    load: async () => ({ id: 1 }),
    pathParams: ({ id }) => ({ passId: id }),
    revision: () => 0,
    present: () => ({}),
    authority: () => ({ userId: 1, scopes: [], expiresAt: null, addresses: null, origins: null }),
  })
  const route = read(pass, {
    summary: 'Reads a pass.',
    access: noAuthentication,
    rateLimit: 'default',
    cache: noStore,
  })
  assert.throws(() => requireRecoveries([route]), {
    name: 'TypeError',
    message: /how to end: pass$/,
  })
  const passes = table('passes', {
    columns: { pass_hash: text, user_id: integer },
    owner: { column: 'user_id', whenErased: 'delete' },
    encrypted: [],
    kept: 'own',
  })
  assert.throws(() => requireRecoveries([], [passes.declaration]), /how to end: passes$/)
  const options = { composition: { routes: [route] } }
  return assert.rejects(startTestApp('memory', options), /how to end: pass$/)
})
