import type { Route } from '#http/declare/route.ts'
import { testPassword } from '#test/support/app.ts'
import { type Fixtures, fixturePrice, oneOf } from './fixtures.ts'

/** The callers of the contract tests; the owner is the customer of the fixtures. */
export type CallerName = 'admin' | 'owner' | 'anonymous'

type FromFixtures = (fixtures: Fixtures) => number

/** The value of each path parameter, by the path up to it. */
const pathParams: Readonly<Record<string, FromFixtures>> = {
  '/users/:id': ({ owner }) => owner.id,
  '/users/:id/cart/items/:itemId': ({ cartItem }) => cartItem,
  '/users/:id/orders/:orderId': ({ pendingOrder }) => pendingOrder,
  '/orders/:orderId': ({ pendingOrder }) => pendingOrder,
  '/orders/:orderId/items/:itemId': ({ orderItem }) => orderItem,
  '/payments/:paymentId': ({ payment }) => payment,
  '/api-keys/:keyId': ({ apiKey }) => apiKey,
  '/sessions/:sessionId': ({ session }) => session,
  '/products/:productId': ({ products }) => products[0] ?? 0,
  '/products/:productId/reviews/:reviewId': ({ review }) => review,
  '/oauth-clients/:oauthClientId': ({ oauthClient }) => oauthClient,
  '/oauth-consents/:consentId': ({ oauthConsent }) => oauthConsent,
  '/audit-events/:eventId': ({ auditEvent }) => auditEvent,
  '/purchases/:purchaseId': ({ purchase }) => purchase,
  '/problems/:code': () => 4041,
}

/** Values that differ for one operation. */
const pathParamOverrides: Readonly<Record<string, FromFixtures>> = {
  'GET /users/:id/orders/:orderId/payment :orderId': ({ paidOrder }) => paidOrder,
  'POST /products/:productId/reviews :productId': ({ unreviewed }) => unreviewed,
}

/** The path of a route with its parameters filled in; throws for an unknown parameter. */
export const resolvePath = ({ method, path }: Route, fixtures: Fixtures): string =>
  path.replace(/:\w+/g, (parameter, at: number) => {
    const prefix = path.slice(0, at + parameter.length)
    const getValue = pathParamOverrides[`${method} ${path} ${parameter}`] ?? pathParams[prefix]
    if (!getValue)
      throw new Error(`test/contract/setup/valid-requests.ts has no value for ${prefix}`)
    return String(getValue(fixtures))
  })

const person = (fixtures: Fixtures) => ({
  name: 'Ada Lovelace',
  email: `ada-${fixtures.owner.id}@example.com`,
  age: 36,
  username: `ada-${fixtures.owner.id}`,
  password: testPassword,
  role: 'customer',
  status: 'active',
})
const personChange = (fixtures: Fixtures) => ({
  ...person(fixtures),
  current_password: testPassword,
})
const product = ({ owner }: Fixtures) => ({
  name: 'Enamel pot',
  price: 12.5,
  description: 'Holds three litres.',
  sku: `POT-${owner.id}`,
  category: 'kitchen',
  availability: 'in_stock',
  stock: 12,
  image_url: 'https://example.com/pot.jpg',
})
const address = {
  line1: '12 St James’s Square',
  line2: 'Second floor',
  city: 'London',
  region: 'Greater London',
  postal_code: 'SW1Y 4JH',
  country: 'GB',
}
const shipping = { method: 'pickup', recipient: 'Ada Lovelace', address }
const orderBody = ({ unreviewed }: Fixtures) => ({
  items: [oneOf(unreviewed)],
  shipping,
  note: 'Ring twice.',
})
const parcel = {
  status: 'pending',
  carrier: 'Royal Mail',
  tracking_number: 'RM1',
  tracking_url: 'https://example.com/track/RM1',
}

const oauthClient = ({ admin }: Fixtures) => ({
  client_name: 'Parcel Tracker',
  application_type: 'native',
  redirect_uris: ['https://tracker.example/callback', 'http://127.0.0.1:8080/callback'],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_post',
  scope: 'openid profile orders:read',
  client_uri: 'https://tracker.example/',
  policy_uri: 'https://tracker.example/privacy',
  tos_uri: 'https://tracker.example/terms',
  contacts: ['dev@tracker.example'],
  user_id: admin.id,
})

/** A valid body with every field, for each operation that takes one. */
const bodies: Readonly<Record<string, (fixtures: Fixtures) => object>> = {
  'POST /users': person,
  'PUT /users/:id': personChange,
  'PATCH /users/:id': personChange,
  'POST /login': ({ owner: { username, refreshToken } }) => ({
    username,
    password: testPassword,
    refresh_token: refreshToken,
  }),
  'POST /products': product,
  'PUT /products/:productId': product,
  'PATCH /products/:productId': product,
  'POST /products/:productId/reviews': () => ({ rating: 5, title: 'Good', body: 'Very good.' }),
  'POST /users/:id/cart/items': ({ unreviewed }) => oneOf(unreviewed),
  'POST /cart': ({ unreviewed }) => oneOf(unreviewed),
  'PATCH /users/:id/cart/items/:itemId': () => ({ quantity: 3 }),
  'PATCH /orders/:orderId': () => ({ note: 'Ring twice.' }),
  'PATCH /users/:id/orders/:orderId': () => ({ note: 'Ring twice.' }),
  'POST /users/:id/orders': (fixtures) => ({
    ...orderBody(fixtures),
    expected_total: fixturePrice,
  }),
  'PUT /users/:id/orders/:orderId': orderBody,
  'PUT /orders/:orderId/shipping': () => ({ ...shipping, ...parcel }),
  'POST /users/:id/orders/:orderId/payment': ({ pendingTotal }) => ({
    method: 'card',
    token: 'tok_visa',
    amount: pendingTotal,
  }),
  'POST /oauth-clients': oauthClient,
  'PUT /oauth-clients/:oauthClientId': oauthClient,
  'PATCH /oauth-clients/:oauthClientId': oauthClient,
  'POST /oauth-clients/:oauthClientId/rotations': () => ({ grace_seconds: 3600 }),
  'POST /api-keys': () => ({
    name: 'Warehouse scanner',
    scopes: ['orders:read'],
    expires_at: '2036-01-31T12:00:00.000Z',
    allowed_addresses: ['192.0.2.0/24', '2001:db8::1'],
    allowed_origins: ['https://shop.example.com'],
  }),
  'POST /api-keys/:keyId/rotations': () => ({ grace_seconds: 3600 }),
  'POST /user/delete': () => ({ password: testPassword, reason: 'I buy elsewhere now.' }),
  'POST /payment-notifications': () => ({ any: 'thing' }),
}

/** A valid body for a route and its permitted caller; throws where none is declared here. */
export function validBody({ method, path }: Route, fixtures: Fixtures): object {
  const body = bodies[`${method} ${path}`]
  if (!body)
    throw new Error(`test/contract/setup/valid-requests.ts has no body for ${method} ${path}`)
  return body(fixtures)
}

// Their bodies hold fields that only administrators may set.
const adminOperations = new Set(['POST /users', 'PUT /orders/:orderId/shipping'])

/** True where only a sign-in by password is accepted; other credentials response 4033. */
export const needsPassword = ({ access }: Route): boolean =>
  access.kind === 'admin' && access.fullSignIn === true

/** True where the body holds fields that only a sign-in by password may set. */
export const holdsProtectedFields = ({ method, path }: Route): boolean =>
  `${method} ${path}` === 'POST /users'

/** The least privileged caller that may use every feature of a route. */
export const permittedCaller = ({ access, method, path }: Route): CallerName => {
  if (access.kind === 'open') return 'anonymous'
  return access.kind === 'admin' || adminOperations.has(`${method} ${path}`) ? 'admin' : 'owner'
}

/** The access token of a caller; undefined for `anonymous`. */
export const tokenOf = ({ admin, owner }: Fixtures, callerName: CallerName): string | undefined =>
  callerName === 'anonymous' ? undefined : (callerName === 'admin' ? admin : owner).token
