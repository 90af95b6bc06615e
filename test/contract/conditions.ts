import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unstored } from '#http/declare/policy.ts'
import type { Route } from '#http/declare/route.ts'
import type { TestResponse } from '#test/support/app.ts'
import { includesOf } from './queries.ts'
import { tokenOf, type Who, writerOf } from './setup/fixtures.ts'
import {
  type Asked,
  everyRoute,
  requireCode,
  type Watched,
  wellFormed,
} from './setup/watched-app.ts'

/** Health and measurements are of the moment; everything else is a state that has a tag. */
const isTagged = ({ method, resource, cache }: Route): boolean =>
  method === 'GET' && !(resource.kind === 'document' && cache === unstored)
const isOne = ({ kind, resource }: Route): boolean =>
  kind === 'read' && resource.kind !== 'document'
const isOpen = ({ access }: Route): boolean => access.kind === 'open'
const isChange = ({ method }: Route): boolean => ['PUT', 'PATCH', 'DELETE'].includes(method)

/** Every way to read a route: bare, and with all that it can embed. */
function readings(route: Route, asked: Asked): readonly Asked[] {
  const includes = includesOf(route).join()
  return includes === '' ? [asked] : [asked, { ...asked, url: `${asked.url}?include=${includes}` }]
}

const callers: readonly Who[] = ['nobody', 'owner', 'admin']

/** Declares the tests of conditional requests. */
export function testConditions(watchedOf: () => Watched): void {
  test('every state has a strong tag, by which it is not sent twice', async () => {
    const watched = watchedOf()
    const { fixtures } = watched
    await everyRoute(watched, isTagged, async (route) => {
      for (const asked of readings(route, wellFormed(route, fixtures))) {
        for (const who of callers) {
          const mine = { ...asked, token: tokenOf(fixtures, who) }
          const got = await watched.ask(mine)
          if (got.status === 200) {
            if (isOne(route)) assert.match(got.headers['last-modified'] ?? '', / GMT$/)
            await requireRevalidation(watched, mine, got)
          } else assert.ok(who !== writerOf(route), `${who} got ${got.text}`)
        }
      }
    })
  })
  test('a change on a stale tag answers 412 and changes nothing; on the right one it passes', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isChange, async (route) => {
      const fixtures = await watched.freshFixtures()
      const asked = wellFormed(route, fixtures)
      const before = await reread(watched, asked)
      const etag = before.headers['etag'] ?? ''
      for (const stale of ['"no such state"', `W/${etag}`, etag.replace('"', '"0'), '', '"']) {
        const answer = await conditional(watched, asked, stale)
        requireCode(answer, '4121', `If-Match: ${stale}`)
      }
      requireSame(await reread(watched, asked), before)
      await requireChange(watched, asked, `"no such state", ${etag}`)
      const after = await reread(watched, asked)
      assert.notEqual(after.headers['etag'], etag, 'the tag outlived the change')
    })
  })
  testDates(watchedOf)
  testUniqueness(watchedOf)
  testOrder(watchedOf)
}

function testDates(watchedOf: () => Watched): void {
  for (const apart of [0, 60_000]) {
    const when = apart === 0 ? 'in the second of its making' : 'later'
    test(`after a change ${when}, no date makes a copy from before it look good`, async () => {
      const watched = watchedOf()
      const { shop, ask } = watched
      const start = shop.now
      await everyRoute(watched, isChange, async (route) => {
        shop.now = start + 200
        const fixtures = await watched.freshFixtures()
        shop.now += apart
        const asked = wellFormed(route, fixtures)
        const { 'last-modified': before = '' } = (await reread(watched, asked)).headers
        assert.ok(Date.parse(before) <= shop.now, `${before} is later than now`)
        const { url, token } = asked
        const since = (date: string) =>
          ask({ method: 'GET', url, token, headers: { 'if-modified-since': date } })
        shop.now += 300
        const { status } = await ask(asked)
        assert.ok(status < 300)
        const changed = (await reread(watched, asked)).headers['last-modified'] ?? before
        shop.now += 300
        assert.notEqual((await since(before)).status, 304)
        shop.now += 5000
        assert.notEqual((await since(before)).status, 304)
        assert.ok(Date.parse(changed) <= shop.now - 5000, `${changed} is later than it was told`)
        const settled = await reread(watched, asked)
        if (settled.status >= 400) return
        assert.equal((await since(settled.headers['last-modified'] ?? '')).status, 304)
      })
      shop.now = start
    })
  }
}

function testUniqueness(watchedOf: () => Watched): void {
  // Who has signed in asks with the tag of what was shown before, and must not be told it is good.
  test('one tag names one answer, whoever reads it, and answers vary by the caller', async () => {
    const watched = watchedOf()
    const { fixtures, ask } = watched
    await everyRoute(watched, isTagged, async (route) => {
      for (const asked of readings(route, wellFormed(route, fixtures))) {
        const bodies = new Map<string, string>()
        for (const who of callers) {
          const { status, headers, text } = await ask({ ...asked, token: tokenOf(fixtures, who) })
          if (status !== 200) continue
          const { etag = '', vary = '' } = headers
          assert.equal(text, bodies.get(etag) ?? text, `${etag}, read by ${who}`)
          // Where credentials are not even looked at, everybody is shown the same.
          if (isOpen(route)) assert.doesNotMatch(vary, /\bAuthorization\b/)
          else assert.match(vary, /\bAuthorization\b/)
          bodies.set(etag, text)
        }
      }
    })
  })
}

async function requireRevalidation({ ask }: Watched, asked: Asked, got: TestResponse) {
  const { etag = '', 'last-modified': modified } = got.headers
  assert.match(etag, /^"[^"]+"$/, 'the tag is missing or not strong')
  const isEmbedding = asked.url.includes('?include=')
  const ways = [
    { 'if-none-match': etag },
    { 'if-none-match': `W/${etag}` },
    { 'if-none-match': `"other", ${etag}` },
    { 'if-none-match': '*' },
    // What is embedded may also go away, which no date tells.
    ...(modified === undefined || isEmbedding ? [] : [{ 'if-modified-since': modified }]),
  ]
  for (const headers of ways) {
    for (const method of ['GET', 'HEAD']) {
      const fresh = await ask({ ...asked, method, headers })
      assert.equal(fresh.status, 304, JSON.stringify(headers))
      for (const name of ['etag', 'cache-control', 'vary', 'last-modified', 'content-location']) {
        assert.equal(fresh.headers[name], got.headers[name], `${name} of the 304`)
      }
    }
  }
  const past = { 'if-none-match': '"other"', 'if-modified-since': modified ?? '' }
  const again = await ask({ ...asked, headers: past })
  assert.equal(again.status, 200)
  assert.equal(again.text, got.text, 'the same tag names two bodies')
  const meant = await ask({ ...asked, headers: { 'if-match': again.headers['etag'] ?? '' } })
  assert.equal(meant.status, 200)
  for (const other of ['"no such state"', 'W/"1-v1"']) {
    requireCode(await ask({ ...asked, headers: { 'if-match': other } }), '4121')
  }
}

/** Reads what a change is about, as who makes it. */
const reread = ({ ask }: Watched, { url, token }: Asked) => ask({ method: 'GET', url, token })

const conditional = ({ ask }: Watched, asked: Asked, tag: string) =>
  ask({ ...asked, headers: { 'if-match': tag } })

async function requireChange(watched: Watched, asked: Asked, tag: string): Promise<void> {
  const { status, text } = await conditional(watched, asked, tag)
  assert.ok(status === 200 || status === 204, `If-Match: ${tag} answers ${status} ${text}`)
}

function requireSame(now: TestResponse, before: TestResponse): void {
  assert.equal(now.text, before.text)
  assert.equal(now.headers['etag'], before.headers['etag'])
}

function testOrder(watchedOf: () => Watched): void {
  test('a change of what is to be another, or not to be there, changes nothing', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isChange, async (route) => {
      const asked = wellFormed(route, watched.fixtures)
      const before = await reread(watched, asked)
      for (const tag of ['*', before.headers['etag'] ?? '*']) {
        requireCode(await watched.ask({ ...asked, headers: { 'if-none-match': tag } }), '4121')
      }
      requireSame(await reread(watched, asked), before)
    })
  })
  test('a change of whatever is there passes', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isChange, async (route) => {
      const fixtures = await watched.freshFixtures()
      await requireChange(watched, wellFormed(route, fixtures), '*')
    })
  })
  test('a stale tag is told only to who may make the change, and makes it well', async () => {
    const watched = watchedOf()
    const { stranger, ask, fixtures } = watched
    const headers = { 'if-match': '"no such state"' }
    await everyRoute(watched, isChange, async (route) => {
      const asked = { ...wellFormed(route, fixtures), headers }
      // A place that names nobody is another one for each caller.
      const code = route.path.includes(':') ? '4031' : '4041'
      requireCode(await ask({ ...asked, token: stranger.token }), code)
      requireCode(await ask({ ...asked, url: `${asked.url}?no_such=1` }), '4003')
      const nowhere = asked.url.replace(/\d+(?=\D*$)/, '999999999')
      requireCode(await ask({ ...asked, url: nowhere, token: fixtures.admin.token }), '4041')
      if (!route.body) return
      requireCode(await ask({ ...asked, payload: '{' }), '4002')
      requireCode(await ask({ ...asked, json: { ...(asked.json as object), no_such: 1 } }), '4221')
    })
  })
}
