import type { Generated } from 'kysely'
import type { AuditAction } from '#values/audit.ts'
import type { CountTables } from './count-tables.ts'
import type { ApiKeyRow, ApiKeySecretRow, DigestNonceRow, KnownNetworkRow } from './key-tables.ts'
import type {
  OauthClientRow,
  OauthConsentRow,
  OauthKeyRow,
  OauthPayloadRow,
} from './oauth-tables.ts'

/** A row of `users`; `email_key` and `username_key` are the unique forms made by `accountKey`. */
export interface UserRow {
  id: Generated<number>
  name: string
  email: string | null
  email_key: string | null
  age: number | null
  username: string | null
  username_key: string | null
  password_hash: string | null
  digest_secret: string | null
  role: Generated<'customer' | 'admin'>
  status: Generated<'active' | 'suspended'>
  revision: Generated<number>
  created_at: number
  updated_at: number
  deleted_at: number | null
}

/**
 * A row of `products`. A null `stock` is not limited; `search_text` holds the indexed words, each
 * after a space; `rating_average` is null while there is no review.
 */
export interface ProductRow {
  id: Generated<number>
  name: string
  description: Generated<string>
  sku: string | null
  price_minor: number
  category: string | null
  availability: 'in_stock' | 'out_of_stock' | 'preorder' | 'discontinued'
  stock: number | null
  image_url: string | null
  rating_sum: Generated<number>
  rating_count: Generated<number>
  rating_average: number | null
  search_text: string
  revision: Generated<number>
  created_at: number
  updated_at: number
  deleted_at: number | null
}

/** A row of `product_words`: the ids, within a block, of the products with a word or prefix. */
export interface ProductWordRow {
  word: string
  block: number
  ids: string
}

/** A row of `carts`: one per user; `revision` increases with each change of its items. */
export interface CartRow {
  user_id: number
  revision: Generated<number>
  created_at: number
  updated_at: number
}

/** A row of `cart_items`: one per product in a user's cart. */
export interface CartItemRow {
  id: Generated<number>
  user_id: number
  product_id: number
  quantity: number
  created_at: number
  updated_at: number
}

/** A row of `orders`; `user_id` is null once the buyer has been erased. */
export interface OrderRow {
  id: Generated<number>
  user_id: number | null
  status: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded'
  currency: string
  item_count: number
  subtotal_minor: number
  shipping_cost_minor: number
  tax_minor: number
  total_minor: number
  note: string | null
  expires_at: number | null
  shipping_method: 'standard' | 'express' | 'pickup'
  recipient: string | null
  line1: string | null
  line2: string | null
  city: string | null
  region: string | null
  postal_code: string | null
  country: string | null
  shipping_status: Generated<'pending' | 'in_transit' | 'delivered'>
  carrier: string | null
  tracking_number: string | null
  tracking_url: string | null
  shipped_at: number | null
  delivered_at: number | null
  revision: Generated<number>
  created_at: number
  updated_at: number
  deleted_at: number | null
}

/** A row of `order_items`: a product with its name and price when the order was placed. */
export interface OrderItemRow {
  id: Generated<number>
  order_id: number
  product_id: number
  name: string
  unit_price_minor: number
  quantity: number
  line_total_minor: number
  created_at: number
}

/** A row of `payments`; `sequence` is the number of the provider's last event applied. */
export interface PaymentRow {
  id: Generated<number>
  order_id: number
  attempt_key: string
  method: string
  amount_minor: number
  currency: string
  status: 'succeeded' | 'pending' | 'failed' | 'refunded'
  provider: string
  provider_reference: string | null
  failure: string | null
  sequence: Generated<number>
  refund_requested_at: number | null
  settle_after: number | null
  revision: Generated<number>
  created_at: number
  updated_at: number
}

/** A row of `purchases`: a product bought through an order item. */
export interface PurchaseRow {
  id: Generated<number>
  user_id: number | null
  product_id: number
  order_id: number
  order_item_id: number
  quantity: number
  unit_price_minor: number
  purchased_at: number
}

/** A row of `reviews`; `verified_purchase` is 0 or 1. */
export interface ReviewRow {
  id: Generated<number>
  product_id: number
  user_id: number | null
  author: string | null
  rating: number
  title: string | null
  body: string | null
  verified_purchase: Generated<number>
  revision: Generated<number>
  created_at: number
  updated_at: number
}

/**
 * A row of `sessions`: a sign-in. Its refresh tokens share its `family` and are valid until it ends.
 * The family of an OAuth browser session is the hash of its id, and the hash of the sign-in
 * page's id until the session begins.
 */
export interface SessionRow {
  id: Generated<number>
  user_id: number
  session_kind: Generated<'token' | 'browser'>
  family: string
  /** The network address of the last sign-in or renewal. */
  address: string | null
  ended_at: number | null
  expires_at: number
  revision: Generated<number>
  created_at: number
  updated_at: number
}

/** A row of `refresh_tokens`; only the token's hash is stored. */
export interface RefreshTokenRow {
  token_hash: string
  family: string
  user_id: number
  expires_at: number
  used_at: number | null
  created_at: number
}

/**
 * A row of `idempotency_keys`: the stored response to a key. While `answer` is null the request is
 * in progress, and `subject` is the id of the entity it works on.
 */
export interface IdempotencyKeyRow {
  name: string
  fingerprint: string
  answer: string | null
  subject: number | null
  /** The users who sent the request and who own the returned entity; null for anonymous. */
  caller_id: number | null
  owner_id: number | null
  leased_until: number
  expires_at: number
}

/** A row of `audit_events`: an action on an account or a credential; `details` is JSON. */
export interface AuditEventRow {
  id: Generated<number>
  action: AuditAction
  actor_id: number | null
  subject_id: number | null
  address: string | null
  credential: string | null
  request_id: string | null
  details: string | null
  at: number
}

/**
 * A row of `erasures`: when a user is to be erased, was erased, and when the last remnants outside
 * the tables were removed (`settled_at`).
 */
export interface ErasureRow {
  user_id: number
  reason: string | null
  erase_at: number
  erased_at: number | null
  settled_at: number | null
  created_at: number
}

/** A row of `settings`: a named value that the server keeps across restarts. */
export interface SettingRow {
  name: string
  value: string
}

/** A row of `migrations`: a migration that has run. */
export interface MigrationRow {
  name: string
  run_at: number
}

/** Every table of the database by name. */
export interface Tables extends CountTables {
  users: UserRow
  products: ProductRow
  product_words: ProductWordRow
  carts: CartRow
  cart_items: CartItemRow
  orders: OrderRow
  order_items: OrderItemRow
  payments: PaymentRow
  purchases: PurchaseRow
  reviews: ReviewRow
  refresh_tokens: RefreshTokenRow
  sessions: SessionRow
  digest_nonces: DigestNonceRow
  known_networks: KnownNetworkRow
  api_keys: ApiKeyRow
  api_key_secrets: ApiKeySecretRow
  idempotency_keys: IdempotencyKeyRow
  oauth_clients: OauthClientRow
  oauth_artefacts: OauthPayloadRow
  oauth_consents: OauthConsentRow
  oauth_keys: OauthKeyRow
  audit_events: AuditEventRow
  erasures: ErasureRow
  settings: SettingRow
  migrations: MigrationRow
}
