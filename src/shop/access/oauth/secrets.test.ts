import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase } from '#test/support/app.ts'
import { type OauthShop, postForm, startOauthShop } from '#test/support/callers/relying-party.ts'
import { minuteMs } from '#values/instant.ts'

interface Client {
  readonly id: number
  readonly client_id: string
  readonly client_secret: string
}

eachDatabase((kind) => {
  let shop: OauthShop
  before(async () => {
    shop = await startOauthShop(kind)
  })
  after(() => shop.dispose())

  const send = (path: string, form: Readonly<Record<string, string>>, client: Client) =>
    postForm(shop.issuer + path, form, client)
  const issueToken = async (client: Client): Promise<string> => {
    const { json } = await send('/oauth/token', { grant_type: 'client_credentials' }, client)
    return json.access_token ?? ''
  }
  const register = (): Promise<Client> =>
    shop.register({ grant_types: ['client_credentials'], scope: 'orders:read' })
  const rotate = async (client: Client, grace_seconds?: number): Promise<Client> => {
    const path = `/oauth-clients/${client.id}/rotations`
    const body = grace_seconds === undefined ? {} : { grace_seconds }
    const { status, json } = await shop.admin.request('POST', path, body)
    assert.equal(status, 201)
    return json
  }
  const isAccepted = async (client: Client): Promise<boolean> => {
    const { status } = await send('/oauth/token', { grant_type: 'client_credentials' }, client)
    assert.ok(status === 200 || status === 401, String(status))
    return status === 200
  }

  test('a replaced secret is rejected at once, or after its grace period', async (t) => {
    const start = shop.now
    t.after(() => {
      shop.now = start
    })
    const first = await register()
    const second = await rotate(first)
    assert.deepEqual([await isAccepted(first), await isAccepted(second)], [false, true])
    const third = await rotate(second, 60)
    assert.deepEqual([await isAccepted(second), await isAccepted(third)], [true, true])
    assert.equal(await isAccepted({ ...third, client_secret: 'wrong' }), false)
    shop.now = start + minuteMs
    assert.deepEqual([await isAccepted(second), await isAccepted(third)], [false, true])
  })

  test('only the last replaced secret has a grace period', async () => {
    const first = await register()
    const second = await rotate(first, 3600)
    const third = await rotate(second, 3600)
    const accepted = await Promise.all([first, second, third].map(isAccepted))
    assert.deepEqual(accepted, [false, true, true])
    const fourth = await rotate(third, 0)
    const remaining = await Promise.all([second, third, fourth].map(isAccepted))
    assert.deepEqual(remaining, [false, false, true])
  })

  test('a client can introspect only its own tokens', async () => {
    const one = await register()
    const other = await register()
    const token = await issueToken(one)
    const own = await send('/oauth/introspect', { token }, one)
    assert.equal(own.json.active, true)
    assert.deepEqual((await send('/oauth/introspect', { token }, other)).json, { active: false })
  })
})
