import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { invalidate } from '#store/changes.ts'
import { openStore, type Store } from '#store/database.ts'
import { openShopping, type Shopping } from '#test/faults/scenarios/shopping.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { openProxy } from '#test/support/services/database-proxy.ts'
import { createEmptyDatabase, skipReason } from '#test/support/services/databases.ts'
import {
  type Pgbouncer,
  pgbouncerSkipReason,
  startPgbouncer,
} from '#test/support/services/pgbouncer.ts'
import { freePort } from '#test/support/services/ports.ts'
import { type Deployment, openDeployment } from '#test/support/services/server.ts'
import type { ServerProcess } from '#test/support/services/server-process.ts'

/** Fewer than the two processes together would open. */
const poolSize = 4

describe('two processes on a PgBouncer in transaction mode', {
  skip: skipReason('postgres') || pgbouncerSkipReason(),
}, () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>
  let pgbouncer: Pgbouncer
  let deployment: Deployment
  let servers: readonly ServerProcess[]
  let shopping: Shopping
  let direct: Store

  before(async () => {
    database = await createEmptyDatabase('postgres')
    const port = await freePort()
    pgbouncer = await startPgbouncer(database.url, { poolSize, port })
    deployment = await openDeployment('postgres', {
      databaseUrl: database.url,
      settings: {
        DATABASE_URL: pgbouncer.urlOf(database.url),
        DATABASE_DIRECT_URL: database.url,
      },
    })
    servers = [deployment.start(), deployment.start()]
    shopping = await openShopping(await Promise.all(servers.map(({ url }) => url)), database.url)
    direct = await openStore(database.url)
  })
  after(async () => {
    shopping?.close()
    await direct?.close()
    await deployment?.dispose()
    await pgbouncer?.stop()
    await database?.remove()
  })

  const countSessions = async (name: string): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_stat_activity where datname = current_database()
        and application_name = ${name} and pid <> pg_backend_pid()`.execute(direct.db)
    return rows[0]?.count ?? 0
  }
  const readyStatuses = async () =>
    Promise.all(
      [0, 1].map(async (index) => (await shopping.anonymous(index)('GET', '/health/ready')).status),
    )

  test('share its connections, and every order is placed once', async () => {
    assert.deepEqual(await readyStatuses(), [200, 200])
    await shopping.during(() => sleep(2000))
    assert.deepEqual([...shopping.counts.statuses.keys()].sort(), [200, 201])
    // One more is that of this test.
    const sessions = await countSessions('cartwright')
    assert.ok(sessions <= poolSize, `${sessions} sessions`)
    await shopping.audit()
  })

  test('publish every event once', async () => {
    const admin = shopping.admin(1)
    const created: string[] = []
    let cursor = ''
    for (;;) {
      const { json } = await admin('GET', `/events?type=order.created&limit=1000${cursor}`)
      created.push(...json.data.map((event: { subject: string }) => event.subject))
      cursor = `&cursor=${json.pagination.next_cursor}`
      if (json.data.length === 0) break
    }
    const ids = created.map((subject) => Number(subject.split('/').at(-1)))
    assert.deepEqual(ids.sort(), [...shopping.orderIds()].sort())
  })

  test('invalidate the response caches of each other over the direct address', async () => {
    const path = `/products/${shopping.product}`
    for (const price of [7, 8, 9]) {
      for (const index of [0, 1]) await shopping.anonymous(index)('GET', path)
      await shopping.admin(0)('PATCH', path, { price })
      await pollUntil(
        () => shopping.anonymous(1)('GET', path),
        ({ json }) => json.price === price,
      )
    }
    assert.equal(await countSessions('cartwright changes'), 4)
  })

  test('invalidate them by an import too', async () => {
    const seen: unknown[] = []
    direct.changes.subscribe((change) => seen.push(change))
    await pollUntil(async () => direct.changes.isConnected(), Boolean)
    seen.length = 0
    const admin = shopping.admin(0)
    const path = `/products/${shopping.product}`
    assert.equal((await admin('PATCH', path, { sku: 'KETTLE-1' })).status, 200)
    const url = new URL('/imports?resource=prices', await servers[0]?.url)
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${shopping.adminToken}`,
        'content-type': 'text/csv',
        prefer: 'wait=30',
      },
      body: 'sku,price\nKETTLE-1,11\n',
    })
    assert.equal(answer.status, 200, await answer.text())
    const tag = `product ${shopping.product}`
    // The first is of the PATCH.
    const ofProduct = () => seen.filter((change) => JSON.stringify(change).includes(tag))
    await pollUntil(
      async () => ofProduct().length,
      (count) => count === 2,
    )
  })

  test('run the jobs', async () => {
    const [id] = shopping.orderIds()
    assert.ok(id)
    await direct.db.updateTable('orders').set({ expires_at: 1 }).where('id', '=', id).execute()
    await pollUntil(
      () => shopping.admin(0)('GET', `/orders/${id}`),
      ({ json }) => json.status === 'cancelled',
    )
  })

  test('answer 503 while it is away, ready as well, and serve once it is back', async () => {
    await pgbouncer.stop()
    await pollUntil(readyStatuses, (statuses) => statuses.every((status) => status === 503))
    const path = `/orders/${shopping.orderIds()[0]}`
    assert.equal((await shopping.admin(0)('GET', path)).status, 503)
    pgbouncer = await startPgbouncer(database.url, { poolSize, port: pgbouncer.port })
    await pollUntil(readyStatuses, (statuses) => statuses.every((status) => status === 200))
    assert.equal((await shopping.admin(0)('GET', path)).status, 200)
  })
})

describe('a store behind a PgBouncer in transaction mode', {
  skip: skipReason('postgres') || pgbouncerSkipReason(),
}, () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>
  before(async () => {
    database = await createEmptyDatabase('postgres')
  })
  after(() => database.remove())

  test('whose direct address is silent tells other processes of a change by the pooler', async () => {
    const pgbouncer = await startPgbouncer(database.url, { poolSize: 2 })
    const proxy = await openProxy(database.url)
    const url = pgbouncer.urlOf(database.url)
    const [writer, reader] = [
      await openStore(url, { directUrl: proxy.url }),
      await openStore(database.url),
    ]
    try {
      const heard: unknown[] = []
      reader.changes.subscribe((change) => heard.push(change))
      await pollUntil(async () => reader.changes.isConnected(), Boolean)
      proxy.silence(true)
      heard.length = 0
      await writer.transaction(async () => invalidate('product 1'))
      await pollUntil(async () => heard.length, Boolean)
      assert.deepEqual(heard, [['product 1']])
    } finally {
      await Promise.all([writer.close(), reader.close()])
      await proxy.close()
      await pgbouncer.stop()
    }
  })

  const settingsOf = async (db: Store['db']) => {
    const { rows } = await sql`select current_setting('statement_timeout') as timeout,
      current_setting('enable_seqscan') as seqscan,
      current_setting('idle_in_transaction_session_timeout') as idle,
      current_setting('transaction_isolation') as isolation`.execute(db)
    return rows[0]
  }
  const expected = { timeout: '7s', seqscan: 'off', idle: '1min', isolation: 'read committed' }

  for (const [kind, settings] of [
    ['rejects', []],
    [
      'ignores',
      [
        'ignore_startup_parameters = statement_timeout,default_transaction_isolation,idle_in_transaction_session_timeout,join_collapse_limit,enable_seqscan,enable_hashjoin,enable_mergejoin,jit',
      ],
    ],
  ] as const) {
    test(`that ${kind} startup parameters has its settings in every transaction, and no later client has them`, async () => {
      const pgbouncer = await startPgbouncer(database.url, { poolSize: 2, settings })
      const store = await openStore(pgbouncer.urlOf(database.url), { statementTimeoutMs: 7000 })
      const other = await openStore(pgbouncer.urlOf(database.url), { statementTimeoutMs: 9000 })
      try {
        assert.ok(store.isPooled)
        for (let round = 0; round < 20; round += 1) {
          const found = await Promise.all([
            settingsOf(store.db),
            store.transaction(settingsOf),
            settingsOf(other.db),
          ])
          assert.deepEqual(found, [expected, expected, { ...expected, timeout: '9s' }])
        }
      } finally {
        await store.close()
        await other.close()
        await pgbouncer.stop()
      }
    })
  }

  test('is not taken for one where PostgreSQL itself answers', async () => {
    const store = await openStore(database.url)
    assert.equal(store.isPooled, false)
    await store.close()
  })
})
