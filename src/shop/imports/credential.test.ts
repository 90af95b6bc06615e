import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { eachDatabase, type TestCaller, testPassword } from '#test/support/app.ts'
import {
  authorizeClient,
  type OauthShop,
  startOauthShop,
} from '#test/support/callers/relying-party.ts'
import { runWaitingImports } from '#test/support/imports.ts'
import { minuteMs } from '#values/instant.ts'

/** A credential of an administrator, and how it ends. */
interface Started {
  readonly authorization: string
  readonly change: () => Promise<unknown>
}

eachDatabase((kind) => {
  let shop: OauthShop
  let count = 0
  before(async () => {
    shop = await startOauthShop(kind)
  })
  // The library of OAuth has a clock of its own.
  beforeEach(() => {
    shop.now = Date.now()
  })
  after(() => shop.dispose())

  const scopes = ['imports:write', 'products:write'] as const
  const expectStatus = async (status: number, answer: ReturnType<TestCaller['request']>) => {
    const { text, json, ...found } = await answer
    assert.equal(found.status, status, text)
    return json
  }
  const basicOf = ({ username }: TestCaller) => `Basic ${btoa(`${username}:${testPassword}`)}`
  const setPassword = ({ id, request }: TestCaller) =>
    expectStatus(
      200,
      request('PATCH', `/users/${id}`, {
        password: 'another orange kettle',
        current_password: testPassword,
        end_others: false,
      }),
    )
  const makeKey = async ({ request }: TestCaller, more: object = {}) => {
    const body = { name: 'Importer', scopes, ...more }
    const { id, key } = await expectStatus(201, request('POST', '/api-keys', body))
    return { id, authorization: `Api-Key ${key}` }
  }
  const rotate = async (admin: TestCaller, grace_seconds: number): Promise<Started> => {
    const { id, authorization } = await makeKey(admin)
    const path = `/api-keys/${id}/rotations`
    return {
      authorization,
      change: () => expectStatus(201, admin.request('POST', path, { grace_seconds })),
    }
  }
  const authorize = async (admin: TestCaller) => {
    const scope = scopes.join(' ')
    const client = await shop.register({ scope })
    const { redeem } = await authorizeClient(shop, admin.username, { client, scope })
    return { client, authorization: `Bearer ${(await redeem()).access_token}` }
  }
  const wait = (ms: number) => async () => {
    shop.now += ms
  }

  /** Imports two batches with a credential that changes after the first one; returns the operation. */
  async function importDuring({ authorization, change }: Started) {
    count += 1
    const sku = `CREDENTIAL-${kind}-${count}`
    const started = await shop.app.inject({
      method: 'POST',
      url: '/imports?resource=products',
      headers: { authorization, 'content-type': 'text/csv' },
      payload: `sku,name,price\n${sku},Pan,5\n${sku},Pan,6\n`,
    })
    assert.equal(started.statusCode, 202, started.payload)
    const { transaction } = shop.parts
    let commits = 0
    await runWaitingImports(shop, {
      transaction: async (work) => {
        const done = await transaction(work)
        commits += 1
        if (commits === 1) await change()
        return done
      },
    })
    const headers = { authorization: basicOf(shop.admin) }
    const read = async (path: string) => (await shop.request('GET', path, undefined, headers)).json
    const { status, progress, failure } = await read(`/operations/${started.json().id}`)
    const { price } = (await read(`/products?sku=${sku}`)).data[0]
    return { status, progress, failure, price }
  }

  const ends: Readonly<Record<string, (admin: TestCaller) => Promise<Started>>> = {
    'its session ends': async ({ token, sessionId, request }) => ({
      authorization: `Bearer ${token}`,
      change: () => expectStatus(204, request('DELETE', `/sessions/${sessionId}`)),
    }),
    'the password of Basic changes': async (admin) => ({
      authorization: basicOf(admin),
      change: () => setPassword(admin),
    }),
    'its API key expires': async (admin) => {
      const expires_at = new Date(shop.now + minuteMs).toISOString()
      const { authorization } = await makeKey(admin, { expires_at })
      return { authorization, change: wait(minuteMs) }
    },
    'its API key gets another secret': (admin) => rotate(admin, 0),
    'the former secret of its API key expires': async (admin) => {
      const { authorization, change } = await rotate(admin, 60)
      return { authorization, change: () => change().then(wait(minuteMs)) }
    },
    'its consent is withdrawn': async (admin) => ({
      ...(await authorize(admin)),
      change: async () => {
        const { json } = await admin.request('GET', '/oauth-consents')
        await expectStatus(204, admin.request('DELETE', `/oauth-consents/${json.data[0].id}`))
      },
    }),
    'its consent is withdrawn after the token has expired': async (admin) => ({
      ...(await authorize(admin)),
      change: async () => {
        await wait(16 * minuteMs)()
        const headers = { authorization: basicOf(admin) }
        const { json } = await shop.request('GET', '/oauth-consents', undefined, headers)
        const path = `/oauth-consents/${json.data[0].id}`
        await expectStatus(204, shop.request('DELETE', path, undefined, headers))
      },
    }),
    'its OAuth client is deleted': async (admin) => {
      const { client, authorization } = await authorize(admin)
      const headers = { authorization: basicOf(shop.admin) }
      const path = `/oauth-clients/${client.id}`
      return {
        authorization,
        change: () => expectStatus(204, shop.request('DELETE', path, undefined, headers)),
      }
    },
    'its OAuth client loses the scope': async (admin) => {
      const { client, authorization } = await authorize(admin)
      const headers = { authorization: basicOf(shop.admin) }
      const scope = 'imports:write'
      const path = `/oauth-clients/${client.id}`
      return {
        authorization,
        change: () => expectStatus(200, shop.request('PATCH', path, { scope }, headers)),
      }
    },
  }
  for (const [name, start] of Object.entries(ends)) {
    test(`an import stops before its next batch once ${name}`, async () => {
      const found = await importDuring(await start(await shop.signInAs('admin')))
      const { status, progress, failure, price } = found
      assert.deepEqual([status, price], ['cancelled', 5])
      assert.deepEqual(progress, { done: 1, total: 1, failed: 0 })
      assert.match(failure, /^The account or the credential that started the import /)
    })
  }

  const stays: Readonly<Record<string, (admin: TestCaller) => Promise<Started>>> = {
    'its access token expires': async ({ token }) => ({
      authorization: `Bearer ${token}`,
      change: wait(16 * minuteMs),
    }),
    'the token of its OAuth client expires': async (admin) => ({
      ...(await authorize(admin)),
      change: wait(16 * minuteMs),
    }),
    'its API key gets another secret, and the old one still works': (admin) => rotate(admin, 60),
    'another session changes the password': async (admin) => ({
      authorization: `Bearer ${admin.token}`,
      change: () => setPassword(admin),
    }),
  }
  for (const [name, start] of Object.entries(stays)) {
    test(`an import goes on after ${name}`, async () => {
      const { status, progress } = await importDuring(await start(await shop.signInAs('admin')))
      assert.deepEqual([status, progress.done], ['succeeded', 2])
    })
  }
})
