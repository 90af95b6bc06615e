import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createSessions } from '../../examples/storefront/sessions.ts'
import { fetchForVisitor, forVisitor } from '../../examples/storefront/visitor.ts'

test('the least recently used session is forgotten', () => {
  const sessions = createSessions<number>(2, 1_000)
  sessions.set('a', 1)
  sessions.set('b', 2)
  assert.equal(sessions.get('a'), 1)
  sessions.set('c', 3)
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => sessions.get(name)),
    [1, undefined, 3],
  )
})

test('a session ends a time after it began, however often it is used', () => {
  let now = 0
  const sessions = createSessions<number>(2, 1_000, () => now)
  sessions.set('a', 1)
  now = 999
  assert.equal(sessions.get('a'), 1)
  now = 1_000
  assert.equal(sessions.get('a'), undefined)
})

test('the shop gets the address of each visitor', async (t) => {
  const server = createServer(({ headers }, response) => {
    response.end(`${headers['x-forwarded-for']} ${headers['x-forwarded-proto']}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const read = async () => (await fetchForVisitor(url)).text()
  const readAs = (ip: string) =>
    new Promise<string>((resolve, reject) => {
      forVisitor({ ip, protocol: 'https' }, () => read().then(resolve, reject))
    })
  const found = await Promise.all([readAs('203.0.113.7'), readAs('2001:db8::1'), read()])
  assert.deepEqual(found, ['203.0.113.7 https', '2001:db8::1 https', 'undefined undefined'])
})
