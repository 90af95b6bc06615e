import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { maxJsonDepth, maxJsonValues } from '#http/codec/json-bounds.ts'
import { startTestApp, type TestApp } from '#test/support/app.ts'
import { accountKey } from '#values/account-key.ts'

describe('a body in JSON', () => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp('memory')
  })
  after(() => shop.dispose())

  const send = async (payload: string) => {
    const headers = { 'content-type': 'application/json' }
    const response = await shop.app.inject({ method: 'POST', url: '/users', headers, payload })
    const { error_code, details, errors = [] } = response.json()
    return { code: error_code, details, count: errors.length, errors }
  }
  const fields = (count: number) =>
    `{${Array.from({ length: count }, (_, at) => `"f${at}":1`).join(',')}}`

  const oversized: readonly (readonly [string, string])[] = [
    ['an object of 11,000 fields', fields(11_000)],
    ['a list of 60,000 zeros', `[${'0,'.repeat(60_000)}0]`],
    ['a field with a list of 60,000 zeros', `{"name":[${'0,'.repeat(60_000)}0]}`],
    ['a list of 40,000 empty lists', `[${'[],'.repeat(40_000)}[]]`],
    ['an object without end', '{"name":1,'.repeat(10_000)],
  ]
  for (const [name, body] of oversized) {
    test(`is rejected as ${name} before it is parsed`, async (t) => {
      const { mock } = t.mock.method(JSON, 'parse')
      const { code, details } = await send(body)
      const texts = mock.calls.map(({ arguments: [text] }) => text)
      assert.deepEqual([code, texts.includes(body)], ['4002', false])
      assert.match(
        details,
        /^(The body may have at most 10000 fields|Arrays and objects may be nested at most 32)/,
      )
    })
  }

  test('may be nested 32 levels deep, and no deeper', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = (depth: number) => `{"x":${open.repeat(depth - 1)}1${close.repeat(depth - 1)}}`
      assert.equal((await send(nested(maxJsonDepth))).code, '4001')
      const { code, details } = await send(nested(maxJsonDepth + 1))
      assert.deepEqual(
        [code, details],
        ['4002', 'Arrays and objects may be nested at most 32 levels deep.'],
      )
    }
  })

  test('may hold any brackets, commas and quotes in strings', async () => {
    const text = String.raw`[{,\"\\[{,`.repeat(10_000)
    const { errors } = await send(`{"name":"${text}"}`)
    assert.deepEqual(errors, [{ field: 'name', message: 'must have at most 200 characters' }])
  })

  test('gets its first 50 errors, missing fields before invalid ones', async () => {
    const { code, errors, count } = await send(fields(maxJsonValues - 10))
    assert.deepEqual([code, count], ['4001', 50])
    assert.deepEqual(errors[0], { field: 'name', message: 'is required' })
    assert.equal((await send(`{"name":"x",${fields(9000).slice(1)}`)).count, 50)
  })

  test('gets at most 50 errors for the entries of a list', async () => {
    const { id, request } = await shop.signInAs('customer')
    const items = Array.from({ length: 100 }, () => ({ product_id: 'x', quantity: 0, other: 1 }))
    const { status, json } = await request('POST', `/users/${id}/orders`, { items })
    assert.deepEqual([status, json.errors.length], [422, 50])
  })
})

test('a name longer than any account name is compared without normalization', () => {
  // Normalizing this would take a minute and a half.
  const marks = `a${'\u0301\u0316'.repeat(200_000)}`
  assert.equal(accountKey(marks), marks)
  assert.equal(accountKey('JOSE\u0301'), 'josé')
})
