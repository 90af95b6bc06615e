import { idempotencyKeys } from '#http/pipeline/idempotency/table.ts'
import { apiKeySecrets, apiKeys } from '#shop/access/api-keys/table.ts'
import { digestNonces } from '#shop/access/digest/table.ts'
import { oauthKeys } from '#shop/access/oauth/keys/table.ts'
import { oauthArtefacts } from '#shop/access/oauth/storage/table.ts'
import { oauthClients } from '#shop/access/oauth-clients/table.ts'
import { oauthConsents } from '#shop/access/oauth-consents/table.ts'
import { refreshTokens, sessions } from '#shop/access/sessions/table.ts'
import { knownNetworks } from '#shop/access/table.ts'
import { addresses } from '#shop/accounts/addresses/table.ts'
import { erasures } from '#shop/accounts/erasures/table.ts'
import { users, userWords } from '#shop/accounts/users/table.ts'
import { auditEvents } from '#shop/audit/table.ts'
import { categories } from '#shop/catalogue/categories/table.ts'
import { formerHandles } from '#shop/catalogue/handles/table.ts'
import { files, productImages } from '#shop/catalogue/images/table.ts'
import { productPrices } from '#shop/catalogue/prices/table.ts'
import { productAttributes } from '#shop/catalogue/products/attribute-table.ts'
import { products } from '#shop/catalogue/products/table.ts'
import { reviews } from '#shop/catalogue/reviews/table.ts'
import { productOptions } from '#shop/catalogue/variants/table.ts'
import { cartItems, carts } from '#shop/checkout/carts/table.ts'
import { discounts } from '#shop/checkout/discounts/discounts.ts'
import { discountUses } from '#shop/checkout/discounts/uses.ts'
import { shippingMethods } from '#shop/checkout/shipping-methods.ts'
import { taxRates } from '#shop/checkout/tax-rates.ts'
import { eventSinks } from '#shop/events/sinks/table.ts'
import { events, outbox } from '#shop/events/table.ts'
import {
  operationErrors,
  operationImages,
  operationParts,
  operationRows,
  operations,
} from '#shop/imports/table.ts'
import { accountTokens, mailRequests, mails } from '#shop/messages/mails/table.ts'
import { webhookDeliveries } from '#shop/messages/webhooks/delivery/table.ts'
import { webhooks } from '#shop/messages/webhooks/table.ts'
import { guestOrderJoins } from '#shop/orders/guest-orders/table.ts'
import { orderItems } from '#shop/orders/order-items/table.ts'
import { orders } from '#shop/orders/orders/table.ts'
import { parcels } from '#shop/orders/parcels/table.ts'
import { payments } from '#shop/orders/payments/table.ts'
import { purchases } from '#shop/orders/purchases/table.ts'
import { refunds } from '#shop/orders/refunds/table.ts'
import { returns } from '#shop/orders/returns/table.ts'
import { orderWords } from '#shop/orders/search/table.ts'
import { hostProcesses, migrations, settings } from '#store/own-tables.ts'
import { productWords } from '#store/search/table.ts'
import type { AnyTable } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'

/** Every table but those of counts, each after the tables to which it refers. */
const tables = {
  settings,
  migrations,
  host_processes: hostProcesses,
  users,
  user_words: userWords,
  refresh_tokens: refreshTokens,
  sessions,
  addresses,
  erasures,
  audit_events: auditEvents,
  api_keys: apiKeys,
  api_key_secrets: apiKeySecrets,
  digest_nonces: digestNonces,
  known_networks: knownNetworks,
  idempotency_keys: idempotencyKeys,
  oauth_clients: oauthClients,
  oauth_consents: oauthConsents,
  oauth_artefacts: oauthArtefacts,
  oauth_keys: oauthKeys,
  categories,
  products,
  former_handles: formerHandles,
  product_options: productOptions,
  product_attributes: productAttributes,
  product_prices: productPrices,
  product_words: productWords,
  files,
  product_images: productImages,
  reviews,
  shipping_methods: shippingMethods,
  tax_rates: taxRates,
  discounts,
  discount_uses: discountUses,
  carts,
  cart_items: cartItems,
  orders,
  order_words: orderWords,
  guest_order_joins: guestOrderJoins,
  order_items: orderItems,
  payments,
  parcels,
  refunds,
  returns,
  purchases,
  outbox,
  event_sinks: eventSinks,
  events,
  webhooks,
  webhook_deliveries: webhookDeliveries,
  mails,
  mail_requests: mailRequests,
  account_tokens: accountTokens,
  operations,
  operation_parts: operationParts,
  operation_errors: operationErrors,
  operation_images: operationImages,
  operation_rows: operationRows,
} satisfies {
  readonly [N in Exclude<keyof Tables, `${string}_counts` | `${string}_changes`>]: AnyTable
}

/** The tables whose rows the retention job deletes once the time in a column has come. */
export const expiringTables = Object.values<AnyTable>(tables).filter(
  ({ declaration: { kept } }) => typeof kept === 'object' && 'until' in kept,
)

/** The tables with columns that are encrypted. */
export const encryptedTables = Object.values<AnyTable>(tables).filter(
  ({ declaration }) => declaration.encrypted.length > 0,
)

/** All tables. */
export const allTables: readonly AnyTable[] = Object.values<AnyTable>(tables)

/** The tables with columns that follow from others. */
export const followingTables = allTables.filter(({ following }) => following.length > 0)

/** The declarations of all tables, in the order in which they are created. */
export const tableDeclarations = allTables.map(({ declaration }) => declaration)
