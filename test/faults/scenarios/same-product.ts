import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '#store/database.ts'
import type { StoreKind } from '#test/support/services/databases.ts'
import { isOverloaded } from '#test/support/services/overload.ts'
import { createCaller, openDeployment, shopAdmin, signIn } from '#test/support/services/server.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

const connections = 32
const overloadPauseMs = 50

/** The results of concurrent orders for one product. */
export interface SameProductResult {
  readonly stock: number
  readonly sold: number
  /** Orders rejected after the stock was sold, one per connection. */
  readonly rejected: number
  /** Orders repeated because the process was overloaded. */
  readonly overloaded: number
  readonly ordersPerSecond: number
}

/**
 * Orders one product on 32 connections over all processes until it is sold out. Asserts that the
 * units sold equal the stock and that no order is rejected before.
 */
export async function orderSameProduct(
  kind: StoreKind,
  processes: number,
  stock: number,
): Promise<SameProductResult> {
  const deployment = await openDeployment(kind)
  try {
    const servers = Array.from({ length: processes }, () => deployment.start())
    const urls = await Promise.all(servers.map(({ url }) => url))
    const first = createCaller(urls[0] ?? '')
    const token = await signIn(first.request, shopAdmin)
    first.close()
    const admin = createCaller(urls[0] ?? '', token)
    const made = await admin.request('POST', '/products', { name: 'Kettle', price: 5, stock })
    const { id } = (await admin.request('GET', '/profile')).json
    const path = `/users/${id}/orders`
    const body = { items: [{ product_id: made.json.id, quantity: 1 }] }
    let sold = 0
    let overloaded = 0
    const startedAt = performance.now()
    const order = async (at: number): Promise<void> => {
      const { request, close } = createCaller(urls[at % urls.length] ?? '', token)
      for (;;) {
        const { status, json, text } = await request('POST', path, body)
        if (isOverloaded({ json })) {
          overloaded += 1
          await sleep(overloadPauseMs)
          continue
        }
        if (status !== 201) {
          // A conflict must not be rejected either; only a sold-out product may be.
          assert.equal(`${status} ${json.error_code}`, '409 4093', text)
          return close()
        }
        sold += 1
      }
    }
    await Promise.all(Array.from({ length: connections }, (_, at) => order(at)))
    const seconds = (performance.now() - startedAt) / 1000
    assert.equal(sold, stock)
    assert.equal((await admin.request('GET', `/products/${made.json.id}`)).json.stock, 0)
    admin.close()
    await assertUnitsOrdered(deployment.databaseUrl, made.json.id, stock)
    return {
      stock,
      sold,
      rejected: connections,
      overloaded,
      ordersPerSecond: Math.round(sold / seconds),
    }
  } finally {
    await deployment.dispose()
  }
}

async function assertUnitsOrdered(
  databaseUrl: string,
  product: number,
  stock: number,
): Promise<void> {
  const store = await openStore(databaseUrl)
  try {
    const booked = await store.db
      .selectFrom('order_items')
      .select(({ fn }) => fn.sum<number>('quantity').as('units'))
      .where('product_id', '=', product)
      .executeTakeFirstOrThrow()
    assert.equal(booked.units, stock)
    await reconcile(store.db)
  } finally {
    await store.close()
  }
}
