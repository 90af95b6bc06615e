import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { startGuest } from '#test/support/callers/guest.ts'
import { addProduct } from '#test/support/callers/paying.ts'
import { csvColumns, parseCsv } from '#test/support/csv.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { rowTimestamp } from '#test/support/rows.ts'
import type { ExportLimits } from './exports.ts'

// More than the buffers of a connection hold.
const count = 3_000
const description = 'x'.repeat(3_000)
const ndjson = 'application/x-ndjson'

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  // The tests change the limits of the running server.
  const limits: { -readonly [Name in keyof ExportLimits]: ExportLimits[Name] } = {
    stalledMs: 60_000,
    maxMs: 60_000,
    strangers: {
      ...{ maxMs: 60_000, perNetwork: 1, bytesPerSecond: 1, maxBehindMs: 60_000 },
      patienceMs: 60_000,
    },
    perCaller: 2,
    total: 4,
  }
  before(async () => {
    shop = await startTestApp(kind, { composition: { exportLimits: limits } })
    await shop.app.listen({ port: 0, host: '127.0.0.1' })
    admin = await shop.signInAs('admin')
    for (let first = 0; first < count; first += 500) {
      const rows = Array.from({ length: 500 }, (_, at) => ({
        ...{ name: `Product ${first + at}`, description, search_text: 'product' },
        ...{ price: 1999, availability: 'in_stock' as const },
        ...{ created_at: rowTimestamp, updated_at: rowTimestamp },
      }))
      await shop.db.insertInto('products').values(rows).execute()
    }
  })
  after(() => shop.dispose())

  /** Opens an export without reading it. */
  function open(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const { port } = shop.app.server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}${path}`
    return new Promise((resolve, reject) => {
      get(url, { headers: { accept: ndjson, ...headers }, agent: false }, resolve).on(
        'error',
        reject,
      )
    })
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  async function read(response: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString()
  }
  const problemOf = async (response: IncomingMessage) => ({
    status: response.statusCode,
    retryAfter: response.headers['retry-after'],
    code: JSON.parse(await read(response)).error_code,
  })
  /** Waits until an export of a caller is accepted again. */
  const acceptsAgain = (path: string, headers: Record<string, string>) =>
    pollUntil(
      async () => {
        const response = await open(path, headers)
        response.destroy()
        return response.statusCode
      },
      (status) => status === 200,
    )
  const isBroken = (error: unknown): boolean =>
    (error as NodeJS.ErrnoException).code === 'ECONNRESET' || /aborted/.test(String(error))

  test('an export has one state, whatever is written meanwhile', async () => {
    const response = await open('/products')
    const before = await shop.db.selectFrom('products').select('id').execute()
    await shop.db.updateTable('products').set({ name: 'Changed' }).execute()
    await addProduct(admin, { name: 'Late' })
    const lines = (await read(response)).trimEnd().split('\n')
    const names = new Set(lines.map((line) => JSON.parse(line).name))
    assert.equal(lines.length, before.length)
    assert.ok(!names.has('Changed') && !names.has('Late'))
    const later = await shop.request('GET', '/products?name=Late', undefined, { accept: ndjson })
    assert.equal(later.text.split('\n').length, 2)
  })

  test('other requests are answered while a client does not read its export', async () => {
    const response = await open('/products')
    assert.equal((await shop.request('GET', '/products?limit=1')).status, 200)
    await admin.request('PATCH', '/products/1', { price: 5 })
    assert.equal((await shop.request('GET', '/products/1')).json.price, 5)
    response.destroy()
  })

  test('a client that stops reading is cut off, and so is one that is slow or takes too long', async () => {
    const usual = { ...limits }
    const strangers = { maxMs: 200 }
    const slow = { bytesPerSecond: 1_000_000, maxBehindMs: 200 }
    for (const changed of [
      { stalledMs: 200 },
      { strangers: { ...usual.strangers, ...strangers } },
      { strangers: { ...usual.strangers, ...slow } },
    ]) {
      Object.assign(limits, changed)
      const opened = [open('/products'), open('/products', bearer(admin.token))] as const
      // On a busy machine they may be cut off before their header fields.
      await Promise.allSettled(opened)
      await new Promise((resolve) => setTimeout(resolve, 2_500))
      const [response, ofAdmin] = opened
      await assert.rejects(response.then(read), isBroken, JSON.stringify(changed))
      const whole = ofAdmin.then(read)
      await ('stalledMs' in changed ? assert.rejects(whole, isBroken) : whole)
      Object.assign(limits, usual)
    }
  })

  test('an export breaks off once the session of its caller has ended', async () => {
    const customer = await shop.signInAs('customer')
    const response = await open('/products', bearer(customer.token))
    const ended = await customer.request('DELETE', `/sessions/${customer.sessionId}`)
    assert.equal(ended.status, 204)
    // The caller is checked once a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    await assert.rejects(read(response), isBroken)
  })

  test('one caller has few exports at once, and a place is free once one ends', async () => {
    const customer = await shop.signInAs('customer')
    const own = bearer(customer.token)
    const opened = [await open('/products', own), await open('/products', own)]
    const full = await problemOf(await open('/products', own))
    assert.deepEqual(full, { status: 429, retryAfter: '30', code: '4291' })
    for (const each of opened) each.destroy()
    await acceptsAgain('/products', own)
    for (let each = 0; each < 5; each++) {
      const head = await customer.request('HEAD', '/products', undefined, { accept: ndjson })
      assert.equal(head.status, 200)
    }
  })

  test('half of the places are for administrators', async () => {
    const [one, other] = [await shop.signInAs('customer'), await startGuest(shop)]
    const opened = [
      await open('/products', bearer(one.token)),
      await open('/products', bearer(other.token)),
    ]
    const full = await problemOf(await open('/products'))
    assert.deepEqual(full, { status: 503, retryAfter: '30', code: '5031' })
    const page = await shop.request('GET', '/products')
    assert.equal(page.status, 200)
    const ofAdmin = await open('/products', bearer(admin.token))
    assert.equal(ofAdmin.statusCode, 200)
    for (const each of [...opened, ofAdmin]) each.destroy()
    await acceptsAgain('/products', {})
  })

  test('a failure in the middle breaks the connection', async () => {
    const last = shop.db.updateTable('products').where('id', '=', count)
    // No date can have this value.
    await last.set({ created_at: 9e15 }).execute()
    for (const coding of ['identity', 'gzip']) {
      const response = await open('/products', { 'accept-encoding': coding })
      assert.equal(response.statusCode, 200)
      await assert.rejects(read(response), isBroken, coding)
    }
    await last.set({ created_at: rowTimestamp }).execute()
  })

  test('an export is compressed as it is sent', async () => {
    const { port } = shop.app.server.address() as AddressInfo
    const plain = await read(await open('/products?sort=name'))
    for (const coding of ['gzip', 'deflate', 'br', 'zstd']) {
      const headers = { accept: ndjson, 'accept-encoding': coding }
      const response = await fetch(`http://127.0.0.1:${port}/products?sort=name`, { headers })
      assert.equal(response.headers.get('content-encoding'), coding)
      assert.ok((await response.text()) === plain, coding)
    }
  })

  test('QUERY exports what its body selects, and is not stored', async () => {
    const headers = {
      ...{ accept: 'text/csv', 'content-type': 'application/x-www-form-urlencoded' },
    }
    const payload = 'name=Late&page=9'
    const asked = await shop.app.inject({ method: 'QUERY', url: '/products', payload, headers })
    const got = await shop.request('GET', '/products?name=Late', undefined, { accept: 'text/csv' })
    assert.equal(asked.statusCode, 200)
    assert.equal(asked.payload, got.text)
    assert.equal(asked.headers['cache-control'], 'no-store')
  })

  test('a filter by words exports each match once, and no match leaves the header', async () => {
    const csv = { accept: 'text/csv' }
    const found = await shop.request('GET', '/products?q=late&facets=category', undefined, csv)
    assert.deepEqual(
      parseCsv(found.text).map(({ name }) => name),
      ['Late'],
    )
    const none = await shop.request('GET', '/products?sku=none', undefined, csv)
    assert.deepEqual(parseCsv(none.text), [])
    assert.deepEqual(csvColumns(none.text), csvColumns(found.text))
  })

  test('a feed is exported from its cursor to its end, and Link has the cursor of what follows', async () => {
    const change = (name: string) => admin.request('PATCH', '/products/1', { name })
    const ask = (url: string) => admin.request('GET', url, undefined, { accept: ndjson })
    const namesIn = ({ text }: { text: string }) =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).data.name)
    const nextOf = ({ headers }: { headers: Readonly<Record<string, string>> }) =>
      /<([^>]*)>; rel="next"/.exec(headers['link'] ?? '')?.[1] ?? ''
    const url = '/events?type=product.updated'
    const whole = await ask(url)
    for (let at = 1; at <= 250; at++) await change(`Kettle ${at}`)
    const later = await ask(nextOf(whole))
    assert.deepEqual(
      namesIn(later),
      Array.from({ length: 250 }, (_, at) => `Kettle ${at + 1}`),
    )
    assert.deepEqual(namesIn(await ask(url)), [...namesIn(whole), ...namesIn(later)])
    assert.deepEqual(namesIn(await ask(nextOf(later))), [])
    await change('Pot')
    assert.deepEqual(namesIn(await ask(nextOf(later))), ['Pot'])
    const csv = await admin.request('GET', url, undefined, { accept: 'text/csv' })
    assert.equal(csv.json.error_code, '4061')
  })

  test('a server that stops breaks exports off', async () => {
    const response = await open('/products')
    shop.endStreams()
    await assert.rejects(read(response), isBroken)
    assert.equal((await problemOf(await open('/products'))).status, 503)
  })
})
