import type { Route } from '#http/declare/route.ts'
import type { Schema } from '#schema/keywords.ts'
import { testPassword } from '#test/support/app.ts'
import { validUpload as validImage } from '#test/support/images/uploads.ts'
import type { Fixtures } from './fixture-ids.ts'

/** The price of every fixture product. */
export const fixturePrice = 19.99

/** A cart or order line for one unit of a product. */
export const oneOf = (product_id: number) => ({ product_id, quantity: 1 })

/** The callers of the contract tests; the owner is the customer of the fixtures. */
export type CallerName = 'admin' | 'owner' | 'anonymous'

type FromFixtures = (fixtures: Fixtures) => number | string

/** The value of each path parameter, by the path up to it. */
const pathParams: Readonly<Record<string, FromFixtures>> = {
  '/users/:id': ({ owner }) => owner.id,
  '/users/:id/cart/items/:itemId': ({ cartItem }) => cartItem,
  '/users/:id/orders/:orderId': ({ pendingOrder }) => pendingOrder,
  '/orders/:orderId': ({ pendingOrder }) => pendingOrder,
  '/orders/:orderId/items/:itemId': ({ orderItem }) => orderItem,
  '/orders/:orderId/refunds/:refundId': ({ refund }) => refund,
  '/orders/:orderId/parcels/:parcelId': ({ parcel }) => parcel,
  '/orders/:orderId/returns/:returnId': ({ returned }) => returned,
  '/payments/:paymentId': ({ payment }) => payment,
  '/api-keys/:keyId': ({ apiKey }) => apiKey,
  '/sessions/:sessionId': ({ session }) => session,
  '/products/:productId': ({ products }) => products[0] ?? 0,
  '/products/:productId/reviews/:reviewId': ({ review }) => review,
  '/products/:productId/images/:imageId': ({ image }) => image,
  '/files/:fileName': ({ imageFile }) => imageFile,
  '/imports/templates/:resource': () => 'products',
  '/oauth-clients/:oauthClientId': ({ oauthClient }) => oauthClient,
  '/oauth-consents/:consentId': ({ oauthConsent }) => oauthConsent,
  '/audit-events/:eventId': ({ auditEvent }) => auditEvent,
  '/events/:eventId': ({ event }) => event,
  '/webhooks/:webhookId': ({ webhook }) => webhook,
  '/webhooks/:webhookId/deliveries/:deliveryId': ({ delivery }) => delivery,
  '/operations/:operationId': ({ operation }) => operation,
  '/purchases/:purchaseId': ({ purchase }) => purchase,
  '/shipping-methods/:shippingMethodId': ({ shippingMethod }) => shippingMethod,
  '/tax-rates/:taxRateId': ({ taxRate }) => taxRate,
  '/categories/:categoryId': ({ category }) => category,
  '/discounts/:discountId': ({ discount }) => discount,
  '/password-resets/:token': ({ resetToken }) => resetToken,
  '/email-confirmations/:token': ({ confirmationToken }) => confirmationToken,
  '/email-rejections/:token': ({ confirmationToken }) => confirmationToken,
  '/address-changes/:token': ({ undoToken }) => undoToken,
  '/problems/:code': () => 4041,
  '/sitemap/:part': () => 1,
}

/** Values that differ for one operation. */
const pathParamOverrides: Readonly<Record<string, FromFixtures>> = {
  'GET /users/:id/orders/:orderId/payment :orderId': ({ paidOrder }) => paidOrder,
  'GET /orders/:orderId/refunds :orderId': ({ paidOrder }) => paidOrder,
  'POST /orders/:orderId/refunds :orderId': ({ paidOrder }) => paidOrder,
  'GET /orders/:orderId/refunds/:refundId :orderId': ({ paidOrder }) => paidOrder,
  'GET /orders/:orderId/parcels :orderId': ({ sentOrder }) => sentOrder,
  'POST /orders/:orderId/parcels :orderId': ({ sentOrder }) => sentOrder,
  'GET /orders/:orderId/parcels/:parcelId :orderId': ({ sentOrder }) => sentOrder,
  'PATCH /orders/:orderId/parcels/:parcelId :orderId': ({ sentOrder }) => sentOrder,
  'DELETE /orders/:orderId/parcels/:parcelId :orderId': ({ sentOrder }) => sentOrder,
  'GET /orders/:orderId/returns :orderId': ({ sentOrder }) => sentOrder,
  'POST /orders/:orderId/returns :orderId': ({ sentOrder }) => sentOrder,
  'GET /orders/:orderId/returns/:returnId :orderId': ({ sentOrder }) => sentOrder,
  'PATCH /orders/:orderId/returns/:returnId :orderId': ({ sentOrder }) => sentOrder,
  'POST /products/:productId/reviews :productId': ({ unreviewed }) => unreviewed,
  'POST /users/:id/email-confirmations :id': ({ unconfirmed }) => unconfirmed,
  'GET /products/:productId/variants :productId': ({ parent }) => parent,
  'POST /products/:productId/variants :productId': ({ parent }) => parent,
}

/** The path of a route with its parameters filled in; throws for an unknown parameter. */
export const resolvePath = ({ method, path }: Route, fixtures: Fixtures): string =>
  path.replace(/:\w+/g, (parameter, at: number) => {
    const prefix = path.slice(0, at + parameter.length)
    const getValue = pathParamOverrides[`${method} ${path} ${parameter}`] ?? pathParams[prefix]
    return String(getValue ? getValue(fixtures) : fixtures.plain(prefix))
  })

/** The routes that create what needs no fixture of its own: the example of its body is enough. */
export const plainCreations = (routes: readonly Route[]): readonly Route[] => {
  const items = new Set(routes.map(({ path }) => path).filter((path) => !pathParams[path]))
  return routes.filter(
    (route) =>
      route.method === 'POST' &&
      !bodies[`POST ${route.path}`] &&
      [...items].some((path) => /^\/:\w+$/.test(path.replace(route.path, ''))),
  )
}

const person = (fixtures: Fixtures) => ({
  name: 'Ada Lovelace',
  email: `ada-${fixtures.owner.id}@example.com`,
  age: 36,
  username: `ada-${fixtures.owner.id}`,
  password: testPassword,
  role: 'customer',
  status: 'active',
  language: 'fr',
  external_id: null,
  phone: '+44 20 7946 0000',
})
const personChange = (fixtures: Fixtures) => ({
  ...person(fixtures),
  current_password: testPassword,
})
/** Returns a GTIN of 13 digits for a number of at most 11. */
export function gtinOf(number: number): string {
  const digits = `2${String(number).padStart(11, '0')}`
  const sum = [...digits].reduce((all, digit, at) => all + Number(digit) * (at % 2 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

const product = ({ owner }: Fixtures) => ({
  name: 'Enamel pot',
  price: 12.5,
  description: 'Holds three litres.',
  sku: `POT-${owner.id}`,
  category: 'kitchen',
  availability: 'in_stock',
  status: 'active',
  stock: 12,
  backorder: false,
  image_url: 'https://example.com/pot.jpg',
  handle: `pot-${owner.id}`,
  brand: 'Larkpost',
  tax_class: 'reduced',
  gtin: gtinOf(owner.id),
  external_id: `ERP-${owner.id}`,
  compare_at_price: 15.5,
  cost_price: 4.5,
  weight_grams: 850,
  unit_measure: { quantity: '0.75', unit: 'l' },
  requires_shipping: true,
  tags: ['summer', 'sale'],
  attributes: { Material: 'steel', Litres: 3, Lid: true, Colours: ['red', 'white'] },
  seo_title: 'Enamel pot, 3 l',
  seo_description: 'A pot that holds three litres.',
})
const address = {
  line1: '12 St James’s Square',
  line2: 'Second floor',
  city: 'London',
  region: 'Greater London',
  postal_code: 'SW1Y 4JH',
  country: 'GB',
}
const contact = { company: 'Engines Ltd', vat_id: 'GB123456789', phone: '+44 20 7946 0000' }
const shipping = { method: 'pickup', recipient: 'Ada Lovelace', ...contact, address }
const orderBody = ({ unreviewed }: Fixtures) => ({
  items: [oneOf(unreviewed)],
  shipping,
  note: 'Ring twice.',
  external_id: null,
})
const orderChange = () => ({ status: 'pending', note: 'Please ring twice.', external_id: null })
const tracking = {
  carrier: 'Royal Mail',
  tracking_number: 'RM1',
  tracking_url: 'https://example.com/track/RM1',
}
const parcel = { status: 'pending', ...tracking }
/** A carrier whose pages are not known, so that none follows from the number. */
const byBike = { ...tracking, carrier: 'City Bikes' }

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

const shippingMethod = (code: string) => ({
  code,
  name: 'Bicycle courier',
  countries: ['NL', 'BE'],
  price: 9.5,
  free_from: 100,
  delivery_days: 1,
  active: true,
})
const category = ({ owner, categoryAbove }: Fixtures) => ({
  name: `Lamps of ${owner.id}`,
  handle: `lamps-${owner.id}`,
  parent_id: categoryAbove,
  position: 2,
  description: 'To see by.',
})
const taxRate = ({ owner }: Fixtures) => ({
  country: 'NL',
  region: `region ${owner.id}`,
  category: 'books',
  tax_class: 'reduced',
  rate: '9',
  name: 'BTW',
})
const discount = ({ products }: Fixtures, code: string) => ({
  code,
  kind: 'amount',
  value: 2.5,
  minimum_subtotal: 10,
  products: [...products],
  categories: [],
  starts_at: '2026-01-01T00:00:00.000Z',
  ends_at: '2027-01-01T00:00:00.000Z',
  usage_limit: 100,
  usage_limit_per_user: 1,
  active: true,
})

const webhook = {
  url: 'https://127.0.0.1:9/warehouse',
  types: ['order.paid', 'product.*'],
  description: 'Warehouse',
  active: true,
}

/** A valid body with every field, for each operation that takes one. */
const bodies: Readonly<Record<string, (fixtures: Fixtures) => object>> = {
  'POST /users': person,
  'PUT /users/:id': personChange,
  'PATCH /users/:id': personChange,
  'POST /login': ({ owner: { username } }) => ({ username, password: testPassword }),
  'POST /guests': () => ({ name: 'Gina Lollo', email: 'gina@example.com' }),
  'POST /products': (fixtures) => ({
    ...product(fixtures),
    variant_of: fixtures.parent,
    options: { size: `Size of ${fixtures.owner.id}` },
  }),
  'POST /products/:productId/variants': (fixtures) => ({
    ...product(fixtures),
    options: { size: `New size of ${fixtures.owner.id}` },
  }),
  'PUT /products/:productId': product,
  'PATCH /products/:productId': product,
  'POST /users/:id/cart/items': ({ unreviewed }) => oneOf(unreviewed),
  'POST /cart': ({ unreviewed }) => oneOf(unreviewed),
  'POST /users/:id/orders': (fixtures) => ({
    ...orderBody(fixtures),
    expected_total: fixturePrice,
  }),
  'POST /orders': (fixtures) => ({
    ...orderBody(fixtures),
    discount_code: `${fixtures.discountCode}-NEXT`,
  }),
  'PUT /users/:id/orders/:orderId': orderBody,
  'PATCH /users/:id/orders/:orderId': orderChange,
  'PATCH /orders/:orderId': orderChange,
  'PUT /orders/:orderId/shipping': () => ({ ...shipping, ...parcel }),
  'PATCH /orders/:orderId/shipping': () => ({ ...shipping, ...parcel }),
  'POST /users/:id/orders/:orderId/payment': ({ pendingTotal }) => ({
    method: 'card',
    token: 'tok_visa',
    amount: pendingTotal,
  }),
  'POST /orders/:orderId/refunds': () => ({ amount: 0.01, reason: 'A scratch.' }),
  'POST /orders/:orderId/parcels': ({ sentItem }) => ({
    items: [{ order_item_id: sentItem, quantity: 1 }],
    ...byBike,
  }),
  'PATCH /orders/:orderId/parcels/:parcelId': () => ({ status: 'in_transit', ...byBike }),
  'POST /withdrawals': () => ({ order_number: '1', email: 'nobody@example.com', name: 'Nobody' }),
  'POST /orders/:orderId/returns': ({ sentItem }) => ({
    items: [{ order_item_id: sentItem, quantity: 1 }],
    kind: 'return',
    reason: 'Too small',
  }),
  'PATCH /orders/:orderId/returns/:returnId': () => ({
    status: 'requested',
    restock: false,
    reply: 'Please send it back.',
    refund: false,
  }),
  'PUT /users/:id/cart/discount': ({ discountCode }) => ({ code: `${discountCode}-NEXT` }),
  'PATCH /products/:productId/images/:imageId': () => ({ alt: 'A pot', position: 1 }),
  'POST /shipping-methods': ({ owner }) => shippingMethod(`courier-${owner.id}`),
  'PUT /shipping-methods/:shippingMethodId': ({ discountCode }) =>
    shippingMethod(discountCode.toLowerCase()),
  'PATCH /shipping-methods/:shippingMethodId': ({ discountCode }) =>
    shippingMethod(discountCode.toLowerCase()),
  'POST /categories': category,
  'PUT /categories/:categoryId': category,
  'PATCH /categories/:categoryId': category,
  'POST /tax-rates': taxRate,
  'PUT /tax-rates/:taxRateId': taxRate,
  'PATCH /tax-rates/:taxRateId': taxRate,
  'POST /discounts': (fixtures) => discount(fixtures, `NEW-${fixtures.owner.id}`),
  'PUT /discounts/:discountId': (fixtures) => discount(fixtures, fixtures.discountCode),
  'PATCH /discounts/:discountId': (fixtures) => discount(fixtures, fixtures.discountCode),
  'POST /oauth-clients': oauthClient,
  'PUT /oauth-clients/:oauthClientId': oauthClient,
  'PATCH /oauth-clients/:oauthClientId': oauthClient,
  'POST /api-keys': () => ({
    name: 'Warehouse scanner',
    scopes: ['orders:read'],
    expires_at: '2036-01-31T12:00:00.000Z',
    allowed_addresses: ['192.0.2.0/24', '2001:db8::1'],
    allowed_origins: ['https://shop.example.com'],
  }),
  'PATCH /api-keys/:keyId': () => ({ name: 'Checkout' }),
  'POST /webhooks': () => ({ ...webhook, secret: `whsec_${'Zm9v'.repeat(8)}` }),
  'PATCH /webhooks/:webhookId': () => webhook,
  'POST /user/delete': () => ({ password: testPassword, reason: 'I buy elsewhere now.' }),
  'POST /password-resets': ({ owner }) => ({ email: `reset-${owner.id}@example.com` }),
  'PUT /password-resets/:token': () => ({ password: 'a wholly different passphrase' }),
  'POST /payment-notifications': () => ({ any: 'thing' }),
}

/** A valid body for a route and its permitted caller; throws where none is declared here. */
export function validBody({ method, path, body: schema }: Route, fixtures: Fixtures): object {
  const body = bodies[`${method} ${path}`]
  if (body) return body(fixtures)
  return exampleBody((schema ?? {}) as Schema, `${method} ${path}`)
}

/** A body of the examples in its schema; throws for a required field without one. */
function exampleBody({ properties, required = [] }: Schema, operation: string): object {
  const entries = Object.entries(properties ?? {}).map(([name, field]) => {
    const value = exampleOf(field)
    if (value === undefined && required.includes(name))
      throw new Error(
        `${name} of ${operation} has no example, nor is a body in test/contract/setup/valid-requests.ts`,
      )
    return [name, value] as const
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const exampleOf = ({ examples, default: fallback, enum: values, type, anyOf }: Schema): unknown =>
  examples?.[0] ??
  fallback ??
  values?.[0] ??
  anyOf?.map(exampleOf).find((value) => value !== undefined) ??
  (type === 'boolean' ? true : undefined)

/** A valid query and body for each operation that takes an upload. */
const uploads: Readonly<
  Record<
    string,
    { readonly query: string; readonly type: string; readonly payload: string | Buffer }
  >
> = {
  'POST /products/:productId/images': {
    query: '',
    type: validImage.headers['content-type'],
    payload: validImage.payload,
  },
  'POST /imports': {
    query: '?resource=stock',
    type: 'text/csv',
    payload: 'sku,stock\r\nno such product,1\r\n',
  },
}

/** A valid query and body for a route that takes an upload; throws where none is declared here. */
export function validUpload({ method, path }: Route) {
  const found = uploads[`${method} ${path}`]
  if (found) return found
  throw new Error(`test/contract/setup/valid-requests.ts has no upload for ${method} ${path}`)
}

// Their bodies hold fields that only administrators may set.
const adminOperations = new Set([
  'POST /users',
  'POST /orders',
  'POST /users/:id/orders',

  'PUT /orders/:orderId/shipping',
  'PATCH /orders/:orderId/shipping',
])

/** True where only a sign-in by password is accepted; other credentials get 4033. */
export const needsPassword = ({ access }: Route): boolean =>
  access.kind === 'admin' && access.fullSignIn === true

/** True where the body holds fields that only a sign-in by password may set. */
export const holdsProtectedFields = ({ method, path }: Route): boolean =>
  `${method} ${path}` === 'POST /users'

/** The least privileged caller that may use every feature of a route. */
export const permittedCaller = ({ access, method, path }: Route): CallerName => {
  if (access.kind === 'no-authentication') return 'anonymous'
  return access.kind === 'admin' || adminOperations.has(`${method} ${path}`) ? 'admin' : 'owner'
}

/** The access token of a caller; undefined for `anonymous`. */
export const tokenOf = ({ admin, owner }: Fixtures, callerName: CallerName): string | undefined =>
  callerName === 'anonymous' ? undefined : (callerName === 'admin' ? admin : owner).token
