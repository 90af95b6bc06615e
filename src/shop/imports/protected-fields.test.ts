import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { runWaitingImports } from '#test/support/imports.ts'
import { minuteMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: TestApp
  let count = 0
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())

  const addressOf = () => `user-${kind}-${count++}@example.com`

  /** Returns the codes of the errors with which a row is imported by a credential. */
  async function importRow(authorization: string, row: object) {
    const started = await shop.app.inject({
      method: 'POST',
      url: '/imports?resource=users',
      headers: { authorization, 'content-type': 'application/x-ndjson' },
      payload: JSON.stringify(row),
    })
    assert.equal(started.statusCode, 202, started.payload)
    await runWaitingImports(shop)
    const { id } = started.json()
    const errors = shop.db.selectFrom('operation_errors').where('operation_id', '=', id)
    const rows = await errors.select(['field', 'error_code']).execute()
    return rows.map(({ field, error_code }) => `${field} ${error_code}`)
  }

  const credentials: Readonly<Record<string, (own: TestCaller) => Promise<string>>> = {
    'an API key': async ({ request }) => {
      const scopes = ['imports:write', 'users:write', 'users:read']
      const { json } = await request('POST', '/api-keys', { name: 'Importer', scopes })
      return `Api-Key ${json.key}`
    },
    'a fresh sign-in': async ({ token }) => `Bearer ${token}`,
    'an older sign-in': async ({ token }) => {
      shop.now += 11 * minuteMs
      return `Bearer ${token}`
    },
  }
  const changes = {
    name: 'Other',
    username: 'other',
    status: 'suspended',
    role: 'customer',
  } as const
  const expected: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
    'an API key': {
      username: ['username 4033'],
      email: ['email 4033'],
      status: ['status 4033'],
    },
    'a fresh sign-in': {},
    'an older sign-in': {
      username: ['username 4031'],
      email: ['email 4031'],
      status: ['status 4031'],
    },
  }
  for (const [name, credentialOf] of Object.entries(credentials)) {
    test(`an import with ${name} changes of an account what the API changes with it`, async () => {
      for (const role of ['admin', 'customer'] as const) {
        const own = await shop.signInAs('admin', { email: addressOf() })
        const authorization = await credentialOf(own)
        for (const [field, value] of Object.entries({ ...changes, email: '' })) {
          const email = addressOf()
          const { id } = await shop.signInAs(role, { email })
          const body = {
            [field]:
              field === 'email'
                ? email.toUpperCase()
                : field === 'username'
                  ? `${value}-${id}`
                  : value,
          }
          const errors = await importRow(authorization, { email, ...body })
          const isRole = field === 'role' && role === 'admin'
          const refused = isRole ? ['role 4031'] : (expected[name]?.[field] ?? [])
          assert.deepEqual(errors, refused, `${field} of ${role}`)
          const path = `/users/${id}`
          const patched = await shop.request('PATCH', path, body, { authorization })
          const isAllowed = patched.status === 200
          assert.ok(isAllowed || refused.length > 0 || field === 'role', `${field} of ${role}`)
          if (refused.length > 0 && !isRole) {
            assert.equal(`${field} ${patched.json.error_code}`, refused[0])
          }
        }
      }
    })
  }

  test('an import changes neither the username nor the status of the one who began it', async () => {
    const email = addressOf()
    const { id, token, request } = await shop.signInAs('admin', { email })
    const before = await request('GET', `/users/${id}`)
    const bodies = [{ username: 'mine' }, { status: 'suspended' }, { email: email.toUpperCase() }]
    for (const body of bodies) {
      const [field] = Object.keys(body)
      const errors = await importRow(`Bearer ${token}`, { email, ...body })
      assert.deepEqual(errors, [`${field} 4031`])
    }
    assert.deepEqual((await request('GET', `/users/${id}`)).json, before.json)
    assert.deepEqual(await importRow(`Bearer ${token}`, { email, name: 'Renamed' }), [])
  })

  test('a suspension by an import ends the sessions of the user, and is audited with its maker', async () => {
    const email = addressOf()
    const other = await shop.signInAs('admin', { email })
    const fresh = await shop.signInAs('admin')
    const row = { email, status: 'suspended' }
    assert.deepEqual(await importRow(`Bearer ${fresh.token}`, row), [])
    assert.equal((await other.request('GET', '/profile')).json.error_code, '4032')
    const query = `/audit-events?action=status_changed&subject_id=${other.id}`
    const { json } = await fresh.request('GET', query)
    assert.deepEqual([json.data[0].actor_id, json.data[0].details.to], [fresh.id, 'suspended'])
    const { json: back } = await fresh.request('PATCH', `/users/${other.id}`, { status: 'active' })
    assert.equal(back.status, 'active')
    assert.equal((await other.request('GET', '/profile')).status, 401)
  })
})
