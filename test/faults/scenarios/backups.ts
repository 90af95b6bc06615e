import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '#store/database.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { runCommand } from '#test/support/services/command.ts'
import { createEmptyDatabase, type StoreKind } from '#test/support/services/databases.ts'
import { createCaller, shopAdmin, signIn } from '#test/support/services/server.ts'
import { start } from '#test/support/services/server-process.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { openShopping, type Shopping } from './shopping.ts'

const minOrders = 30

const settings = {
  SECRET_KEY: 'a secret key that only tests sign with',
  ADMIN_USERNAME: shopAdmin.username,
  ADMIN_PASSWORD: shopAdmin.password,
  DEMO_DATA: 'off',
  RATE_LIMIT: 'off',
  LOGIN_LIMIT: 'off',
}

/** Runs `npm run backup` or `npm run restore`, and asserts that it succeeds. */
async function runSuccessfully(
  folder: string,
  name: 'backup' | 'restore',
  target: string,
  databaseUrl: string,
): Promise<void> {
  const env = { DATABASE_URL: databaseUrl }
  const { code, stderr } = await runCommand(folder, `cli/${name}.ts`, [target], env)
  assert.deepEqual([code, stderr], [0, ''])
}

/**
 * Backs a shop up under load and restores it into new places. Asserts that each holds every order
 * acknowledged before the backup began, is consistent, and that its sandbox knows the payments.
 */
export async function runBackups(
  kind: Exclude<StoreKind, 'memory'>,
  backups: number,
  log: (line: string) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-backups-'))
  const database = await createEmptyDatabase(kind)
  const server = start(folder, { ...settings, DATABASE_URL: database.url })
  try {
    const shopping = await openShopping([await server.url], database.url)
    const paidOrder = await payOrder(shopping)
    const acknowledged: (readonly number[])[] = []
    await shopping.during(async () => {
      for (let at = 0; at < backups; at += 1) {
        await pollUntil(
          async () => shopping.ordered(),
          (count) => count >= minOrders * (at + 1),
        )
        acknowledged.push(shopping.orderIds())
        await runSuccessfully(folder, 'backup', `backup-${at}`, database.url)
      }
    })
    shopping.close()
    await server.stop()
    for (const [at, orders] of acknowledged.entries()) {
      await verifyRestore(kind, join(folder, `backup-${at}`), { orders, paidOrder })
    }
    log(`${backups} restores; the last with ${acknowledged.at(-1)?.length} orders acknowledged`)
  } finally {
    await server.stop()
    await database.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

async function payOrder(shopping: Shopping): Promise<number> {
  const admin = shopping.admin()
  const items = [{ product_id: shopping.unsharedProduct, quantity: 1 }]
  const placed = await admin('POST', '/orders', { items, shipping: { method: 'pickup' } })
  assert.equal(placed.status, 201, placed.text)
  const paid = await admin(
    'POST',
    `/users/${placed.json.user_id}/orders/${placed.json.id}/payment`,
    {
      method: 'card',
      token: 'tok_visa',
    },
  )
  assert.equal(paid.status, 201, paid.text)
  return placed.json.id
}

interface Expected {
  readonly orders: readonly number[]
  readonly paidOrder: number
}

async function verifyRestore(
  kind: StoreKind,
  backup: string,
  { orders, paidOrder }: Expected,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-restore-'))
  const { url, remove } = await createEmptyDatabase(kind)
  try {
    await runSuccessfully(folder, 'restore', backup, url)
    await verifyDatabase(url, orders)
    const server = start(folder, { ...settings, DATABASE_URL: url })
    const caller = createCaller(await server.url)
    try {
      const token = await signIn(caller.request, shopAdmin)
      const headers = { authorization: `Bearer ${token}` }
      const path = `/orders/${paidOrder}`
      // Returning the money needs the charge of the sandbox.
      const cancelled = await caller.request('PATCH', path, { status: 'cancelled' }, headers)
      assert.equal(cancelled.json.status, 'cancelled', cancelled.text)
    } finally {
      caller.close()
      assert.equal(await server.stop(), 0, server.output())
    }
  } finally {
    await remove()
    await rm(folder, { recursive: true, force: true })
  }
}

async function verifyDatabase(url: string, orders: readonly number[]): Promise<void> {
  const store = await openStore(url)
  try {
    const rows = await store.db.selectFrom('orders').select('id').execute()
    const restored = new Set(rows.map(({ id }) => id))
    assert.deepEqual(
      orders.filter((id) => !restored.has(id)),
      [],
    )
    await reconcile(store.db)
  } finally {
    await store.close()
  }
}
