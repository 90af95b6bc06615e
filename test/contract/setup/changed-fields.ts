import { testPassword } from '#test/support/app.ts'
import { dayMs } from '#values/instant.ts'
import type { BodyValue } from './body-values.ts'
import type { Fixtures } from './fixture-ids.ts'
import { gtinOf } from './valid-requests.ts'

/** How the test of a field differs from that of others. */
interface FieldRule {
  /** Another valid value than `otherValue` makes; needed for a field that the valid body does not have. */
  readonly value?: (fixtures: Fixtures) => unknown
  /** Fields that go with it; undefined leaves one out. */
  readonly beside?: (fixtures: Fixtures) => Readonly<Record<string, unknown>>
  /** Why the response need not show the value. */
  readonly unseen?: string
  /** What null, which is not shown, stands for. */
  readonly nullUnseen?: string
  /** Why it is refused by an error that does not name it. */
  readonly refused?: string
}

const proof = { value: () => 'another password', refused: 'is not the password of the caller' }
const otherPassword = { value: () => 'a wholly different passphrase', unseen: 'a secret' }
const externalId = { value: ({ owner }: Fixtures) => `ERP-${owner.id}-NEXT` }
const attributes = { value: () => ({ Material: 'brass' }) }
const rateLimit = { value: () => '10/60s', refused: 'only an administrator sets it' }
const graceSeconds = { unseen: 'ends the former secret, which nothing shows' }
const withPassword = { beside: () => ({ current_password: testPassword }) }
const endOthers = { unseen: 'says what a new password ends; see the tests of passwords' }
const address_id = { unseen: 'names an address that is copied; see the tests of saved addresses' }
const countedStock = { unseen: 'in_stock and out_of_stock follow a counted stock' }
const discount_code = {
  value: ({ discountCode }: Fixtures) => `${discountCode}-NEXT`,
  unseen: 'is shown as the discount',
}
const firstImage = { unseen: 'is that of the first image, if there is one' }
const handle = { nullUnseen: 'the one that it has, or one made from its name' }
const description_html = {
  value: () => '<p>Holds <strong>four</strong> litres.</p>',
  beside: () => ({ description: undefined }),
}
const gtin = { value: ({ owner }: Fixtures) => gtinOf(10 ** 10 + owner.id) }
const unit = { 'unit_measure.quantity': { value: () => '2.5' } }
const ownOptions = { value: () => ({ size: 'of its own' }) }
const variant = {
  variant_of: {
    value: ({ parent }: Fixtures) => parent,
    beside: () => ({ options: ownOptions.value() }),
  },
  options: {
    ...ownOptions,
    beside: ({ parent }: Fixtures) => ({ variant_of: parent }),
  },
}
const user = {
  username: { nullUnseen: 'the email' },
  email: { value: ({ owner }: Fixtures) => `changed-${owner.id}@example.com` },
  password: otherPassword,
  role: { value: () => 'admin' },
  current_password: proof,
  end_others: endOthers,
  external_id: { value: () => 'CRM-1' },
}
const order = {
  'shipping.method': { value: () => 'standard' },
  'shipping.address_id': address_id,
  discount_code,
  expected_total: { refused: 'the total is another' },
  external_id: externalId,
}
const patchedOrder = { status: { value: () => 'cancelled' }, external_id: externalId }
const shipping = {
  method: { value: () => 'standard' },
  address_id,
  status: { refused: 'only a paid order is sent' },
}
const oauthClient = {
  post_logout_redirect_uris: { value: () => ['https://tracker.example/bye'] },
  scope: { value: () => 'openid orders:read' },
  grant_types: { value: () => ['authorization_code', 'client_credentials'] },
  response_types: { nullUnseen: 'those of the grant types' },
  user_id: { value: () => null },
  current_password: proof,
}
const declared = { unseen: 'whether there is such an order is a secret' }

const discount = { kind: { value: () => 'free_shipping', beside: () => ({ value: null }) } }
const category = { handle, parent_id: { value: () => null } }
const taxRate = {
  rate: { value: () => '10' },
  // One rate of all regions has each category.
  region: { beside: ({ owner }: Fixtures) => ({ category: `of ${owner.id}` }) },
}

/** The rules of the fields that need one, by operation and name. */
export const fieldRules: Readonly<Record<string, Readonly<Record<string, FieldRule>>>> = {
  'POST /products': {
    attributes,
    description_html,
    gtin,
    handle,
    ...unit,
    availability: countedStock,
    variant_of: { value: () => null, beside: () => ({ options: null }) },
    options: ownOptions,
  },
  'POST /products/:productId/variants': {
    attributes,
    description_html,
    gtin,
    handle,
    ...unit,
    availability: countedStock,
    options: ownOptions,
  },
  'PUT /products/:productId': {
    ...variant,
    attributes,
    description_html,
    gtin,
    handle,
    ...unit,
    availability: countedStock,
    image_url: firstImage,
  },
  'PATCH /products/:productId': {
    ...variant,
    attributes,
    description_html,
    gtin,
    handle,
    ...unit,
    image_url: firstImage,
  },
  'PATCH /products/:productId/images/:imageId': {
    position: { unseen: 'a single image is the first one' },
  },
  'PATCH /products/:productId/reviews/:reviewId': {
    status: { refused: 'only an administrator hides a review' },
  },
  'PATCH /users/:id/addresses/:addressId': { country: { value: () => 'HK' } },
  'POST /users': user,
  'PUT /users/:id': user,
  'PATCH /users/:id': {
    ...user,
    username: { ...user.username, ...withPassword },
    password: { ...otherPassword, ...withPassword },
  },
  'POST /login': {
    username: { refused: 'is not that of the password' },
    password: { refused: 'is not that of the username' },
    refresh_token: {
      value: () => 'unknown',
      beside: () => ({ username: undefined, password: undefined }),
      refused: 'is unknown',
    },
    guest_token: { value: () => 'unknown', refused: 'is unknown' },
  },
  'POST /password-resets': { email: { unseen: 'whether an address is known is a secret' } },
  'PUT /password-resets/:token': { password: otherPassword },
  'POST /withdrawals': {
    order_number: declared,
    email: declared,
    name: declared,
    items: declared,
  },
  'POST /user/delete': { password: proof, current_password: proof },
  'PUT /users/:id/cart/discount': { code: { refused: 'there is no such code' } },
  'POST /orders': order,
  'POST /users/:id/orders': {
    ...order,
    'items.quantity': { refused: 'the total is not expected_total' },
    'shipping.method': { ...order['shipping.method'], refused: 'the total is not expected_total' },
    discount_code: { value: () => 'NONE', refused: 'there is no such code' },
  },
  'PUT /users/:id/orders/:orderId': order,
  'PATCH /orders/:orderId': patchedOrder,
  'PATCH /users/:id/orders/:orderId': patchedOrder,
  'PATCH /orders/:orderId/shipping': shipping,
  'PUT /orders/:orderId/shipping': shipping,
  'POST /users/:id/orders/:orderId/payment': {
    token: { value: () => 'tok_declined', refused: 'the provider declines it' },
    return_url: { value: () => 'http://localhost:3000/back', unseen: 'is shown by an action only' },
  },
  'PATCH /orders/:orderId/returns/:returnId': {
    refund: { value: () => true, refused: 'nothing was received' },
  },
  'POST /orders/:orderId/refunds': {
    items: { unseen: 'excludes an amount; see the tests of refunds' },
    shipping: { value: () => true, beside: () => ({ amount: undefined }) },
    restock: { value: () => true },
  },
  'POST /api-keys': { rate_limit: rateLimit, current_password: proof },
  'PATCH /api-keys/:keyId': { rate_limit: rateLimit },
  'POST /api-keys/:keyId/rotations': { grace_seconds: graceSeconds, current_password: proof },
  'POST /oauth-clients': oauthClient,
  'PUT /oauth-clients/:oauthClientId': oauthClient,
  'PATCH /oauth-clients/:oauthClientId': oauthClient,
  'POST /oauth-clients/:oauthClientId/rotations': {
    grace_seconds: graceSeconds,
    current_password: proof,
  },
  'POST /discounts': discount,
  'PUT /discounts/:discountId': discount,
  'PATCH /discounts/:discountId': discount,
  'POST /categories': category,
  'PUT /categories/:categoryId': category,
  'PATCH /categories/:categoryId': category,
  'POST /tax-rates': taxRate,
  'PUT /tax-rates/:taxRateId': taxRate,
  'PATCH /tax-rates/:taxRateId': taxRate,
  'POST /webhooks': { secret: { value: () => `whsec_${'YmFy'.repeat(8)}`, unseen: 'a secret' } },
  'POST /webhooks/:webhookId/rotations': { grace_seconds: graceSeconds },
}

/** Returns another valid value for most fields. */
export function otherValue({ value, shape }: BodyValue): unknown {
  const { enum: words, format, maximum = Number.POSITIVE_INFINITY } = shape
  if (Array.isArray(value)) return value.length > 1 ? value.slice(1) : []
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value < maximum ? value + 1 : value - 1
  if (words) return words.find((word) => word !== value)
  if (format === 'country') return value === 'FR' ? 'GB' : 'FR'
  if (format === 'uri') return 'https://example.com/changed'
  if (format === 'email') return 'changed@example.com'
  if (shape.logical === 'instant') return new Date(Date.parse(String(value)) + dayMs).toISOString()
  return `${value}1`
}
