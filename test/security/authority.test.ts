import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Role } from '#http/declare/actor.ts'
import type { Route } from '#http/declare/route.ts'
import { scopes } from '#shop/scopes.ts'
import type { Fixtures } from '#test/contract/setup/fixture-ids.ts'
import { createFixtures } from '#test/contract/setup/fixtures.ts'
import { resolvePath, validBody } from '#test/contract/setup/valid-requests.ts'
import { eachDatabase, type TestCaller, testPassword } from '#test/support/app.ts'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import { keyCallers, type NarrowCaller, oauthCallers } from './authority-callers.ts'
import { type AuthorityState, assertNoWider, readAuthority } from './authority-state.ts'

/** Bodies that request the widest possible authority, by operation. */
const wideningBodies: Readonly<
  Record<string, (fixtures: Fixtures, turn: number) => readonly object[]>
> = {
  'POST /users': (_, turn) => [
    { name: 'Eve', username: `eve-${turn}`, password: testPassword, role: 'admin' },
    { name: 'Eve', username: `eva-${turn}`, password: testPassword, status: 'active' },
  ],
  'PUT /users/:id': (_, turn) => userChanges(turn),
  'PATCH /users/:id': (_, turn) => userChanges(turn),
  'POST /api-keys': () => [
    { name: 'Wide', scopes, expires_at: null, allowed_addresses: null, allowed_origins: null },
    { name: 'Long', expires_at: null },
    { name: 'Far', allowed_addresses: null },
    { name: 'Same' },
    { name: 'Fast', rate_limit: 'off' },
  ],
  'PATCH /api-keys/:keyId': () => [{ rate_limit: 'off' }],
  'POST /oauth-clients': clientBodies,
  'PUT /oauth-clients/:oauthClientId': clientBodies,
  'PATCH /oauth-clients/:oauthClientId': clientBodies,
}

const userChanges = (turn: number) => [
  { name: 'Eve', role: 'admin' },
  { name: 'Eve', status: 'suspended' },
  { name: 'Eve', username: `renamed-${turn}`, current_password: testPassword },
  { name: 'Eve', email: `eve-${turn}@example.com` },
  { name: 'Eve', password: 'chosen by somebody else', current_password: testPassword },
]

function clientBodies({ admin, owner }: Fixtures, turn: number): readonly object[] {
  const client = {
    client_name: 'Wide',
    redirect_uris: [`https://wide-${turn}.example/callback`],
    grant_types: ['client_credentials', 'authorization_code', 'refresh_token'],
    scope: scopes.join(' '),
  }
  return [client, ...[admin.id, owner.id, null].map((user_id) => ({ ...client, user_id }))]
}

const isWrite = ({ method, access }: Route): boolean =>
  method !== 'GET' && access.kind !== 'no-authentication'

/** The writes, with those last that end the caller or an entity. */
const orderedWrites = (routes: readonly Route[]): readonly Route[] =>
  routes.filter(isWrite).toSorted((a, b) => Number(isRemoval(a)) - Number(isRemoval(b)))

const isRemoval = ({ method, path }: Route): boolean =>
  method === 'DELETE' || path === '/user/delete'

let turnCount = 0

eachDatabase((kind) => {
  let shop: PayingApp
  let admin: TestCaller
  let routes: readonly Route[]
  let issuer: string
  before(async () => {
    shop = await startPayingApp(kind, 5000, { isIssuer: true })
    shop.now = Date.now()
    issuer = new URL(shop.parts.callbackUrl).origin
    admin = await shop.signInAs('admin')
    routes = orderedWrites(shop.operations.map(({ route }) => route))
  })
  after(() => shop.dispose())

  /** Sends the widening bodies to a route, for the caller's own fixtures and for those of others. */
  async function attemptWidening(
    route: Route,
    caller: Pick<NarrowCaller, 'request'>,
    allFixtures: readonly Fixtures[],
  ) {
    turnCount += 1
    for (const fixtures of allFixtures) {
      const bodies = wideningBodies[`${route.method} ${route.path}`]?.(fixtures, turnCount) ?? [
        route.body ? validBody(route, fixtures) : undefined,
      ]
      for (const body of bodies) {
        await caller.request(route.method, resolvePath(route, fixtures), body)
      }
    }
  }

  async function assertBounded(
    caller: NarrowCaller,
    allFixtures: readonly Fixtures[],
  ): Promise<void> {
    let state = await readAuthority(shop)
    for (const route of routes) {
      await attemptWidening(route, caller, allFixtures)
      const next = await readAuthority(shop)
      try {
        assertNoWider(caller, state, next)
      } catch (error) {
        const attempt = `${caller.name} at ${route.method} ${route.path}`
        throw new Error(`${attempt}: ${(error as Error).message}`)
      }
      state = next
    }
  }

  /** A user of this role and the fixtures of a customer, who is the same user for that role. */
  async function createHolder(role: Role) {
    const fixtures = await createFixtures(shop, admin)
    if (role === 'customer') return { holder: fixtures.owner, fixtures }
    const holder = await shop.signInAs('admin')
    return { holder, fixtures: { ...fixtures, admin: holder } }
  }

  for (const role of ['customer', 'admin'] as const) {
    test(`no API key of a ${role} creates or changes an authority wider than its own`, async () => {
      const other = await createFixtures(shop, admin)
      const { length } = await keyCallers(shop, admin, role)
      for (let at = 0; at < length; at += 1) {
        const { holder, fixtures } = await createHolder(role)
        const caller = await (await keyCallers(shop, holder, role))[at]?.()
        assert.ok(caller)
        await assertBounded(caller, [fixtures, other])
      }
    })

    test(`no OAuth token of a ${role} creates or changes an authority wider than its own`, async () => {
      const other = await createFixtures(shop, admin)
      for (let at = 0; at < 5; at += 1) {
        const { holder, fixtures } = await createHolder(role)
        const callers = await oauthCallers(shop, issuer, { holder, admin, role })
        const caller = await callers[at]?.()
        assert.ok(caller && callers.length === 5)
        await assertBounded(caller, [fixtures, other])
      }
    })
  }

  test('a sign-in by password may widen authority through exactly these operations', async () => {
    const { holder, fixtures } = await createHolder('admin')
    const noAuthority = { name: '', userId: 0, scopes: [], expiresAt: 0, addresses: [] }
    const narrow = { ...noAuthority, request: holder.request }
    const widening: string[] = []
    for (const route of routes.filter((each) => !isRemoval(each))) {
      const state: AuthorityState = await readAuthority(shop)
      await attemptWidening(route, holder, [fixtures])
      const next = await readAuthority(shop)
      const isWider = (() => {
        try {
          assertNoWider(narrow, state, next)
          return false
        } catch {
          return true
        }
      })()
      if (isWider) widening.push(`${route.method} ${route.path}`)
    }
    assert.deepEqual(widening.toSorted(), [
      'PATCH /oauth-clients/:oauthClientId',
      'PATCH /users/:id',
      'PATCH /webhooks/:webhookId',
      'POST /api-keys',
      'POST /oauth-clients',
      'POST /oauth-clients/:oauthClientId/rotations',
      'POST /users',
      'POST /webhooks',
      'POST /webhooks/:webhookId/rotations',
      'PUT /oauth-clients/:oauthClientId',
      'PUT /users/:id',
    ])
  })
})
