import type { Generated } from 'kysely'
import type { AuditAction } from '#values/audit-action.ts'
import type { CountTables } from './count-tables.ts'
import type { ApiKeyRow, ApiKeySecretRow, DigestNonceRow, KnownNetworkRow } from './key-tables.ts'
import type {
  OauthClientRow,
  OauthConsentRow,
  OauthKeyRow,
  OauthPayloadRow,
} from './oauth-tables.ts'

/** A row of `users`; `email_key` and `username_key` are the lower-cased forms that are unique. */
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
 * A row of `products`; a `stock` of null is not counted, `search_text` has the words that `q` looks
 * for, a space before each, and
 * `rating_average` is null as long as there is no review.
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

/** A row of `product_words`: which products of a block have a word that begins so; see `id-set`. */
export interface ProductWordRow {
  word: string
  block: number
  ids: string
}

/** A row of `carts`, one a user, whose revision grows with each change of its items. */
export interface CartRow {
  user_id: number
  revision: Generated<number>
  created_at: number
  updated_at: number
}

/** A row of `cart_items`, one a product in a user's cart. */
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

/** A row of `order_items`: name and price as they were when the order was placed. */
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

/** A row of `payments`; `sequence` is the provider's last event seen. */
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

/** A row of `purchases`: one product bought through one order item. */
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
 * A row of `sessions`: a sign-in and what has become of it. Its refresh tokens have the same family,
 * and are good for as long as it has not ended. The family of a browser session of OAuth is the hash
 * of its name, and that of the sign-in page until the session begins.
 */
export interface SessionRow {
  id: Generated<number>
  user_id: number
  session_kind: Generated<'token' | 'browser'>
  family: string
  /** Where it was begun or renewed from last. */
  address: string | null
  ended_at: number | null
  expires_at: number
  revision: Generated<number>
  created_at: number
  updated_at: number
}

/** A row of `refresh_tokens`; only the token's hash is kept. */
export interface RefreshTokenRow {
  token_hash: string
  family: string
  user_id: number
  expires_at: number
  used_at: number | null
  created_at: number
}

/**
 * A row of `idempotency_keys`: what a caller was told under a key, or, without an answer, what the
 * work under way is about.
 */
export interface IdempotencyKeyRow {
  name: string
  fingerprint: string
  answer: string | null
  subject: number | null
  /** Who asked, and whose the thing is that was answered with; null for nobody known. */
  caller_id: number | null
  owner_id: number | null
  leased_until: number
  expires_at: number
}

/**
 * A row of `audit_events`: something that was done to an account or a credential; `details` is JSON.
 */
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

/** A row of `erasures`: that a user is to be erased, was, and has left nothing behind. */
export interface ErasureRow {
  user_id: number
  reason: string | null
  erase_at: number
  erased_at: number | null
  settled_at: number | null
  created_at: number
}

/** A row of `settings`: a named value the server keeps between starts. */
export interface SettingRow {
  name: string
  value: string
}

/** A row of `migrations`: a step of the schema that has been run. */
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
