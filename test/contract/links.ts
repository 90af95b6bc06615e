import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import type { TestResponse } from '#test/support/app.ts'
import { includesOf } from './queries.ts'
import { tokenOf, type Who } from './setup/fixtures.ts'
import {
  type Asked,
  everyRoute,
  requireCode,
  type Watched,
  wellFormed,
} from './setup/watched-app.ts'

interface Link {
  readonly href: string
  readonly method?: string
  readonly body?: unknown
}

const callers: readonly Who[] = ['nobody', 'owner', 'admin']
/** What documents hold is no resource, whatever it looks like. */
const isRead = ({ method, resource }: Route): boolean =>
  method === 'GET' && resource.kind !== 'document'

/** Every link in a body, however deep. */
export function linksIn(value: unknown): readonly (readonly [string, Link])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === '_links' ? Object.entries(member as Readonly<Record<string, Link>>) : linksIn(member),
  )
}

/** The resources in a body, the body first; each has links of its own. */
function resourcesIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, member]) =>
    name === '_links' ? [] : resourcesIn(member),
  )
  return '_links' in value ? [value, ...inner] : inner
}

/** Where a route's answers are asked for: bare, and with all that they can embed. */
function readingsOf(route: Route, { fixtures }: Watched, who: Who): readonly Asked[] {
  const asked = { ...wellFormed(route, fixtures), token: tokenOf(fixtures, who) }
  const includes = includesOf(route).join()
  return includes === '' ? [asked] : [asked, { ...asked, url: `${asked.url}?include=${includes}` }]
}

/** Declares the tests of where answers lead. */
export function testLinks(watchedOf: () => Watched): void {
  test('every link without a method can be read by whom it was shown to', async () => {
    const watched = watchedOf()
    const known = new Map<string, Promise<TestResponse>>()
    await everyRoute(watched, isRead, async (route) => {
      for (const who of callers) {
        for (const asked of readingsOf(route, watched, who)) {
          const { json } = await watched.ask(asked)
          for (const [relation, { href, method }] of linksIn(json)) {
            if (method !== undefined) continue
            const key = `${who} ${href}`
            const reading = known.get(key) ?? watched.ask({ ...asked, method: 'GET', url: href })
            known.set(key, reading)
            requireReadable(await reading, who, `${relation} ${href}`)
          }
        }
      }
    })
  })
  test('every link with a method leads to an act that is declared and permitted', async () => {
    const watched = watchedOf()
    const known = new Set<string>()
    await everyRoute(watched, isRead, async (route) => {
      for (const who of callers) {
        for (const asked of readingsOf(route, watched, who)) {
          const { json } = await watched.ask(asked)
          for (const [relation, link] of linksIn(json)) {
            const { href, method } = link
            if (method === undefined || known.has(`${who} ${method} ${href}`)) continue
            known.add(`${who} ${method} ${href}`)
            assert.ok(['POST', 'PUT', 'PATCH', 'DELETE'].includes(method), relation)
            const url = href
            // What cannot be read is refused last of all: the act is there, and the caller may.
            const answer = await watched.ask({ ...asked, method, url, payload: '{"malformed' })
            if (who === 'nobody' && answer.status === 401) requireCode(answer, '4011', relation)
            else requireCode(answer, '4002', `${who}: ${relation} ${method} ${href}`)
          }
        }
      }
    })
  })
  testSelfLinks(watchedOf)
}

/** Whoever is not signed in is also shown what signing in leads to. */
function requireReadable(answer: TestResponse, who: Who, link: string): void {
  if (who === 'nobody' && answer.status === 401) requireCode(answer, '4011', link)
  else assert.equal(answer.status, 200, `${who}: ${link} ${answer.text.slice(0, 300)}`)
}

function testSelfLinks(watchedOf: () => Watched): void {
  test('every resource of a page or inside another is the same where it calls itself at home', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isRead, async (route) => {
      for (const asked of readingsOf(route, watched, 'owner')) {
        const { json } = await watched.ask(asked)
        for (const resource of resourcesIn(json)) {
          const { self } = (resource as { _links: Record<string, Link> })._links
          assert.ok(self, `no self in ${JSON.stringify(resource)}`)
          if (self.method !== undefined) continue
          const home = await watched.ask({ ...asked, method: 'GET', url: self.href })
          assert.deepEqual(bare(resource, home.json), home.json, self.href)
        }
      }
    })
  })
}

/** A resource without what is only embedded when asked for. */
const bare = (resource: object, home: object): object =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => name in home))
