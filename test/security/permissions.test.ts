import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { scopes, scopesOfRole } from '#shop/scopes.ts'
import {
  type ContractApp,
  type RequestSpec,
  startContractApp,
  validRequest,
} from '#test/contract/setup/contract-app.ts'
import type { Fixtures } from '#test/contract/setup/fixture-ids.ts'
import { eachDatabase, type TestCaller, type TestResponse } from '#test/support/app.ts'
import { startGuest } from '#test/support/callers/guest.ts'
import { scopedToken } from '#test/support/callers/narrow-caller.ts'

/**
 * The permissions of every operation, written by hand and not derived from the code. `owner` is the
 * customer who owns the resource, `other` another customer. `yes`: allowed. `own`: allowed, limited
 * to the caller's own entities. A number: the status of the refusal. `scope`: the scope that every
 * credential needs, else 403. `absent`: the status for a customer if the resource does not exist.
 * `*`: rejected by the action itself, beyond what the route declares.
 */
const matrix = `
  request                                   scope            anonymous  owner  other  admin  absent
  GET /                                     -                yes     yes    yes    yes    -
  GET /problems                             -                yes     yes    yes    yes    -
  GET /problems/{code}                      -                yes     yes    yes    yes    404
  GET /health/live                          -                yes     yes    yes    yes    -
  GET /health/ready                         -                yes     yes    yes    yes    -
  GET /health/ready?verbose                 -                401*    403*   403*   yes    -
  GET /metrics                              -                yes     yes    yes    yes    -
  GET /openapi.json                         -                yes     yes    yes    yes    -
  GET /.well-known/api-catalog              -                yes     yes    yes    yes    -
  GET /docs                                 -                yes     yes    yes    yes    -
  GET /docs/reference.js                    -                yes     yes    yes    yes    -
  GET /docs/tasks                           -                yes     yes    yes    yes    -
  GET /changes                              -                yes     yes    yes    yes    -

  GET /products                             -                yes     yes    yes    yes    -
  GET /products/{productId}                 -                yes     yes    yes    yes    404
  GET /products/{productId}/reviews         -                yes     yes    yes    yes    404
  GET /products/{productId}/reviews/{reviewId}  -            yes     yes    yes    yes    404
  GET /products/{productId}/related         -                yes     yes    yes    yes    404
  GET /products?buyer=OWNER                 -                401*    yes    403*   yes    -
  POST /products                            products:write   401     403    403    yes    -
  PUT /products/{productId}                 products:write   401     403    403    yes    403
  PATCH /products/{productId}               products:write   401     403    403    yes    403
  DELETE /products/{productId}              products:write   401     403    403    yes    403
  POST /products/{productId}/reviews        reviews:write    401     yes    403*   403*   404
  PATCH /products/{productId}/reviews/{reviewId}  reviews:write  401  yes   403    yes    404
  PATCH /products/{productId}/reviews/{reviewId} HIDDEN  reviews:write  401  403*  403  yes  404
  DELETE /products/{productId}/reviews/{reviewId}  reviews:write  401  yes  403    yes    404
  GET /products/{productId}/images          -                yes     yes    yes    yes    404
  POST /products/{productId}/images         files:write      401     403    403    yes    403
  GET /products/{productId}/images/{imageId}  -              yes     yes    yes    yes    404
  PATCH /products/{productId}/images/{imageId}  files:write  401     403    403    yes    403
  DELETE /products/{productId}/images/{imageId}  files:write  401    403    403    yes    403
  GET /files/{fileName}                     -                yes     yes    yes    yes    404
  GET /products/{productId}/variants        -                yes     yes    yes    yes    404
  GET /products/{productId}/prices          products:write   401     403    403    yes    403
  POST /products/{productId}/variants       products:write   401     403    403    yes    403
  GET /feeds/google-merchant                -                yes     yes    yes    yes    -
  GET /sitemap                              -                yes     yes    yes    yes    -
  GET /sitemap/{part}                       -                yes     yes    yes    yes    404
  GET /categories                           -                yes     yes    yes    yes    -
  POST /categories                          products:write   401     403    403    yes    -
  GET /categories/{categoryId}              -                yes     yes    yes    yes    404
  PUT /categories/{categoryId}              products:write   401     403    403    yes    403
  PATCH /categories/{categoryId}            products:write   401     403    403    yes    403
  DELETE /categories/{categoryId}           products:write   401     403    403    yes    403

  GET /shipping-methods                     -                yes     yes    yes    yes    -
  POST /shipping-methods                    settings:write   401     403    403    yes    -
  GET /shipping-methods/{shippingMethodId}  -                yes     yes    yes    yes    404
  PUT /shipping-methods/{shippingMethodId}  settings:write   401     403    403    yes    403
  PATCH /shipping-methods/{shippingMethodId}  settings:write   401     403    403    yes    403
  DELETE /shipping-methods/{shippingMethodId}  settings:write   401     403    403    yes    403
  GET /tax-rates                            settings:write   401     403    403    yes    -
  POST /tax-rates                           settings:write   401     403    403    yes    -
  GET /tax-rates/{taxRateId}                settings:write   401     403    403    yes    403
  PUT /tax-rates/{taxRateId}                settings:write   401     403    403    yes    403
  PATCH /tax-rates/{taxRateId}              settings:write   401     403    403    yes    403
  DELETE /tax-rates/{taxRateId}             settings:write   401     403    403    yes    403
  GET /discounts                            settings:write   401     403    403    yes    -
  POST /discounts                           settings:write   401     403    403    yes    -
  GET /discounts/{discountId}               settings:write   401     403    403    yes    403
  PUT /discounts/{discountId}               settings:write   401     403    403    yes    403
  PATCH /discounts/{discountId}             settings:write   401     403    403    yes    403
  DELETE /discounts/{discountId}            settings:write   401     403    403    yes    403

  POST /login                               -                yes     yes    yes    yes    -
  POST /guests                              -                yes     yes    yes    yes    -
  POST /password-resets                     -                yes     yes    yes    yes    -
  GET /password-resets/{token}              -                yes     yes    yes    yes    -
  PUT /password-resets/{token}              -                yes     yes    yes    yes    -
  GET /email-confirmations/{token}          -                yes     yes    yes    yes    -
  PUT /email-confirmations/{token}          -                yes     yes    yes    yes    -
  GET /email-rejections/{token}             -                yes     yes    yes    yes    -
  PUT /email-rejections/{token}             -                yes     yes    yes    yes    -
  GET /address-changes/{token}              -                yes     yes    yes    yes    -
  PUT /address-changes/{token}              -                yes     yes    yes    yes    -
  GET /profile                              users:read       401     yes    yes    yes    -
  GET /sessions                             users:read       401     own    own    own    -
  GET /sessions?user_id=OWNER               users:read       401     yes    403*   yes    -
  GET /sessions/{sessionId}                 users:read       401     yes    403    yes    404
  DELETE /sessions/{sessionId}              users:write      401     yes    403    yes    404
  POST /user/delete                         users:write      401     yes    yes    yes    -
  GET /user/delete                          users:read       401     yes    404    404    -
  DELETE /user/delete                       users:write      401     yes    404    404    -

  POST /users                               -                yes     yes    yes    yes    -
  POST /users ROLE                          -                403*    403*   403*   yes    -
  GET /users                                users:read       401     403    403    yes    -
  GET /users/{id}                           users:read       401     yes    403    yes    403
  PUT /users/{id}                           users:write      401     yes    403    yes    403
  PATCH /users/{id}                         users:write      401     yes    403    yes    403
  PATCH /users/{id} ROLE                    users:write      401     403*   403    yes    403
  DELETE /users/{id}                        users:write      401     yes    403    yes    403
  GET /users/{id}/addresses                 users:read       401     yes    403    yes    403
  POST /users/{id}/addresses                users:write      401     yes    403    yes    403
  GET /users/{id}/addresses/{addressId}     users:read       401     yes    403    yes    403
  PUT /users/{id}/addresses/{addressId}     users:write      401     yes    403    yes    403
  PATCH /users/{id}/addresses/{addressId}   users:write      401     yes    403    yes    403
  DELETE /users/{id}/addresses/{addressId}  users:write      401     yes    403    yes    403
  POST /users/{id}/email-confirmations      users:write      401     yes    403    yes    403
  GET /users/{id}/cart                      carts:write      401     yes    403    yes    403
  DELETE /users/{id}/cart                   carts:write      401     yes    403    yes    403
  GET /users/{id}/cart/status               carts:write      401     yes    403    yes    403
  PUT /users/{id}/cart/discount             carts:write      401     yes    403    yes    403
  DELETE /users/{id}/cart/discount          carts:write      401     yes    403    yes    403
  GET /users/{id}/cart/items                carts:write      401     yes    403    yes    403
  POST /users/{id}/cart/items               carts:write      401     yes    403    yes    403
  GET /users/{id}/cart/items/{itemId}       carts:write      401     yes    403    yes    403
  PATCH /users/{id}/cart/items/{itemId}     carts:write      401     yes    403    yes    403
  DELETE /users/{id}/cart/items/{itemId}    carts:write      401     yes    403    yes    403
  GET /users/{id}/orders                    orders:read      401     yes    403    yes    403
  POST /users/{id}/orders                   orders:write     401     yes    403    yes    403
  GET /users/{id}/orders/{orderId}          orders:read      401     yes    403    yes    403
  PUT /users/{id}/orders/{orderId}          orders:write     401     yes    403    yes    403
  PATCH /users/{id}/orders/{orderId}        orders:write     401     yes    403    yes    403
  DELETE /users/{id}/orders/{orderId}       orders:write     401     yes    403    yes    403
  GET /users/{id}/orders/{orderId}/payment  orders:read      401     yes    403    yes    403
  POST /users/{id}/orders/{orderId}/payment payments:write   401     yes    403    yes    403
  GET /cart                                 carts:write      401     yes    yes    yes    -
  POST /orders                              orders:write     401     yes    yes    yes    -
  POST /cart                                carts:write      401     yes    yes    yes    -

  GET /orders                               orders:read      401     own    own    yes    -
  GET /orders/{orderId}                     orders:read      401     yes    403    yes    404
  PATCH /orders/{orderId}                   orders:write     401     yes    403    yes    404
  GET /orders/{orderId}/items               orders:read      401     yes    403    yes    404
  GET /orders/{orderId}/items/{itemId}      orders:read      401     yes    403    yes    404
  GET /orders/{orderId}/shipping            orders:read      401     yes    403    yes    404
  PUT /orders/{orderId}/shipping            orders:write     401     yes    403    yes    404
  PUT /orders/{orderId}/shipping PARCEL     orders:write     401     403*   403    yes    404
  PATCH /orders/{orderId}/shipping          orders:write     401     yes    403    yes    404
  PATCH /orders/{orderId}/shipping PARCEL   orders:write     401     403*   403    yes    404
  GET /payments/{paymentId}                 orders:read      401     yes    403    yes    404
  GET /orders/{orderId}/refunds             orders:read      401     403    403    yes    403
  POST /orders/{orderId}/refunds            refunds:write    401     403    403    yes    403
  GET /orders/{orderId}/refunds/{refundId}  orders:read      401     403    403    yes    403
  GET /orders/{orderId}/parcels             orders:read      401     yes    403    yes    404
  POST /orders/{orderId}/parcels            orders:write     401     403    403    yes    403
  GET /orders/{orderId}/parcels/{parcelId}  orders:read      401     yes    403    yes    404
  PATCH /orders/{orderId}/parcels/{parcelId}  orders:write   401     403    403    yes    403
  DELETE /orders/{orderId}/parcels/{parcelId}  orders:write  401     403    403    yes    403
  GET /orders/{orderId}/returns             orders:read      401     yes    403    yes    404
  POST /orders/{orderId}/returns            orders:write     401     yes    403    yes    404
  GET /orders/{orderId}/returns/{returnId}  orders:read      401     yes    403    yes    404
  PATCH /orders/{orderId}/returns/{returnId}  returns:write  401     403    403    yes    403
  POST /withdrawals                         -                yes     yes    yes    yes    -
  POST /payment-notifications               -                400*    400*   400*   400*   -
  GET /purchases                            purchases:read   401     own    own    yes    -
  GET /purchases?user_id=OWNER              purchases:read   401     yes    403*   yes    -
  GET /purchases/{purchaseId}               purchases:read   401     yes    403    yes    404

  GET /api-keys                             keys:write       401     own    own    yes    -
  GET /api-keys?user_id=OWNER               keys:write       401     yes    403*   yes    -
  POST /api-keys                            keys:write       401     yes    yes    yes    -
  GET /api-keys/{keyId}                     keys:write       401     yes    403    yes    404
  PATCH /api-keys/{keyId}                   keys:write       401     yes    403    yes    404
  DELETE /api-keys/{keyId}                  keys:write       401     yes    403    yes    404
  POST /api-keys/{keyId}/rotations          keys:write       401     yes    403    403*   404
  GET /oauth-clients                        keys:write       401     403    403    yes    -
  POST /oauth-clients                       keys:write       401     403    403    yes    -
  GET /oauth-clients/{oauthClientId}        keys:write       401     403    403    yes    403
  PUT /oauth-clients/{oauthClientId}        keys:write       401     403    403    yes    403
  PATCH /oauth-clients/{oauthClientId}      keys:write       401     403    403    yes    403
  DELETE /oauth-clients/{oauthClientId}     keys:write       401     403    403    yes    403
  POST /oauth-clients/{oauthClientId}/rotations  keys:write  401     403    403    yes    403
  GET /oauth-consents                       keys:write       401     own    own    own    -
  GET /oauth-consents?user_id=OWNER         keys:write       401     yes    403*   yes    -
  GET /oauth-consents/{consentId}           keys:write       401     yes    403    yes    404
  DELETE /oauth-consents/{consentId}        keys:write       401     yes    403    yes    404
  GET /events                               events:read      401     403    403    yes    -
  GET /events/{eventId}                     events:read      401     403    403    yes    403
  POST /imports                             imports:write    401     403    403    yes    -
  GET /imports/templates/{resource}         imports:write    401     403    403    yes    -
  GET /operations                           imports:write    401     403    403    yes    -
  GET /operations/{operationId}             imports:write    401     403    403    yes    403
  DELETE /operations/{operationId}          imports:write    401     403    403    yes    403
  GET /operations/{operationId}/errors      imports:write    401     403    403    yes    403
  GET /webhooks                             webhooks:write   401     403    403    yes    -
  POST /webhooks                            webhooks:write   401     403    403    yes    -
  GET /webhooks/{webhookId}                 webhooks:write   401     403    403    yes    403
  PATCH /webhooks/{webhookId}               webhooks:write   401     403    403    yes    403
  DELETE /webhooks/{webhookId}              webhooks:write   401     403    403    yes    403
  POST /webhooks/{webhookId}/rotations      webhooks:write   401     403    403    yes    403
  POST /webhooks/{webhookId}/tests          webhooks:write   401     403    403    yes    403
  GET /webhooks/{webhookId}/deliveries      webhooks:write   401     403    403    yes    403
  GET /webhooks/{webhookId}/deliveries/{deliveryId}  webhooks:write  401  403  403  yes  403
  POST /webhooks/{webhookId}/deliveries/{deliveryId}/retries  webhooks:write  401  403  403  yes  403
  GET /audit-events                         users:read       401     403    403    yes    -
  GET /audit-events/{eventId}               users:read       401     403    403    yes    403
`

/** The statuses of anonymous requests to OAuth, which has its own rules (RFC 6749, RFC 7662). */
const oauth = `
  GET /.well-known/openid-configuration         200
  GET /.well-known/oauth-authorization-server   200
  GET /oauth/jwks                               200
  GET /oauth/authorize                          400
  POST /oauth/authorize                         303
  GET /oauth/authorize/{uid}                    400
  GET /oauth/interaction/{uid}                  400
  POST /oauth/interaction/{uid}                 400
  POST /oauth/token                             400
  GET /oauth/userinfo                           401
  POST /oauth/userinfo                          401
  POST /oauth/introspect                        400
  POST /oauth/revoke                            400
  GET /oauth/logout                             303
  POST /oauth/logout                            303
  POST /oauth/logout/confirm                    200
  GET /oauth/logout/success                     200
`

const callers = ['anonymous', 'owner', 'other', 'admin'] as const
type Caller = (typeof callers)[number]

interface Row {
  readonly name: string
  readonly operation: string
  readonly query: string
  readonly variant: string | undefined
  readonly scope: string
  readonly cells: Readonly<Record<Caller, string>>
  readonly absent: string
}

const rows: readonly Row[] = matrix
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('request'))
  .map((line) => {
    const [method = '', target = '', ...rest] = line.split(/ +/)
    const variant = rest.length === 7 ? rest.shift() : undefined
    const [scope = '', anonymous = '', owner = '', other = '', admin = '', absent = ''] = rest
    assert.equal(rest.length, 6, line)
    const [path = '', query] = target.split('?')
    return {
      name: [method, target, variant].join(' ').trim(),
      operation: `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      query: query === undefined ? '' : `?${query}`,
      variant,
      scope,
      cells: { anonymous, owner, other, admin },
      absent,
    }
  })

const isAllowed = (cell: string): boolean => cell === 'yes' || cell === 'own'

/** The access that a route declares; `yes` also for callers that the action itself may reject. */
function declared({ access }: Route, caller: Caller): string {
  if (access.kind === 'no-authentication' || access.kind === 'optional-authentication') return 'yes'
  if (caller === 'anonymous') return '401'
  if (access.kind === 'signed-in' || caller === 'admin') return 'yes'
  return access.kind === 'admin' || caller === 'other' ? '403' : 'yes'
}

const adminFields = { ROLE: ['role', 'status'], PARCEL: ['status', 'carrier'], HIDDEN: ['status'] }
const adminFieldNames = new Set([
  ...Object.values(adminFields).flat(),
  ...['tracking_number', 'tracking_url'],
])

/** The body of a row; only rows about administrator fields contain them. */
function bodyForRow({ variant, operation }: Row, json: unknown): unknown {
  if (variant === 'ROLE') return { ...(json as object), role: 'admin' }
  if (variant === 'HIDDEN') return { ...(json as object), status: 'hidden' }
  if (
    json === undefined ||
    variant === 'PARCEL' ||
    !/ \/users$| \/users\/:id$|shipping$/.test(operation)
  )
    return json
  return Object.fromEntries(
    Object.entries(json as object).filter(([name]) => !adminFieldNames.has(name)),
  )
}

eachDatabase((kind) => {
  let contract: ContractApp
  let routes: ReadonlyMap<string, Route>
  before(async () => {
    contract = await startContractApp(kind)
    routes = new Map(contract.routes.map((route) => [`${route.method} ${route.path}`, route]))
  })
  after(() => contract.shop.dispose())

  const tokenOf = (caller: Caller, { owner, admin }: Fixtures): string | undefined => {
    const people: Readonly<Record<Caller, TestCaller | undefined>> = {
      anonymous: undefined,
      owner,
      other: contract.stranger,
      admin,
    }
    return people[caller]?.token
  }
  const routeOf = ({ operation }: Row): Route => {
    const route = routes.get(operation)
    assert.ok(route, `there is no ${operation}`)
    return route
  }
  const buildRequest = (row: Row, fixtures: Fixtures, token: string | undefined): RequestSpec => {
    const spec = validRequest(routeOf(row), fixtures)
    const url = spec.url + row.query.replace('OWNER', String(fixtures.owner.id))
    if (spec.payload !== undefined) return { ...spec, token }
    const json = bodyForRow(row, spec.json)
    if (spec.payload !== undefined) return { ...spec, url, token }
    return { method: spec.method, url, token, ...(json === undefined ? {} : { json }) }
  }
  const everyRow = async (
    matches: (row: Row) => boolean,
    check: (row: Row) => Promise<void>,
  ): Promise<void> => {
    const failures: string[] = []
    const matching = rows.filter(matches)
    assert.ok(matching.length > 0)
    for (const row of matching) {
      await check(row).catch((error: Error) => failures.push(`${row.name}: ${error.message}`))
    }
    assert.equal(failures.length, 0, `\n${failures.join('\n')}`)
  }
  const assertCell = (cell: string, { status, text }: TestResponse, caller: string): void => {
    const expected = cell.replace('*', '')
    const isExpected = isAllowed(cell) ? status < 300 : String(status) === expected
    assert.ok(isExpected, `${caller} should get ${cell}, but got ${status} ${text.slice(0, 300)}`)
  }

  test('the matrix contains exactly the declared routes', () => {
    const named = rows.map(({ operation }) => operation)
    assert.deepEqual([...new Set(named)].sort(), [...routes.keys()].sort())
  })

  test('every route declares the access of the matrix', async () => {
    await everyRow(
      ({ cells }) => cells.owner !== '404',
      async (row) => {
        const route = routeOf(row)
        assert.equal('scope' in route.access ? route.access.scope : '-', row.scope)
        for (const caller of callers) {
          const cell = row.cells[caller]
          // The action may be stricter than its route, never more permissive.
          const expected = cell.endsWith('*') || isAllowed(cell) || cell === '404' ? 'yes' : cell
          assert.equal(declared(route, caller), expected, caller)
        }
      },
    )
  })

  test('every refusal of the matrix happens to an otherwise valid request', async () => {
    await everyRow(
      () => true,
      async (row) => {
        for (const caller of callers) {
          const cell = row.cells[caller]
          if (isAllowed(cell)) continue
          const { fixtures } = contract
          const answer = await contract.send(buildRequest(row, fixtures, tokenOf(caller, fixtures)))
          assertCell(cell, answer, caller)
        }
      },
    )
  })

  test('a credential without the required scope is rejected for every role', async () => {
    await everyRow(
      ({ scope }) => scope !== '-',
      async (row) => {
        const { fixtures, shop } = contract
        for (const caller of ['owner', 'admin'] as const) {
          const route = routeOf(row)
          const others = scopes.filter((scope) => scope !== row.scope)
          const token = await scopedToken(shop, fixtures[caller], others)
          const { status, json } = await contract.send(buildRequest(row, fixtures, token))
          assert.equal(status, 403, `${caller} at ${route.path}`)
          const isPermitted = declared(route, caller) === 'yes'
          assert.equal(json.error_code, isPermitted ? '4033' : '4031', caller)
        }
      },
    )
  })

  test('a guest may not do what another customer may not, nor what needs an account', async () => {
    await everyRow(
      ({ cells }) => cells.other !== '-',
      async (row) => {
        const { shop } = contract
        // A token of a mail can be used once.
        const usesUp = row.operation.startsWith('PUT ') && row.operation.endsWith('/:token')
        const fixtures = usesUp ? await contract.freshFixtures(routeOf(row)) : contract.fixtures
        const guest = await startGuest(shop)
        const { status, text } = await contract.send(buildRequest(row, fixtures, guest.token))
        const isInScope =
          row.scope === '-' || scopesOfRole('guest').some((scope) => scope === row.scope)
        if (!isInScope) assert.equal(status, 403, text)
        else if (!isAllowed(row.cells.other))
          assert.equal(String(status), row.cells.other.replace('*', ''))
        else assert.ok(status !== 403 || /password is wrong/.test(text), text)
      },
    )
  })

  test('an absent resource answers the status of the matrix', async () => {
    await everyRow(
      ({ absent }) => absent !== '-',
      async (row) => {
        const { fixtures, stranger } = contract
        const spec = buildRequest(row, fixtures, stranger.token)
        const url = spec.url.replace(/\d+/, '999999999')
        assertCell(row.absent, await contract.send({ ...spec, url }), 'another customer')
        const byAdmin = await contract.send({ ...spec, url, token: fixtures.admin.token })
        assert.equal(byAdmin.status, 404, `admin got ${byAdmin.status}`)
      },
    )
  })

  test('permitted reads succeed and `own` lists hold only entities of the caller', async () => {
    await everyRow(
      ({ operation }) => operation.startsWith('GET '),
      async (row) => {
        const { fixtures, stranger } = contract
        for (const caller of callers) {
          const cell = row.cells[caller]
          if (!isAllowed(cell)) continue
          const answer = await contract.send(buildRequest(row, fixtures, tokenOf(caller, fixtures)))
          assertCell(cell, answer, caller)
          if (cell !== 'own') continue
          const own = {
            anonymous: 0,
            owner: fixtures.owner.id,
            other: stranger.id,
            admin: fixtures.admin.id,
          }
          for (const { user_id } of answer.json.data) assert.equal(user_id, own[caller], caller)
        }
      },
    )
  })

  test('permitted writes succeed', async () => {
    await everyRow(
      ({ operation }) => !operation.startsWith('GET '),
      async (row) => {
        for (const caller of callers) {
          if (!isAllowed(row.cells[caller])) continue
          const fixtures = await contract.freshFixtures(routeOf(row))
          const answer = await contract.send(buildRequest(row, fixtures, tokenOf(caller, fixtures)))
          assertCell(row.cells[caller], answer, caller)
        }
      },
    )
  })

  test('the OAuth routes are exactly the listed ones, with these statuses for anonymous requests', async () => {
    const { shop } = contract
    const expected = oauth.trim().split(/\n */)
    const found: string[] = []
    for (const { method, path } of shop.oauth.routes) {
      const url = path.replace(':uid', 'unknown')
      const { statusCode } = await shop.app.inject({ method: method as 'GET', url })
      found.push(`${method} ${path.replace(':uid', '{uid}')} ${statusCode}`)
    }
    assert.deepEqual(found.sort(), expected.map((line) => line.replaceAll(/ +/g, ' ')).sort())
  })
})
