import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { type OpenApi, statusesOf } from '#http/openapi/document.ts'
import {
  type Asked,
  everyRoute,
  startWatched,
  type Watched,
  wellFormed,
} from '#test/contract/setup/watched-app.ts'
import { startTestApp, type TestApp } from '#test/support/app.ts'

const isChange = ({ method }: Route): boolean => ['PUT', 'PATCH', 'DELETE'].includes(method)

let watched: Watched
/** The same shop where a change has to say of which state. */
let strict: TestApp
before(async () => {
  watched = await startWatched('sqlite')
  const { store } = watched.shop
  strict = await startTestApp('sqlite', { composition: { store, requireIfMatch: true } })
})
after(async () => {
  await strict.dispose()
  await watched.shop.dispose()
})

const codeOf = async (asked: Asked): Promise<string> => {
  const { method, url, token, json, headers } = asked
  const known = { authorization: `Bearer ${token}`, ...headers }
  const answer = await strict.request(method, url, json, known)
  return answer.json?.error_code ?? String(answer.status)
}

test('a change that names no state is refused with 4281 and changes nothing', async () => {
  await everyRoute(watched, isChange, async (route) => {
    const asked = wellFormed(route, watched.fixtures)
    const { url, token } = asked
    const read = () => watched.ask({ method: 'GET', url, token })
    const before = await read()
    assert.equal(await codeOf(asked), '4281')
    const since = { 'if-unmodified-since': new Date(8.64e15 / 2).toUTCString() }
    assert.equal(await codeOf({ ...asked, headers: since }), '4281')
    assert.equal((await read()).text, before.text)
  })
})

test('a change that names a state is held to it as ever', async () => {
  await everyRoute(watched, isChange, async (route) => {
    const asked = wellFormed(route, await watched.freshFixtures())
    assert.equal(await codeOf({ ...asked, headers: { 'if-match': '"other"' } }), '4121')
    assert.match(await codeOf({ ...asked, headers: { 'if-match': '*' } }), /^20[04]$/)
  })
})

test('what is wrong with a change otherwise is told first', async () => {
  await everyRoute(watched, isChange, async (route) => {
    const asked = wellFormed(route, watched.fixtures)
    const { token } = watched.fixtures.admin
    // What is at an address without a name is the caller's own, or not there.
    const isNamed = route.path.includes(':')
    const problem = isNamed ? '4031' : '4041'
    assert.equal(await codeOf({ ...asked, token: watched.stranger.token }), problem)
    const nowhere = asked.url.replace(/\d+(?=\D*$)/, '999999999')
    if (isNamed) assert.equal(await codeOf({ ...asked, url: nowhere, token }), '4041')
    assert.equal(await codeOf({ ...asked, url: `${asked.url}?no_such=1` }), '4003')
    if (!route.body) return
    assert.equal(await codeOf({ ...asked, json: { ...(asked.json as object), none: 1 } }), '4221')
  })
})

test('428 is told of in the description only where it is answered', () => {
  const told = (document: OpenApi, { method, path }: Route) =>
    statusesOf(document, method, path).includes(428)
  const changes = watched.routes.filter(isChange)
  assert.ok(changes.every((route) => told(strict.describe(), route)))
  assert.ok(!changes.some((route) => told(watched.shop.describe(), route)))
})
