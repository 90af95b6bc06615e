import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { slidingWindow } from '#http/rate-limit/algorithms/sliding-window.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import { startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { insertProduct } from '#test/support/rows.ts'
import { minuteMs } from '#values/instant.ts'

const form = 'application/x-www-form-urlencoded'

describe('QUERY of a list', () => {
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    shop = await startTestApp('sqlite')
    admin = await shop.signInAs('admin')
    for (const name of ['Kettle', 'Pot', 'Tray']) await insertProduct(shop.db, { name })
  })
  after(() => shop.dispose())

  const ask = async (
    url: string,
    payload: string,
    headers: Record<string, string> = { 'content-type': form },
  ) => {
    const answer = await shop.app.inject({ method: 'QUERY', url, payload, headers })
    return { status: answer.statusCode, headers: answer.headers, json: answer.json() }
  }
  const namesIn = ({ data }: { data: readonly { name: string }[] }) => data.map(({ name }) => name)

  test('answers as GET with the body as its query, and is not stored', async () => {
    for (const [query, names] of [
      ['sort=name&order=desc&limit=2', ['Tray', 'Pot']],
      ['name=Pot', ['Pot']],
      ['', ['Kettle', 'Pot', 'Tray']],
    ] as const) {
      const asked = await ask('/products', query)
      const got = await shop.request('GET', `/products?${query}`)
      assert.equal(asked.status, 200)
      assert.deepEqual(namesIn(asked.json), names)
      assert.deepEqual(asked.json, got.json)
      assert.equal(asked.headers['link'], got.headers['link'])
      assert.equal(asked.headers['cache-control'], 'no-store')
    }
  })

  test('rejects bytes that are not UTF-8, as GET does', async () => {
    for (const [query, field] of [
      ['name=%FF', 'name'],
      ['q=a&name=%C3%A4%ED%A0%80', 'name'],
      ['%C3=1', '%C3'],
    ] as const) {
      for (const { status, json } of [
        await ask('/products', query),
        await shop.request('GET', `/products?${query}`),
        await shop.request('GET', `/products/1?${query}`),
      ]) {
        const issues = json.errors.map((issue: { field: string }) => issue.field)
        assert.deepEqual([status, json.error_code, issues], [400, '4003', [field]])
      }
    }
    const url = '/products'
    const headers = { 'content-type': form }
    const payload = Buffer.from([...Buffer.from('name='), 0xff])
    const raw = await shop.app.inject({ method: 'QUERY', url, payload, headers })
    assert.deepEqual([raw.statusCode, raw.json().error_code], [400, '4002'])
    assert.equal((await ask(url, 'name=100%')).status, 200)
    assert.equal((await shop.request('GET', '/products?name=100%')).status, 200)
    assert.equal((await ask(url, 'name=%EF%BF%BD')).status, 200)
  })

  test('reads the version and the API key in the body', async () => {
    const { json } = await ask('/products', 'version=2&name=Pot')
    assert.equal(json.data[0].price.currency, 'USD')
    const made = await admin.request('POST', '/api-keys', { name: 'Lists' })
    assert.equal((await ask('/users', `api_key=${made.json.key}`)).status, 200)
    assert.equal((await ask('/users', '')).status, 401)
    assert.equal((await ask('/users', 'api_key=wrong')).status, 401)
  })

  test('answers as GET of the feed of events, also as a stream', async () => {
    const headers = {
      'content-type': form,
      authorization: `Bearer ${admin.token}`,
    }
    const asked = await ask('/events', 'type=user.*&limit=1', headers)
    assert.deepEqual(asked.json, (await admin.request('GET', '/events?type=user.*&limit=1')).json)
    assert.deepEqual([asked.json.data.length, asked.headers['cache-control']], [1, 'no-store'])
    await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = shop.app.server.address() as AddressInfo
    const stream = await fetch(`http://127.0.0.1:${port}/events`, {
      method: 'QUERY',
      headers: { ...headers, accept: 'text/event-stream' },
      body: 'type=user.*&since=2000-01-01T00:00:00Z',
    })
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('event: user.created'))
      text += (await reader?.read())?.value ?? assert.fail(text)
    await reader?.cancel()
  })

  test('rejects a second query, and unknown parameters', async () => {
    for (const [url, body] of [
      ['/products?limit=1', 'limit=2'],
      ['/products', 'colour=red'],
    ] as const) {
      const { status, json } = await ask(url, body)
      assert.deepEqual([status, json.error_code], [400, '4003'], url)
    }
  })

  test('takes at most 50 parameters, of which 10 filter by an option', async () => {
    const options = (count: number) =>
      Array.from({ length: count }, (_, at) => `option.o${at}=1`).join('&')
    const repeated = (count: number) => Array.from({ length: count }, () => 'category=a').join('&')
    for (const [query, field] of [
      [`${repeated(50)}&colour=red`, 'query'],
      [options(4500), 'query'],
      [`${repeated(49)}&colour=red`, 'colour'],
      [options(11), 'option.*'],
      [options(10), undefined],
      [repeated(50), undefined],
    ] as const) {
      const body = query.slice(0, 16_384)
      const { status, json } = await ask('/products', body)
      assert.equal(status, field === undefined ? 200 : 400, json)
      assert.equal(json.errors?.[0].field, field)
    }
    const { status, json } = await ask('/products', 'a'.repeat(16_385))
    assert.equal(status, 413)
    assert.match(json.details, /\b16384\b/)
  })

  test('answers 415 with Accept-Query to other media types, and to none', async () => {
    for (const headers of [{ 'content-type': 'application/json' }, {}]) {
      const answer = await ask('/products', '{}', headers)
      assert.deepEqual([answer.status, answer.json.error_code], [415, '4151'])
      assert.equal(answer.headers['accept-query'], form)
    }
    for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
      for (const url of ['/products', '/events']) {
        const headers = { authorization: `Bearer ${admin.token}` }
        const answer = await shop.app.inject({ method, url, headers })
        assert.equal(answer.headers['accept-query'], form, `${method} ${url}`)
      }
    }
  })

  test('answers 405 where there is no list', async () => {
    const { status, headers } = await ask('/profile', '')
    assert.equal(status, 405)
    assert.doesNotMatch(String(headers['allow']), /QUERY/)
  })
})

test('QUERY is counted before its body is read, and once', async (t) => {
  const defaultAllowance = { limit: 3, windowMs: minuteMs }
  const limits = { defaultAllowance, counters: memoryCounters(slidingWindow) }
  const shop = await startTestApp('memory', { composition: { limits } })
  t.after(() => shop.dispose())
  const headers = { 'content-type': form }
  for (const [payload, left] of [
    ['', '2'],
    ['version=2', '1'],
    ['limit=1', '0'],
  ] as const) {
    const asked = await shop.app.inject({ method: 'QUERY', url: '/products', headers, payload })
    assert.equal(asked.headers['x-ratelimit-remaining'], left)
  }
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = shop.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  socket.write('QUERY /products HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n')
  socket.write(`Content-Type: ${form}\r\n\r\n`)
  const [response] = await once(socket, 'data')
  assert.match(String(response), /^HTTP\/1\.1 429 /)
})
