import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase } from '#test/support/app.ts'
import { type OauthShop, startOauthShop } from '#test/support/callers/relying-party.ts'
import { minuteMs } from '#values/instant.ts'

interface Client {
  readonly id: number
  readonly client_id: string
  readonly client_secret: string
}

/** What of an answer of OAuth is looked at. */
interface Told {
  readonly access_token?: string
  readonly active?: boolean
}

eachDatabase((kind) => {
  let shop: OauthShop
  before(async () => {
    shop = await startOauthShop(kind)
  })
  after(() => shop.dispose())

  const send = async (path: string, form: Readonly<Record<string, string>>, client: Client) => {
    const { client_id, client_secret } = client
    const pair = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
    const headers = { authorization: `Basic ${pair}` }
    const body = new URLSearchParams(form)
    const answer = await fetch(shop.issuer + path, { method: 'POST', headers, body })
    return { status: answer.status, json: (await answer.json()) as Told }
  }
  const tokenOf = async (client: Client): Promise<string> => {
    const { json } = await send('/oauth/token', { grant_type: 'client_credentials' }, client)
    return json.access_token ?? ''
  }
  const registered = (): Promise<Client> =>
    shop.register({ grant_types: ['client_credentials'], scope: 'orders:read' })
  const rotate = async (client: Client, grace_seconds?: number): Promise<Client> => {
    const path = `/oauth-clients/${client.id}/rotations`
    const body = grace_seconds === undefined ? {} : { grace_seconds }
    const { status, json } = await shop.admin.request('POST', path, body)
    assert.equal(status, 201)
    return json
  }
  const isTaken = async (client: Client): Promise<boolean> => {
    const { status } = await send('/oauth/token', { grant_type: 'client_credentials' }, client)
    assert.ok(status === 200 || status === 401, String(status))
    return status === 200
  }

  test('a secret that is replaced dies at once, or works on for as long as it was given', async (t) => {
    const began = shop.now
    t.after(() => {
      shop.now = began
    })
    const first = await registered()
    const second = await rotate(first)
    assert.deepEqual([await isTaken(first), await isTaken(second)], [false, true])
    const third = await rotate(second, 60)
    assert.deepEqual([await isTaken(second), await isTaken(third)], [true, true])
    assert.equal(await isTaken({ ...third, client_secret: 'wrong' }), false)
    shop.now = began + minuteMs
    assert.deepEqual([await isTaken(second), await isTaken(third)], [false, true])
  })

  test('of secrets that are replaced one after the other only the last works on', async () => {
    const first = await registered()
    const second = await rotate(first, 3600)
    const third = await rotate(second, 3600)
    const taken = await Promise.all([first, second, third].map(isTaken))
    assert.deepEqual(taken, [false, true, true])
    const fourth = await rotate(third, 0)
    const left = await Promise.all([second, third, fourth].map(isTaken))
    assert.deepEqual(left, [false, false, true])
  })

  test('a client is told of its own tokens alone', async () => {
    const one = await registered()
    const other = await registered()
    const token = await tokenOf(one)
    const own = await send('/oauth/introspect', { token }, one)
    assert.equal(own.json.active, true)
    assert.deepEqual((await send('/oauth/introspect', { token }, other)).json, { active: false })
  })
})
