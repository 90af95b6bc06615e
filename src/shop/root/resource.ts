import { hash } from 'node:crypto'
import type { Actor } from '#http/declare/actor.ts'
import { excessProblem } from '#http/declare/authority.ts'
import { optionalAuthentication, publicCache } from '#http/declare/policy.ts'
import { type Link, singleton } from '#http/declare/resource.ts'
import { read } from '#http/declare/route.ts'
import { versions } from '#http/message/api-versions.ts'
import { release } from '#http/server/release.ts'
import { webhookAuthority } from '#shop/messages/webhooks/rules.ts'
import type { Shop } from '#shop/shop.ts'
import type { Instant } from '#values/instant.ts'
import { Root } from './schema.ts'

/** Returns the path parameters of the caller's own resources, whose links only users see. */
const ownParams = ({ userId }: Actor) => (userId === null ? {} : { id: userId })
const isAnonymous = ({ role }: Actor): boolean => role === null
const isUser = ({ userId }: Actor): boolean => userId !== null

/** How a caller gets an account, or into it. */
const accessLinks = {
  sign_up: {
    to: 'users',
    operation: 'create',
    when: isAnonymous,
    body: () => ({ name: 'string', username: 'string', password: 'string' }),
  },
  start_as_guest: {
    to: 'guests',
    operation: 'create',
    when: isAnonymous,
    body: () => ({}),
  },
  login: {
    to: 'login',
    operation: 'create',
    body: () => ({ username: 'string', password: 'string' }),
  },
  reset_password: {
    to: 'password_reset_request',
    operation: 'create',
    when: isAnonymous,
    body: () => ({ email: 'string' }),
  },
} as const satisfies Readonly<Record<string, Link<Actor>>>

/** The operations of administrators that begin at no other resource. */
const creationLinks = {
  create_product: {
    to: 'products',
    operation: 'create',
    body: () => ({ name: 'string', price: 'number' }),
  },
  import: {
    to: 'imports',
    operation: 'create',
    query: () => '?resource=products',
    when: ({ scopes }) => scopes.has('products:write'),
  },
  create_shipping_method: {
    to: 'shipping_methods',
    operation: 'create',
    body: () => ({ code: 'string', name: 'string', price: 'number' }),
  },
  create_tax_rate: {
    to: 'tax_rates',
    operation: 'create',
    body: () => ({ country: 'string', rate: 'string', name: 'string' }),
  },
  create_discount: {
    to: 'discounts',
    operation: 'create',
    body: () => ({ code: 'string', kind: 'percent', value: 'string' }),
  },
  create_webhook: {
    to: 'webhooks',
    operation: 'create',
    when: (actor) =>
      excessProblem(actor, webhookAuthority({ audience: 'public', types: '[]' })) === undefined,
    // Whoever may set one up may read products.
    body: () => ({ url: 'string', types: ['product.*'] }),
  },
} as const satisfies Readonly<Record<string, Link<Actor>>>

function rootOf({ currency, currencyDigits, timeZone }: Shop, since: Instant) {
  const root = {
    ...release,
    api_versions: [...versions],
    currency,
    currency_digits: currencyDigits,
    time_zone: timeZone,
  }
  // Apart from the links, which the framework adds to the ETag, only another start changes it.
  const revision = hash('sha1', JSON.stringify(root), 'base64url')
  return singleton({
    // The element of the root in XML, and its type in OpenAPI.
    name: 'entry',
    description: 'The root of the API; its links lead to every resource the caller may use.',
    path: '/',
    schema: Root,
    load: async ({ actor }) => actor,
    pathParams: () => ({}),
    revision: () => revision,
    changedAt: () => [since],
    present: () => root,
    links: {
      products: { to: 'products' },
      categories: { to: 'categories' },
      ...accessLinks,
      profile: { to: 'profile' },
      sessions: { to: 'sessions', when: isUser },
      api_keys: { to: 'api_keys', when: isUser },
      oauth_consents: { to: 'oauth_consents', when: isUser },
      users: { to: 'users' },
      cart: { to: 'cart', when: isUser, params: ownParams },
      own_orders: { to: 'user_orders', when: isUser, params: ownParams },
      orders: { to: 'orders' },
      purchases: { to: 'purchases' },
      shipping_methods: { to: 'shipping_methods' },
      tax_rates: { to: 'tax_rates' },
      discounts: { to: 'discounts' },
      events: { to: 'events' },
      webhooks: { to: 'webhooks' },
      operations: { to: 'operations' },
      audit_events: { to: 'audit-events' },
      oauth_clients: { to: 'oauth_clients' },
      ...creationLinks,
      documentation: { to: 'docs' },
      openapi: { to: 'openapi' },
      problems: { to: 'problems' },
      health: { to: 'health_live' },
    },
  })
}

/** The route of the root of the API; `since` is its modification date, the start of the server. */
export const rootRoutes = (shop: Shop, since: Instant) => [
  read(rootOf(shop, since), {
    summary: 'Reads the root, whose links lead to every resource the caller may use.',
    access: optionalAuthentication,
    rateLimit: 'default',
    cache: publicCache,
  }),
]
