import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Role, scopes } from '#http/declare/caller.ts'
import type { Route } from '#http/declare/route.ts'
import { createFixtures, type Fixtures } from '#test/contract/setup/fixtures.ts'
import { resolvePath, validBody } from '#test/contract/setup/valid-requests.ts'
import { eachDatabase, type TestCaller, testPassword } from '#test/support/app.ts'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import { keyCallers, type NarrowCaller, oauthCallers } from './authority-callers.ts'
import { type AuthorityState, readAuthority, requireNoWider } from './authority-state.ts'

/** Bodies that ask for as much as there is, by operation. */
const greedy: Readonly<Record<string, (fixtures: Fixtures, turn: number) => readonly object[]>> = {
  'POST /users': (_, turn) => [
    { name: 'Eve', username: `eve-${turn}`, password: testPassword, role: 'admin' },
    { name: 'Eve', username: `eva-${turn}`, password: testPassword, status: 'active' },
  ],
  'PUT /users/:id': (_, turn) => changesOfUser(turn),
  'PATCH /users/:id': (_, turn) => changesOfUser(turn),
  'POST /api-keys': () => [
    { name: 'Wide', scopes, expires_at: null, allowed_addresses: null, allowed_origins: null },
    { name: 'Long', expires_at: null },
    { name: 'Far', allowed_addresses: null },
    { name: 'Same' },
  ],
  'POST /oauth-clients': clientsFor,
  'PUT /oauth-clients/:oauthClientId': clientsFor,
  'PATCH /oauth-clients/:oauthClientId': clientsFor,
}

const changesOfUser = (turn: number) => [
  { name: 'Eve', role: 'admin' },
  { name: 'Eve', status: 'suspended' },
  { name: 'Eve', username: `renamed-${turn}`, current_password: testPassword },
  { name: 'Eve', email: `eve-${turn}@example.com` },
  { name: 'Eve', password: 'chosen by somebody else', current_password: testPassword },
]

function clientsFor({ admin, owner }: Fixtures, turn: number): readonly object[] {
  const client = {
    client_name: 'Wide',
    redirect_uris: [`https://wide-${turn}.example/callback`],
    grant_types: ['client_credentials', 'authorization_code', 'refresh_token'],
    scope: scopes.join(' '),
  }
  return [client, ...[admin.id, owner.id, null].map((user_id) => ({ ...client, user_id }))]
}

const isWrite = ({ method, access }: Route): boolean => method !== 'GET' && access.kind !== 'open'

/** Removals last: whoever is gone can be asked nothing more. */
const inOrder = (routes: readonly Route[]): readonly Route[] =>
  routes.filter(isWrite).toSorted((a, b) => Number(endsSomething(a)) - Number(endsSomething(b)))

const endsSomething = ({ method, path }: Route): boolean =>
  method === 'DELETE' || path === '/user/delete'

let turns = 0

eachDatabase((kind) => {
  let shop: PayingApp
  let admin: TestCaller
  let routes: readonly Route[]
  let issuer: string
  before(async () => {
    shop = await startPayingApp(kind, 5000, { isIssuer: true })
    shop.now = Date.now()
    issuer = new URL(shop.dependencies.callbackUrl).origin
    admin = await shop.signInAs('admin')
    routes = inOrder(shop.operations.map(({ route }) => route))
  })
  after(() => shop.dispose())

  /** Sends all that asks for much at a route; about the caller's own things and about others'. */
  async function ask(
    route: Route,
    caller: Pick<NarrowCaller, 'request'>,
    allFixtures: readonly Fixtures[],
  ) {
    turns += 1
    for (const fixtures of allFixtures) {
      const bodies = greedy[`${route.method} ${route.path}`]?.(fixtures, turns) ?? [
        route.body ? validBody(route, fixtures) : undefined,
      ]
      for (const body of bodies) {
        await caller.request(route.method, resolvePath(route, fixtures), body)
      }
    }
  }

  async function requireBounded(
    caller: NarrowCaller,
    allFixtures: readonly Fixtures[],
  ): Promise<void> {
    let state = await readAuthority(shop)
    for (const route of routes) {
      await ask(route, caller, allFixtures)
      const next = await readAuthority(shop)
      try {
        requireNoWider(caller, state, next)
      } catch (error) {
        const place = `${caller.name} at ${route.method} ${route.path}`
        throw new Error(`${place}: ${(error as Error).message}`)
      }
      state = next
    }
  }

  /** Somebody of this role, and everything there may be of a customer, who is nobody else if a customer. */
  async function people(role: Role) {
    const fixtures = await createFixtures(shop, admin)
    if (role === 'customer') return { holder: fixtures.owner, fixtures }
    const holder = await shop.signInAs('admin')
    return { holder, fixtures: { ...fixtures, admin: holder } }
  }

  for (const role of ['customer', 'admin'] as const) {
    test(`no API key of a ${role} makes or changes anything wider than itself`, async () => {
      const other = await createFixtures(shop, admin)
      const { length } = await keyCallers(shop, admin, role)
      for (let at = 0; at < length; at += 1) {
        const { holder, fixtures } = await people(role)
        const caller = await (await keyCallers(shop, holder, role))[at]?.()
        assert.ok(caller)
        await requireBounded(caller, [fixtures, other])
      }
    })

    test(`no OAuth token of a ${role} makes or changes anything wider than itself`, async () => {
      const other = await createFixtures(shop, admin)
      for (let at = 0; at < 5; at += 1) {
        const { holder, fixtures } = await people(role)
        const callers = await oauthCallers(shop, issuer, { holder, admin, role })
        const caller = await callers[at]?.()
        assert.ok(caller && callers.length === 5)
        await requireBounded(caller, [fixtures, other])
      }
    })
  }

  test('whoever has signed in by password is granted what narrower credentials are refused', async () => {
    const { holder, fixtures } = await people('admin')
    const nobody = { name: '', userId: 0, scopes: [], expiresAt: 0, addresses: [] }
    const narrow = { ...nobody, request: holder.request }
    const widening: string[] = []
    for (const route of routes.filter((each) => !endsSomething(each))) {
      const state: AuthorityState = await readAuthority(shop)
      await ask(route, holder, [fixtures])
      const next = await readAuthority(shop)
      const isWider = (() => {
        try {
          requireNoWider(narrow, state, next)
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
      'POST /api-keys',
      'POST /oauth-clients',
      'POST /oauth-clients/:oauthClientId/rotations',
      'POST /users',
      'PUT /oauth-clients/:oauthClientId',
      'PUT /users/:id',
    ])
  })
})
