import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { slidingWindow } from '#http/rate-limit/algorithms/sliding-window.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import { eachDatabase, startTestApp, type TestApp } from '#test/support/app.ts'
import { startGuest } from '#test/support/callers/guest.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { rowTimestamp } from '#test/support/rows.ts'
import { hourMs } from '#values/instant.ts'
import { exportLimitsOn } from './exports.ts'

async function addProducts({ db }: TestApp): Promise<void> {
  // More than the buffers of a connection hold.
  const description = 'x'.repeat(9_000)
  const rows = Array.from({ length: 1_000 }, (_, at) => ({
    ...{ name: `Product ${at}`, description, search_text: 'product' },
    ...{ price: 1999, availability: 'in_stock' as const },
    ...{ created_at: rowTimestamp, updated_at: rowTimestamp },
  }))
  await db.insertInto('products').values(rows).execute()
}

/** Opens an export without reading it. */
function open(
  { app }: TestApp,
  token?: string,
  localAddress = '127.0.0.1',
): Promise<IncomingMessage> {
  const { port } = app.server.address() as AddressInfo
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const headers = { accept: 'application/x-ndjson', ...authorization }
  const url = `http://127.0.0.1:${port}/products`
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false, localAddress }, resolve).on('error', reject)
  })
}

/** Reads faster than the slowest client may, and more slowly than the server sends. */
async function readSteadily(response: IncomingMessage): Promise<void> {
  for await (const _ of response) await sleep(50)
}

eachDatabase((kind) => {
  test('a network has one export at a time, beside those of administrators', async (t) => {
    const limits = {
      defaultAllowance: { limit: 1_000, windowMs: 60_000 },
      counters: memoryCounters(slidingWindow),
    }
    const shop = await startTestApp(kind, { composition: { limits } })
    t.after(() => shop.dispose())
    await addProducts(shop)
    await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const [admin, guest] = [await shop.signInAs('admin'), await startGuest(shop)]
    const ofAdmin = await open(shop, admin.token)
    const first = await open(shop)
    assert.deepEqual([ofAdmin.statusCode, first.statusCode], [200, 200])
    for (const token of [undefined, guest.token]) {
      const { statusCode, headers } = await open(shop, token)
      assert.deepEqual([statusCode, headers['retry-after']], [429, '30'])
    }
    first.destroy()
    const next = await pollUntil(
      () => open(shop, guest.token),
      ({ statusCode }) => statusCode === 200,
    )
    for (const each of [ofAdmin, next]) each.destroy()
  })

  test('an export that goes on because of its client gives way to one that finds no place', async (t) => {
    const limits = exportLimitsOn(kind)
    const strangers = { ...limits.strangers, maxMs: hourMs, patienceMs: 300 }
    const shop = await startTestApp(kind, {
      composition: { exportLimits: { ...limits, strangers } },
    })
    const opened: IncomingMessage[] = []
    t.after(async () => {
      for (const each of opened) each.on('error', () => undefined).destroy()
      await shop.dispose()
    })
    await addProducts(shop)
    await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const openFrom = async (address: string) => {
      const response = await open(shop, undefined, address)
      opened.push(response)
      return response
    }
    const first = await openFrom('127.0.0.2')
    const second = await openFrom('127.0.0.3')
    assert.deepEqual([first.statusCode, second.statusCode], [200, 200])
    const reading = readSteadily(first)
    await pollUntil(
      () => openFrom('127.0.0.4'),
      ({ statusCode }) => statusCode === 200,
    )
    await assert.rejects(reading, { code: 'ECONNRESET' })
  })
})
