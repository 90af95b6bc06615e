import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Scope, scopes } from '#auth/scopes.ts'
import type { Route } from '#http/declare/route.ts'
import { type TestCaller, testPassword } from '#test/support/app.ts'
import { narrowToken } from '#test/support/callers/narrow-caller.ts'
import { minuteMs } from '#values/instant.ts'
import { needsPassword, placeOf, tokenOf, writerOf } from './setup/fixtures.ts'
import { everyRoute, requireCode, type Watched, wellFormed } from './setup/watched-app.ts'

type Guarded = Route & { readonly access: { readonly scope: Scope } }
const isGuarded = (route: Route): route is Guarded => 'scope' in route.access
const isOpen = ({ access }: Route): boolean => access.kind === 'open'
const isOwned = ({ access }: Route): boolean => access.kind.startsWith('owner-')

/** Sends what could not be read: a refusal of the caller must come before anybody reads it. */
const requestAnonymously = ({ ask, fixtures }: Watched, route: Route, token: string | undefined) =>
  ask({
    method: route.method,
    url: placeOf(route, fixtures),
    token,
    ...(route.method === 'GET' ? {} : { payload: '{"malformed' }),
  })

async function requireAdmitted(watched: Watched, route: Route, token: string | undefined) {
  const { status, text } = await requestAnonymously(watched, route, token)
  assert.ok(status !== 401 && status !== 403, `refused with ${status}: ${text}`)
}

/** Declares the tests of who is let in, as every route declares it. */
export function testAccess(watchedOf: () => Watched): void {
  test('without credentials, what is not for everybody answers 401, whatever its body is', async () => {
    const watched = watchedOf()
    await everyRoute(
      watched,
      () => true,
      async (route) => {
        if (!isGuarded(route)) return requireAdmitted(watched, route, undefined)
        const answer = await requestAnonymously(watched, route, undefined)
        requireCode(answer, '4011')
        assert.match(answer.headers['www-authenticate'] ?? '', /\bBearer realm=/)
      },
    )
  })
  testCredentials(watchedOf)
  testPolicy(watchedOf)
  testScopes(watchedOf)
}

function testCredentials(watchedOf: () => Watched): void {
  test('credentials that do not verify are refused wherever they are looked at', async () => {
    const watched = watchedOf()
    const { owner } = watched.fixtures
    const forged = `${owner.token.slice(0, -3)}abc`
    await everyRoute(
      watched,
      () => true,
      async (route) => {
        for (const token of ['garbage', 'a.b.c', forged]) {
          if (isOpen(route)) await requireAdmitted(watched, route, token)
          else requireCode(await requestAnonymously(watched, route, token), '4012')
        }
      },
    )
  })
  test('expired credentials are refused as such', async () => {
    const watched = watchedOf()
    const { shop, fixtures } = watched
    const past = shop.now - 16 * minuteMs
    const { id, sessionId } = fixtures.owner
    const late = { id, name: 'Late', role: 'customer', sessionId } as const
    const { token } = await shop.tokens.issueAccess(late, past)
    await everyRoute(
      watched,
      (route) => !isOpen(route),
      async (route) => {
        requireCode(await requestAnonymously(watched, route, token), '4013')
      },
    )
  })
  test('who is suspended is refused as such', async () => {
    const watched = watchedOf()
    const { token } = await suspended(watched)
    await everyRoute(
      watched,
      (route) => !isOpen(route),
      async (route) => {
        requireCode(await requestAnonymously(watched, route, token), '4032')
      },
    )
  })
}

async function suspended({ shop, fixtures, ask }: Watched): Promise<TestCaller> {
  const caller = await shop.signInAs('customer', { password: testPassword })
  const { token } = fixtures.admin
  const url = `/users/${caller.id}`
  const { status } = await ask({ method: 'PATCH', url, token, json: { status: 'suspended' } })
  assert.equal(status, 200)
  return caller
}

function testPolicy(watchedOf: () => Watched): void {
  test('what belongs to somebody is refused to others, and not to administrators', async () => {
    const watched = watchedOf()
    const { stranger, fixtures } = watched
    await everyRoute(watched, isOwned, async (route) => {
      requireCode(await requestAnonymously(watched, route, stranger.token), '4031')
      await requireAdmitted(watched, route, fixtures.owner.token)
      await requireAdmitted(watched, route, fixtures.admin.token)
    })
  })
  test('whether there is another user at all is told to administrators alone', async () => {
    const watched = watchedOf()
    const { owner, admin } = watched.fixtures
    const isBelowUsers = ({ access }: Route) => access.kind === 'owner-by-path'
    await everyRoute(watched, isBelowUsers, async (route) => {
      const asked = wellFormed(route, watched.fixtures)
      const url = asked.url.replace(/\d+/, '999999999')
      requireCode(await watched.ask({ ...asked, url, token: owner.token }), '4031')
      requireCode(await watched.ask({ ...asked, url, token: admin.token }), '4041')
    })
  })
  test('what is for administrators is refused to customers', async () => {
    const watched = watchedOf()
    const { owner, admin } = watched.fixtures
    await everyRoute(
      watched,
      ({ access }) => access.kind === 'admin',
      async (route) => {
        requireCode(await requestAnonymously(watched, route, owner.token), '4031')
        await requireAdmitted(watched, route, admin.token)
      },
    )
  })
}

function testScopes(watchedOf: () => Watched): void {
  test('a credential without the scope is refused, whoever holds it', async () => {
    const watched = watchedOf()
    const { shop, fixtures } = watched
    await everyRoute(watched, isGuarded, async (route) => {
      const { scope } = (route as Guarded).access
      const others = scopes.filter((each) => each !== scope)
      const holder = writerOf(route) === 'admin' ? fixtures.admin : fixtures.owner
      const narrow = await narrowToken(shop, holder, others)
      requireCode(await requestAnonymously(watched, route, narrow), '4033')
      const alone = await narrowToken(shop, holder, [scope])
      if (needsPassword(route)) requireCode(await requestAnonymously(watched, route, alone), '4033')
      else await requireAdmitted(watched, route, alone)
    })
  })
  test('what is for everybody asks for no scope', async () => {
    const watched = watchedOf()
    const narrow = await narrowToken(watched.shop, watched.fixtures.owner, [])
    await everyRoute(
      watched,
      (route) => !isGuarded(route),
      async (route) => {
        await requireAdmitted(watched, route, narrow)
        await requireAdmitted(watched, route, tokenOf(watched.fixtures, 'admin'))
      },
    )
  })
}
