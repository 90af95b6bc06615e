import type { Route } from '#http/declare/route.ts'
import { testPassword } from '#test/support/app.ts'
import { type Fixtures, fixturePrice, of } from './scene.ts'

/** Who calls: an administrator, a customer, or nobody known. */
export type Who = 'admin' | 'owner' | 'nobody'

type FromFixtures = (fixtures: Fixtures) => number

/** What the parameters of paths are filled with, by the path up to there. */
const named: Readonly<Record<string, FromFixtures>> = {
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

/** What stands there for one operation alone. */
const exceptions: Readonly<Record<string, FromFixtures>> = {
  'GET /users/:id/orders/:orderId/payment :orderId': ({ paidOrder }) => paidOrder,
  'POST /products/:productId/reviews :productId': ({ unreviewed }) => unreviewed,
}

/** Where a route lives in a scene; throws where nobody has said what fills its path. */
export const placeOf = ({ method, path }: Route, fixtures: Fixtures): string =>
  path.replace(/:\w+/g, (parameter, at: number) => {
    const prefix = path.slice(0, at + parameter.length)
    const fill = exceptions[`${method} ${path} ${parameter}`] ?? named[prefix]
    if (!fill)
      throw new Error(`test/contract/setup/fixtures.ts does not say what ${prefix} is filled with`)
    return String(fill(fixtures))
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
const changed = (fixtures: Fixtures) => ({ ...person(fixtures), current_password: testPassword })
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
const requestedLine = ({ unreviewed }: Fixtures) => ({
  items: [of(unreviewed)],
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

/** A body that every operation with one accepts, with every field that it may have. */
const bodies: Readonly<Record<string, (fixtures: Fixtures) => object>> = {
  'POST /users': person,
  'PUT /users/:id': changed,
  'PATCH /users/:id': changed,
  'POST /login': ({ owner: { username, refreshToken } }) => ({
    username,
    password: testPassword,
    refresh_token: refreshToken,
  }),
  'POST /products': product,
  'PUT /products/:productId': product,
  'PATCH /products/:productId': product,
  'POST /products/:productId/reviews': () => ({ rating: 5, title: 'Good', body: 'Very good.' }),
  'POST /users/:id/cart/items': ({ unreviewed }) => of(unreviewed),
  'POST /cart': ({ unreviewed }) => of(unreviewed),
  'PATCH /users/:id/cart/items/:itemId': () => ({ quantity: 3 }),
  'PATCH /orders/:orderId': () => ({ note: 'Ring twice.' }),
  'PATCH /users/:id/orders/:orderId': () => ({ note: 'Ring twice.' }),
  'POST /users/:id/orders': (fixtures) => ({
    ...requestedLine(fixtures),
    expected_total: fixturePrice,
  }),
  'PUT /users/:id/orders/:orderId': requestedLine,
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

/** A body that a route accepts from its `writer`; throws where nobody has given one. */
export function bodyOf({ method, path }: Route, fixtures: Fixtures): object {
  const body = bodies[`${method} ${path}`]
  if (!body) throw new Error(`test/contract/setup/fixtures.ts has no body for ${method} ${path}`)
  return body(fixtures)
}

// Fields that administrators alone may set are part of the bodies of these.
const forAdministrators = new Set(['POST /users', 'PUT /orders/:orderId/shipping'])

/** True where a narrower credential than a sign-in by password is refused: 403/4033. */
export const needsPassword = ({ access }: Route): boolean =>
  access.kind === 'admin' && access.fullSignIn === true

/** True where the body of a new entity holds fields that no narrower credential may set. */
export const holdsProtectedFields = ({ method, path }: Route): boolean =>
  `${method} ${path}` === 'POST /users'

/** Who may do all that a route does. */
export const writerOf = ({ access, method, path }: Route): Who => {
  if (access.kind === 'open') return 'nobody'
  return access.kind === 'admin' || forAdministrators.has(`${method} ${path}`) ? 'admin' : 'owner'
}

/** The access token of somebody; undefined for nobody. */
export const tokenOf = ({ admin, owner }: Fixtures, who: Who): string | undefined =>
  who === 'nobody' ? undefined : (who === 'admin' ? admin : owner).token
