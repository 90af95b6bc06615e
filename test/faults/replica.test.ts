import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestRequest } from '#test/support/app.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import {
  type OwnPostgres,
  ownPostgresSkipReason,
  startOwnPostgres,
} from '#test/support/services/own-postgres.ts'
import {
  createCaller,
  type Deployment,
  openDeployment,
  signIn,
} from '#test/support/services/server.ts'
import { openShopping, type Shopping } from './scenarios/shopping.ts'

const password = 'correct horse battery staple'

describe('two processes with a read replica', { skip: ownPostgresSkipReason() }, () => {
  let primary: OwnPostgres
  let standby: OwnPostgres
  let deployment: Deployment
  let urls: readonly string[]
  let shopping: Shopping

  before(async () => {
    primary = await startOwnPostgres()
    standby = await startOwnPostgres(primary.url)
    deployment = await openDeployment('postgres', {
      databaseUrl: primary.url,
      settings: { DATABASE_REPLICA_URL: standby.url },
    })
    urls = await Promise.all([deployment.start().url, deployment.start().url])
    shopping = await openShopping(urls, primary.url)
  })
  after(async () => {
    shopping?.close()
    await deployment?.dispose()
    await standby?.dispose()
    await primary?.dispose()
  })

  /** How often the standby has read products. */
  const countReads = async (): Promise<number> => {
    const [row] = await standby.query(`select seq_scan + idx_scan as reads
      from pg_stat_user_tables where relname = 'products'`)
    return Number(row?.['reads'] ?? 0)
  }
  const readProducts = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) {
      const path = `/products?price_min=${turn}`
      for (const request of [shopping.anonymous(turn), shopping.admin(turn)]) {
        assert.equal((await request('GET', path)).status, 200)
      }
    }
  }
  /** Reads until the standby has served some of it. */
  const assertUsed = async (): Promise<void> => {
    const before = await countReads()
    await pollUntil(
      async () => {
        await readProducts(10)
        return await countReads()
      },
      (reads) => reads >= before + 10,
    )
  }

  /** Writes at one process and reads at the other, as the one who wrote and as others. */
  async function assertOwnWritesAreRead(turn: number): Promise<void> {
    const [writer, reader] = [turn, turn + 1]
    const path = `/products/${shopping.product}`
    const price = 1 + (turn % 900)
    const name = `Kettle ${randomUUID()}`
    const changed = await shopping.admin(writer)('PATCH', path, { price, name })
    assert.equal(changed.status, 200, changed.text)
    const read = await shopping.admin(reader)('GET', path)
    assert.deepEqual([read.json.price, read.headers['etag']], [price, changed.headers['etag']])
    const found = await shopping.admin(reader)('GET', `/products?name=${encodeURIComponent(name)}`)
    assert.equal(found.json.pagination.total_items, 1)
    const guarded = await shopping.admin(reader)(
      'PATCH',
      path,
      { price: price + 1 },
      {
        'if-match': String(read.headers['etag']),
      },
    )
    assert.equal(guarded.status, 200, guarded.text)
    await pollUntil(
      () => shopping.anonymous(writer)('GET', path),
      ({ json }) => json.price === price + 1,
    )
  }

  /** Signs up at one process and uses the account at the other at once. */
  async function assertSignUpIsRead(turn: number): Promise<void> {
    const credentials = { username: `person-${randomUUID()}`, password }
    const signedUp = await shopping.anonymous(turn)('POST', '/users', {
      name: 'Ada',
      ...credentials,
    })
    const token = await signIn(shopping.anonymous(turn), credentials)
    const other = createCaller(urls[(turn + 1) % 2] ?? '', token)
    const request: TestRequest = other.request
    const { id } = signedUp.json
    assert.equal((await request('GET', `/users/${id}`)).status, 200)
    assert.equal((await request('GET', '/sessions')).json.pagination.total_items, 1)
    const items = [{ product_id: shopping.unsharedProduct, quantity: 1 }]
    const placed = await shopping.admin(turn)('GET', '/profile')
    assert.equal(placed.status, 200)
    assert.equal((await request('POST', `/users/${id}/orders`, { items })).status, 201)
    other.close()
    const first = createCaller(urls[turn % 2] ?? '', token)
    const listed = await first.request('GET', `/users/${id}/orders`)
    assert.equal(listed.json.pagination.total_items, 1)
    first.close()
  }

  test('read from it', assertUsed)

  test('read at once what was written while it does not replay', async () => {
    await standby.query('select pg_wal_replay_pause()')
    for (let turn = 0; turn < 20; turn += 1) await assertOwnWritesAreRead(turn)
    for (const turn of [0, 1]) await assertSignUpIsRead(turn)
    await standby.query('select pg_wal_replay_resume()')
    await assertUsed()
  })

  test('read at once what was written while its lag changes', async () => {
    let isOver = false
    const changeLag = async (): Promise<void> => {
      while (!isOver) {
        await standby.query('select pg_wal_replay_pause()')
        await sleep(Math.random() * 30)
        await standby.query('select pg_wal_replay_resume()')
        await sleep(Math.random() * 60)
      }
    }
    const changing = changeLag()
    const before = await countReads()
    const until = performance.now() + 6000
    for (let turn = 0; performance.now() < until; turn += 1) {
      await assertOwnWritesAreRead(turn)
      if (turn % 8 === 0) await assertSignUpIsRead(turn)
    }
    isOver = true
    await changing
    await pollUntil(countReads, (reads) => reads > before)
  })

  test('answer no error when it is killed under load, and use it again once it is back', async (t) => {
    let readsBefore = 0
    await shopping.during(async () => {
      await sleep(500)
      readsBefore = await countReads()
      await standby.stop('SIGKILL')
      await readProducts(20)
      await sleep(1000)
      await standby.start()
      await sleep(1500)
      await readProducts(20)
    })
    t.diagnostic(JSON.stringify([...shopping.counts.statuses]))
    assert.ok(readsBefore > 0)
    assert.deepEqual([...shopping.counts.statuses.keys()].sort(), [200, 201])
    assert.equal(shopping.counts.broken, 0)
    await assertUsed()
  })
})
