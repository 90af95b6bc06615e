import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore, type Store } from '#store/database.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { freePort } from '#test/support/services/ports.ts'
import {
  createCaller,
  type Deployment,
  openDeployment,
  shopAdmin,
  signIn,
} from '#test/support/services/server.ts'
import type { ServerProcess } from '#test/support/services/server-process.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { type LoadBalancer, loadBalancerSkipReason, startLoadBalancer } from './scenarios/front.ts'
import {
  type LoadSize,
  type Shopper,
  type SteadyLoad,
  startSteadyLoad,
} from './scenarios/steady-load.ts'

const busy: LoadSize = { perSecond: 200, maxInFlight: 20 }

/** The lines of the log of a server about errors. */
const errorsOf = (server: ServerProcess): string =>
  server
    .output()
    .split('\n')
    .filter((line) => /"level":"(?:error|fatal)"/.test(line))
    .join('\n')

describe('two processes behind nginx', {
  skip: skipReason('postgres') || loadBalancerSkipReason(),
}, () => {
  let deployment: Deployment
  let loadBalancer: LoadBalancer
  let servers: ServerProcess[]
  let ports: readonly number[]
  let store: Store
  let shopper: Shopper

  before(async () => {
    deployment = await openDeployment('postgres', {
      settings: { TRUST_PROXY: 'loopback', BASE_URL: 'http://localhost:8080' },
    })
    ports = [await freePort(), await freePort()]
    servers = ports.map((port) => deployment.start(port))
    await Promise.all(servers.map(({ url }) => url))
    loadBalancer = await startLoadBalancer(ports)
    store = await openStore(deployment.databaseUrl)
    const anonymous = createCaller(loadBalancer.url)
    const token = await signIn(anonymous.request, shopAdmin)
    anonymous.close()
    const { request, close } = createCaller(loadBalancer.url, token)
    const made = await request('POST', '/products', { name: 'Kettle', price: 5, stock: 1_000_000 })
    const { json } = await request('GET', '/profile')
    close()
    shopper = { id: json.id, token, product: made.json.id }
  })
  after(async () => {
    await store?.close()
    await loadBalancer?.stop()
    await deployment?.dispose()
  })

  async function during(size: LoadSize, work: () => Promise<void>): Promise<SteadyLoad> {
    const load = startSteadyLoad(loadBalancer.url, shopper, size)
    try {
      await sleep(500)
      await work()
      await sleep(500)
    } finally {
      await load.stop()
    }
    assert.deepEqual(
      [...load.statuses.keys()].sort(),
      [200, 201],
      `${JSON.stringify([...load.statuses])} ${servers.map(errorsOf).join('')}`,
    )
    const stored = await store.db.selectFrom('orders').select('id').execute()
    const ids = new Set(stored.map(({ id }) => id))
    assert.deepEqual(
      load.orderIds.filter((id) => !ids.has(id)),
      [],
    )
    return load
  }

  test('are restarted one after the other under 200 requests a second without an error and without a lost order', async (t) => {
    const load = await during(busy, async () => {
      for (const [index, server] of servers.entries()) {
        assert.equal(await server.stop(), 0, errorsOf(server))
        const next = deployment.start(ports[index])
        await next.url
        servers[index] = next
      }
    })
    await reconcile(store.db)
    t.diagnostic(JSON.stringify([...load.statuses]))
  })
})
