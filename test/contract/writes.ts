import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { includesOf } from './queries.ts'
import { placeOf, tokenOf, type Who, writerOf } from './setup/fixtures.ts'
import {
  computedIncludesOf,
  everyRoute,
  requireCode,
  type Watched,
  wellFormed,
} from './setup/watched-app.ts'

const createsNew = ({ kind, statuses }: Route): boolean =>
  kind === 'create' && statuses.includes(201)
const isReplacing = ({ kind }: Route): boolean => kind === 'replace'

/** A body without what every change moves on, and the trail that the asking itself leaves. */
const settled = (body: Readonly<Record<string, unknown>>): object => {
  const { updated_at: _, data, ...rest } = body
  if (data === undefined) return rest
  const { audit_events: __, ...others } = data as Readonly<Record<string, unknown>>
  return { ...rest, data: others }
}

/** A body without what is told once, to whom it was made for. */
const retold = (body: Readonly<Record<string, unknown>>): object => {
  const { client_secret: _, client_secret_expires_at: __, key: ___, ...rest } = body
  return rest
}

/** Declares the tests of what writes answer with. */
export function testWrites(watchedOf: () => Watched): void {
  test('what is created lives at its Location, as it was answered', async () => {
    const watched = watchedOf()
    await everyRoute(watched, createsNew, async (route) => {
      const asked = wellFormed(route, await watched.freshFixtures())
      const made = await watched.ask(asked)
      assert.equal(made.status, 201, made.text)
      const url = made.headers['location'] ?? ''
      const read = await watched.ask({ method: 'GET', url, token: asked.token })
      assert.equal(read.status, 200, `${url} ${read.text}`)
      assert.deepEqual(read.json, retold(made.json))
      assert.equal(read.headers['etag'], made.headers['etag'])
    })
  })
  test('what a change answers with is what is read afterwards', async () => {
    const watched = watchedOf()
    const changes = ({ method }: Route) => method === 'PUT' || method === 'PATCH'
    await everyRoute(watched, changes, async (route) => {
      const asked = wellFormed(route, await watched.freshFixtures())
      const changed = await watched.ask(asked)
      assert.equal(changed.status, 200, changed.text)
      const { url, token } = asked
      const read = await watched.ask({ method: 'GET', url, token })
      assert.deepEqual(read.json, changed.json)
      assert.equal(read.headers['etag'], changed.headers['etag'])
    })
  })
  testReturns(watchedOf)
}

function testReturns(watchedOf: () => Watched): void {
  test('what was read can be put back, and nothing changes', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isReplacing, async (route) => {
      const read = { ...route, method: 'GET', kind: 'read' } as const
      for (const query of ['', ...includesOf(read), ...computedIncludesOf(read)]) {
        await requireReturnable(watched, route, query === '' ? '' : `?include=${query}`)
      }
    })
  })
  test('what is removed is gone, and can be removed again', async () => {
    const watched = watchedOf()
    await everyRoute(
      watched,
      ({ kind }) => kind === 'remove',
      async (route) => {
        const fixtures = await watched.freshFixtures()
        const asked = wellFormed(route, fixtures)
        const { token } = fixtures.admin
        assert.equal((await watched.ask(asked)).status, 204)
        const read = await watched.ask({ method: 'GET', url: asked.url, token })
        const again = await watched.ask({ ...asked, token })
        // A user's cart is always there, and a cart item leaves nothing behind.
        if (read.status === 410) assert.equal(again.status, 204, again.text)
        else if (read.status === 404) requireCode(again, '4041')
        else assert.equal(`${read.status} ${again.status}`, '200 204')
      },
    )
  })
}

async function requireReturnable(watched: Watched, route: Route, query: string): Promise<void> {
  const fixtures = await watched.freshFixtures()
  const url = placeOf(route, fixtures)
  const whos: readonly Who[] =
    writerOf(route) === 'admin' && route.access.kind === 'admin' ? ['admin'] : ['owner', 'admin']
  for (const who of whos) {
    const token = tokenOf(fixtures, who)
    const before = await watched.ask({ method: 'GET', url: `${url}${query}`, token })
    const put = await watched.ask({ method: 'PUT', url, token, json: before.json })
    assert.ok(put.status === 200 || put.status === 204, `${who} ${query}: ${put.text}`)
    const after = await watched.ask({ method: 'GET', url: `${url}${query}`, token })
    assert.deepEqual(settled(after.json), settled(before.json))
  }
}
