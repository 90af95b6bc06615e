import type { components, paths } from './openapi.ts'

/** The schemas of the API by name. */
export type Schemas = components['schemas']
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type OperationAt<P extends keyof paths, M extends Method> = paths[P] extends {
  readonly [K in Lowercase<M>]?: infer O
}
  ? NonNullable<O>
  : never

/** A method and a path of the API. */
export type Route = {
  [P in keyof paths]: {
    [M in Method]: [OperationAt<P, M>] extends [never] ? never : `${M} ${P}`
  }[Method]
}[keyof paths]

type OperationOf<R extends Route> =
  R extends `${infer M extends Method} ${infer P extends keyof paths}` ? OperationAt<P, M> : never
type JsonOf<T> = T extends { readonly content: { readonly 'application/json': infer J } }
  ? J
  : never
type AnswersOf<O> = O extends { readonly responses: infer A } ? A : never

/** The JSON that a route answers with; undefined if it answers without a body. */
export type AnswerOf<R extends Route> = [
  JsonOf<AnswersOf<OperationOf<R>>[keyof AnswersOf<OperationOf<R>> & (200 | 201 | 202)]>,
] extends [infer J]
  ? [J] extends [never]
    ? undefined
    : J
  : never

/** The JSON body that a route takes. */
export type BodyOf<R extends Route> =
  OperationOf<R> extends { readonly requestBody?: infer B } ? JsonOf<NonNullable<B>> : undefined

/** The query parameters that a route takes. */
export type QueryOf<R extends Route> =
  OperationOf<R> extends { readonly parameters: { readonly query?: infer Q } }
    ? NonNullable<Q>
    : never

/** The collections that `openShop` offers. */
export const collections = {
  products: '/products',
  categories: '/categories',
  orders: '/orders',
  payments: '/payments',
  purchases: '/purchases',
  users: '/users',
  sessions: '/sessions',
  apiKeys: '/api-keys',
  shippingMethods: '/shipping-methods',
  taxRates: '/tax-rates',
  discounts: '/discounts',
  webhooks: '/webhooks',
  events: '/events',
  auditEvents: '/audit-events',
} as const

/** What a link leads to, by its name, or by schema and name where the name alone does not say it. */
export const links = {
  add_item: 'POST /users/{id}/cart/items',
  add_to_cart: 'POST /cart',
  addresses: 'GET /users/{id}/addresses',
  apply_discount: 'PUT /users/{id}/cart/discount',
  cancel: 'PATCH /orders/{orderId}',
  cart: 'GET /users/{id}/cart',
  checkout: 'POST /users/{id}/orders',
  confirm_email: 'POST /users/{id}/email-confirmations',
  deliver: 'PATCH /orders/{orderId}',
  deliveries: 'GET /webhooks/{webhookId}/deliveries',
  erasure: 'POST /user/delete',
  hide: 'PATCH /products/{productId}/reviews/{reviewId}',
  make_default: 'PATCH /users/{id}/addresses/{addressId}',
  order: 'GET /orders/{orderId}',
  orders: 'GET /users/{id}/orders',
  parent: 'GET /products/{productId}',
  pay: 'POST /users/{id}/orders/{orderId}/payment',
  payments: 'GET /users/{id}/orders/{orderId}/payment',
  product: 'GET /products/{productId}',
  products: 'GET /products',
  profile: 'GET /profile',
  publish: 'PATCH /products/{productId}/reviews/{reviewId}',
  refund: 'PATCH /orders/{orderId}',
  refunds: 'GET /orders/{orderId}/refunds',
  register: 'PATCH /users/{id}',
  related_products: 'GET /products/{productId}/related',
  remove_discount: 'DELETE /users/{id}/cart/discount',
  retry: 'POST /webhooks/{webhookId}/deliveries/{deliveryId}/retries',
  reviews: 'GET /products/{productId}/reviews',
  sessions: 'GET /sessions',
  ship: 'PATCH /orders/{orderId}',
  shipping: 'GET /orders/{orderId}/shipping',
  status: 'GET /users/{id}/cart/status',
  test: 'POST /webhooks/{webhookId}/tests',
  user: 'GET /users/{id}',
  variants: 'GET /products/{productId}/variants',
  'ApiKey.rotate': 'POST /api-keys/{keyId}/rotations',
  'Cart.items': 'GET /users/{id}/cart/items',
  'OauthClient.rotate': 'POST /oauth-clients/{oauthClientId}/rotations',
  'Order.items': 'GET /orders/{orderId}/items',
  'Webhook.rotate': 'POST /webhooks/{webhookId}/rotations',
} as const satisfies Readonly<Record<string, Route>>
