import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pollUntil } from '#test/support/poll-until.ts'
import {
  type OwnPostgres,
  ownPostgresSkipReason,
  startOwnPostgres,
} from '#test/support/services/own-postgres.ts'
import {
  type Caller,
  createCaller,
  type Deployment,
  openDeployment,
  shopAdmin,
  signIn,
} from '#test/support/services/server.ts'

describe('a server with two hosts in DATABASE_URL', { skip: ownPostgresSkipReason() }, () => {
  let primary: OwnPostgres
  let standby: OwnPostgres
  let deployment: Deployment
  let admin: Caller

  before(async () => {
    primary = await startOwnPostgres()
    standby = await startOwnPostgres(primary.url)
    const [first, second] = [standby, primary].map(({ url }) => new URL(url).host)
    const list = `postgres://postgres@${first},${second}/postgres?target_session_attrs=read-write`
    deployment = await openDeployment('postgres', { databaseUrl: list })
    const url = await deployment.start().url
    const anonymous = createCaller(url)
    admin = createCaller(url, await signIn(anonymous.request, shopAdmin))
    anonymous.close()
  })
  after(async () => {
    admin?.close()
    await deployment?.dispose()
    await standby?.dispose()
    await primary?.dispose()
  })

  const create = (name: string) => admin.request('POST', '/products', { name, price: 5 })

  test('writes to the one that takes writes, and after a failover to the other', async () => {
    const made = await create('Kettle')
    assert.equal(made.status, 201, made.text)
    const path = `/products/${made.json.id}`
    assert.equal((await admin.request('GET', path)).status, 200)
    await pollUntil(
      () => standby.query(`select 1 from products where name = 'Kettle'`),
      (rows) => rows.length === 1,
    )
    await primary.stop('SIGKILL')
    const away = await create('Cup')
    assert.equal(away.status, 503, away.text)
    assert.ok(away.headers['retry-after'])
    await standby.query('select pg_promote()')
    const later = await pollUntil(
      () => create('Pot'),
      ({ status }) => status !== 503,
    )
    assert.equal(later.status, 201, later.text)
    assert.equal((await admin.request('GET', path)).json.name, 'Kettle')
    // The response cache hears of changes from the new primary.
    await pollUntil(
      async () =>
        standby.query(`select 1 from pg_stat_activity where application_name = 'cartwright changes'
          and query ilike 'listen%'`),
      (rows) => rows.length === 1,
    )
  })
})
