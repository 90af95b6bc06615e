import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RestrictedAccess, requiredScopesOf } from '#http/declare/policy.ts'
import type { Route } from '#http/declare/route.ts'
import { type Scope, scopes } from '#shop/scopes.ts'
import { type TestCaller, testPassword } from '#test/support/app.ts'
import { scopedToken } from '#test/support/callers/narrow-caller.ts'
import { minuteMs } from '#values/instant.ts'
import {
  assertErrorCode,
  type ContractApp,
  forEachRoute,
  validRequest,
} from './setup/contract-app.ts'
import { needsPassword, permittedCaller, resolvePath, tokenOf } from './setup/valid-requests.ts'

type Guarded = Route & { readonly access: RestrictedAccess }
const isGuarded = (route: Route): route is Guarded => 'scope' in route.access
const isOpen = ({ access }: Route): boolean => access.kind === 'no-authentication'
const isOwned = ({ access }: Route): boolean => access.kind.startsWith('owner-')

// The malformed body proves that the caller is rejected before the body is read.
const sendMalformed = ({ send, fixtures }: ContractApp, route: Route, token: string | undefined) =>
  send({
    method: route.method,
    url: resolvePath(route, fixtures),
    token,
    ...(route.method === 'GET' ? {} : { payload: '{"malformed' }),
  })

async function requireAdmitted(contract: ContractApp, route: Route, token: string | undefined) {
  const { status, text } = await sendMalformed(contract, route, token)
  assert.ok(status !== 401 && status !== 403, `rejected with ${status}: ${text}`)
}

/** Declares the tests of the access policy of every route. */
export function testAccess(getContract: () => ContractApp): void {
  test('a guarded route answers 401 without credentials, whatever the body', async () => {
    const contract = getContract()
    await forEachRoute(
      contract,
      () => true,
      async (route) => {
        if (!isGuarded(route)) return requireAdmitted(contract, route, undefined)
        const response = await sendMalformed(contract, route, undefined)
        assertErrorCode(response, '4011')
        assert.match(response.headers['www-authenticate'] ?? '', /\bBearer realm=/)
      },
    )
  })
  testCredentials(getContract)
  testPolicy(getContract)
  testScopes(getContract)
}

function testCredentials(getContract: () => ContractApp): void {
  test('invalid credentials answer 401 on every route that reads credentials', async () => {
    const contract = getContract()
    const { owner } = contract.fixtures
    const forged = `${owner.token.slice(0, -3)}abc`
    await forEachRoute(
      contract,
      () => true,
      async (route) => {
        for (const token of ['garbage', 'a.b.c', forged]) {
          if (isOpen(route)) await requireAdmitted(contract, route, token)
          else assertErrorCode(await sendMalformed(contract, route, token), '4012')
        }
      },
    )
  })
  test('expired credentials answer 4013', async () => {
    const contract = getContract()
    const { shop, fixtures } = contract
    const past = shop.now - 16 * minuteMs
    const { id, sessionId } = fixtures.owner
    const expired = { id, name: 'Late', role: 'customer', sessionId } as const
    const { token } = await shop.tokens.issueAccessToken(expired, past)
    await forEachRoute(
      contract,
      (route) => !isOpen(route),
      async (route) => {
        assertErrorCode(await sendMalformed(contract, route, token), '4013')
      },
    )
  })
  test('a suspended user answers 4032', async () => {
    const contract = getContract()
    const { token } = await signInSuspended(contract)
    await forEachRoute(
      contract,
      (route) => !isOpen(route),
      async (route) => {
        assertErrorCode(await sendMalformed(contract, route, token), '4032')
      },
    )
  })
}

async function signInSuspended({ shop, fixtures, send }: ContractApp): Promise<TestCaller> {
  const caller = await shop.signInAs('customer', { password: testPassword })
  const { token } = fixtures.admin
  const url = `/users/${caller.id}`
  const { status } = await send({ method: 'PATCH', url, token, json: { status: 'suspended' } })
  assert.equal(status, 200)
  return caller
}

function testPolicy(getContract: () => ContractApp): void {
  test('an owned resource is rejected to other customers, not to administrators', async () => {
    const contract = getContract()
    const { stranger, fixtures } = contract
    await forEachRoute(contract, isOwned, async (route) => {
      assertErrorCode(await sendMalformed(contract, route, stranger.token), '4031')
      await requireAdmitted(contract, route, fixtures.owner.token)
      await requireAdmitted(contract, route, fixtures.admin.token)
    })
  })
  test('only administrators learn whether another user exists', async () => {
    const contract = getContract()
    const { owner, admin } = contract.fixtures
    const isBelowUsers = ({ access }: Route) => access.kind === 'owner-by-path'
    await forEachRoute(contract, isBelowUsers, async (route) => {
      const spec = validRequest(route, contract.fixtures)
      const url = spec.url.replace(/\d+/, '999999999')
      assertErrorCode(await contract.send({ ...spec, url, token: owner.token }), '4031')
      assertErrorCode(await contract.send({ ...spec, url, token: admin.token }), '4041')
    })
  })
  test('an administrator route is rejected to customers', async () => {
    const contract = getContract()
    const { owner, admin } = contract.fixtures
    await forEachRoute(
      contract,
      ({ access }) => access.kind === 'admin',
      async (route) => {
        assertErrorCode(await sendMalformed(contract, route, owner.token), '4031')
        await requireAdmitted(contract, route, admin.token)
      },
    )
  })
}

function testScopes(getContract: () => ContractApp): void {
  test('a credential without the required scope is rejected for every role', async () => {
    const contract = getContract()
    const { shop, fixtures } = contract
    await forEachRoute(contract, isGuarded, async (route) => {
      const required = requiredScopesOf((route as Guarded).access) as readonly Scope[]
      const holder = permittedCaller(route) === 'admin' ? fixtures.admin : fixtures.owner
      for (const scope of required) {
        const others = scopes.filter((each) => each !== scope)
        const narrow = await scopedToken(shop, holder, others)
        assertErrorCode(await sendMalformed(contract, route, narrow), '4033')
      }
      const single = await scopedToken(shop, holder, required)
      if (needsPassword(route))
        assertErrorCode(await sendMalformed(contract, route, single), '4033')
      else await requireAdmitted(contract, route, single)
    })
  })
  test('an open route requires no scope', async () => {
    const contract = getContract()
    const narrow = await scopedToken(contract.shop, contract.fixtures.owner, [])
    await forEachRoute(
      contract,
      (route) => !isGuarded(route),
      async (route) => {
        await requireAdmitted(contract, route, narrow)
        await requireAdmitted(contract, route, tokenOf(contract.fixtures, 'admin'))
      },
    )
  })
}
