import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, METHODS, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { unstored } from '#http/declare/policy.ts'
import type { Route } from '#http/declare/route.ts'
import { placeOf } from './setup/fixtures.ts'
import {
  type Asked,
  everyRoute,
  requireCode,
  type Watched,
  wellFormed,
} from './setup/watched-app.ts'

const words = (list = ''): readonly string[] => list.split(/, */).sort()

/** The methods of the place where a route lives. */
function offered({ routes }: Watched, { path }: Route): readonly string[] {
  const declared = routes.filter((route) => route.path === path).map(({ method }) => method)
  return [...declared, ...(declared.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort()
}

/** One route of each place. */
function onePerPlace({ routes }: Watched): (route: Route) => boolean {
  const first = new Set(
    Map.groupBy(routes, ({ path }) => path)
      .values()
      .map(([route]) => route),
  )
  return (route) => first.has(route)
}

/** Declares the tests of what every path answers to which method. */
export function testMethods(watchedOf: () => Watched): void {
  test('every method that a path does not offer answers 405 with what it offers', async () => {
    const watched = watchedOf()
    const { ask, fixtures } = watched
    await everyRoute(watched, onePerPlace(watched), async (route) => {
      const allowed = offered(watched, route)
      // What CONNECT asks for is a tunnel, not a resource.
      const others = METHODS.filter((each) => !allowed.includes(each) && each !== 'CONNECT')
      for (const method of others) {
        const answer = await ask({ method, url: placeOf(route, fixtures), payload: '{"malformed' })
        if (method === 'HEAD') assert.equal(answer.status, 405)
        else requireCode(answer, '4051', method)
        assert.deepEqual(words(answer.headers['allow']), allowed)
      }
    })
  })
  test('an exotic method gets as far over the wire', async () => {
    const watched = watchedOf()
    const { port } = watched.shop.app.server.address() as AddressInfo
    await everyRoute(watched, onePerPlace(watched), async (route) => {
      const path = placeOf(route, watched.fixtures)
      const sent = request({ host: '127.0.0.1', port, method: 'PROPFIND', path, agent: false })
      sent.end()
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      answer.resume()
      assert.equal(answer.statusCode, 405)
      assert.deepEqual(words(answer.headers.allow), offered(watched, route))
    })
  })
  test('OPTIONS tells what a path offers, and what its PATCH takes', async () => {
    const watched = watchedOf()
    const { ask, fixtures } = watched
    await everyRoute(watched, onePerPlace(watched), async (route) => {
      const answer = await ask({ method: 'OPTIONS', url: placeOf(route, fixtures) })
      assert.equal(answer.status, 204)
      const allowed = offered(watched, route)
      assert.deepEqual(words(answer.headers['allow']), allowed)
      const patch = answer.headers['accept-patch']
      if (!allowed.includes('PATCH')) assert.equal(patch, undefined)
      else assert.match(patch ?? '', /application\/merge-patch\+json/)
    })
  })
  testHead(watchedOf)
  testUnknownPaths(watchedOf)
}

function testHead(watchedOf: () => Watched): void {
  test('HEAD answers as GET does, without the body', async () => {
    const watched = watchedOf()
    const { ask, fixtures } = watched
    const callers = [undefined, fixtures.owner.token, fixtures.admin.token]
    await everyRoute(
      watched,
      ({ method }) => method === 'GET',
      async (route) => {
        const url = placeOf(route, fixtures)
        for (const token of callers) {
          const asked: Asked = { method: 'GET', url, token, headers: { 'x-request-id': 'same' } }
          const got = await ask(asked)
          const had = await ask({ ...asked, method: 'HEAD' })
          assert.equal(had.status, got.status)
          assert.ok(had.headers['content-length'] !== undefined, 'content-length is missing')
          assert.deepEqual(steady(route, had.headers), steady(route, got.headers))
        }
      },
    )
  })
}

/**
 * The header fields that two answers have in common; what is measured grows in between, and every
 * challenge has a nonce of its own.
 */
function steady({ resource, cache }: Route, headers: Readonly<Record<string, string>>) {
  const { date: _, 'content-length': length, 'www-authenticate': asks, ...rest } = headers
  const challenge = asks?.replaceAll(/nonce="[^"]+"/g, 'nonce')
  const same = { ...rest, challenge }
  return resource.kind === 'document' && cache === unstored ? same : { ...same, length }
}

function testUnknownPaths(watchedOf: () => Watched): void {
  test('below and beside every path there is nothing', async () => {
    const watched = watchedOf()
    const { ask, fixtures } = watched
    await everyRoute(watched, onePerPlace(watched), async (route) => {
      const place = placeOf(route, fixtures)
      const root = place.replace(/\/$/, '')
      for (const url of [`${root}/no/such/place`, `${place}/`, `/${place}`, `${place}/?page=1`]) {
        for (const method of ['GET', route.method]) {
          requireCode(await ask({ method, url }), '4042', url)
        }
      }
      const dotted = await ask({
        method: 'GET',
        url: `${root || '/'}.json`,
        token: fixtures.admin.token,
      })
      assert.equal(dotted.status, 404, dotted.text)
    })
  })
  test('an identifier that nothing has answers 404, whatever it looks like', async () => {
    const watched = watchedOf()
    const { fixtures, ask } = watched
    const { token } = fixtures.admin
    await everyRoute(
      watched,
      ({ path }) => path.includes(':'),
      async (route) => {
        const asked = wellFormed(route, fixtures)
        const steps = route.path.split('/').flatMap((step, at) => (step.startsWith(':') ? at : []))
        for (const at of steps) {
          for (const name of strangeNames) {
            const url = asked.url.split('/').with(at, name).join('/')
            const answer = await ask({ ...asked, token, url })
            const expected = name === '%' ? '4001' : name.length > 1000 ? '4141' : '4041'
            requireCode(answer, expected, url.slice(0, 100))
          }
        }
      },
    )
  })
}

const strangeNames = [
  '999999999',
  '0',
  '-1',
  '1.0',
  '01',
  '1e3',
  'abc',
  '99999999999999999999999',
  '9007199254740993',
  '%00',
  '%20',
  "1'--",
  '1%2F2',
  '%EF%BC%91',
  '%',
  'a'.repeat(1001),
]
