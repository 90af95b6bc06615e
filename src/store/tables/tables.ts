import type { Generated, GeneratedAlways } from 'kysely'
import type { AuditAction } from '#values/audit.ts'
import type { CountTables } from './count-tables.ts'
import type { EventTables } from './event-tables.ts'
import type { FacetTables } from './facet-tables.ts'
import type { FileTable, ProductImageTable } from './file-tables.ts'
import type {
  ApiKeySecretTable,
  ApiKeyTable,
  DigestNonceTable,
  KnownNetworkTable,
} from './key-tables.ts'
import type { MailTables } from './mail-tables.ts'
import type {
  OauthClientTable,
  OauthConsentTable,
  OauthKeyTable,
  OauthPayloadTable,
} from './oauth-tables.ts'
import type { OperationTables } from './operation-tables.ts'
import type { OrderItemTable, OrderTable } from './order-tables.ts'
import type {
  DiscountTable,
  DiscountUseTable,
  ShippingMethodTable,
  TaxRateTable,
} from './price-tables.ts'
import type { RefundTable } from './refund-tables.ts'
import type {
  AddressTable,
  ErasureTable,
  RefreshTokenTable,
  SessionTable,
  UserTable,
} from './user-tables.ts'
import type { WebhookTables } from './webhook-tables.ts'

/**
 * The columns of `products`. A null `stock` is not limited; `search_text` holds the indexed words, each
 * after a space; `rating_average` is null while there is no review.
 */
export interface ProductTable {
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
  /** The parent of a variant; null for every other product. */
  variant_of: Generated<number | null>
  /** The options of a variant, as a JSON object, and the form in which they are unique. */
  options: Generated<string | null>
  options_key: Generated<string | null>
  /** The option names of a parent, as a JSON array; null without variants. */
  option_names: Generated<string | null>
  /** The number of variants that are not removed. */
  variant_count: Generated<number>
  /** The lowest price of the variants of a parent; null without variants to be sold. */
  price_from_minor: Generated<number | null>
  /** Its images in the order of their positions, as a JSON array; null without images. */
  images: Generated<string | null>
  /** 1 for a variant, else 0. */
  is_variant: GeneratedAlways<number>
  /** The price by which the product is filtered and sorted. */
  list_price_minor: GeneratedAlways<number>
  revision: Generated<number>
  created_at: number
  updated_at: number
  deleted_at: number | null
}

/** The columns of `product_words`: the ids, within a block, of the products with a word or prefix. */
export interface ProductWordTable {
  word: string
  block: number
  ids: string
}

/** The columns of `carts`: one per user; `revision` increases with each change of its items. */
export interface CartTable {
  user_id: number
  /** The code of a discount, as the buyer entered it. */
  discount_code: string | null
  /** The time of the last change, once a job has seen that it is a day ago. */
  idle_since: number | null
  revision: Generated<number>
  created_at: number
  updated_at: number
}

/** The columns of `cart_items`: one per product in a user's cart. */
export interface CartItemTable {
  id: Generated<number>
  user_id: number
  product_id: number
  quantity: number
  created_at: number
  updated_at: number
}

/** The columns of `payments`. */
export interface PaymentTable {
  id: Generated<number>
  order_id: number
  attempt_key: string
  method: string
  amount_minor: number
  currency: string
  status: 'succeeded' | 'pending' | 'action_required' | 'failed' | 'refunded'
  provider: string
  provider_reference: string | null
  failure: string | null
  /** What the buyer has to do, encrypted. */
  next_action: string | null
  /** The sums of the refunds that succeeded, and of those that are pending. */
  refunded_minor: Generated<number>
  refunding_minor: Generated<number>
  cancel_requested_at: number | null
  settle_after: number | null
  revision: Generated<number>
  created_at: number
  updated_at: number
}

/** The columns of `purchases`: a product bought through an order item. */
export interface PurchaseTable {
  id: Generated<number>
  user_id: number | null
  product_id: number
  order_id: number
  order_item_id: number
  quantity: number
  unit_price_minor: number
  purchased_at: number
  /** When the purchase of a guest became that of an account; null if it did not. */
  merged_at: number | null
  /** When pieces were last returned; null if none were. */
  returned_at: number | null
}

/**
 * The columns of `reviews`; `verified_purchase` is 0 or 1. A removed review keeps its author and status, but
 * no text.
 */
export interface ReviewTable {
  id: Generated<number>
  product_id: number
  user_id: number | null
  author: string | null
  rating: number
  title: string | null
  body: string | null
  verified_purchase: Generated<number>
  status: Generated<'published' | 'hidden'>
  revision: Generated<number>
  created_at: number
  updated_at: number
  deleted_at: number | null
}

/**
 * The columns of `idempotency_keys`: the stored response to a key. While `answer` is null the request is
 * in progress, and `subject` is the id of the entity it works on.
 */
export interface IdempotencyKeyTable {
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

/** The columns of `audit_events`: an action on an account or a credential; `details` is JSON. */
export interface AuditEventTable {
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

/** The columns of `settings`: a named value that the server keeps across restarts. */
export interface SettingTable {
  name: string
  value: string
}

/** The columns of `migrations`: a migration that has run. */
export interface MigrationTable {
  name: string
  run_at: number
}

/** Every table of the database by name. */
export interface Tables
  extends CountTables,
    EventTables,
    FacetTables,
    MailTables,
    OperationTables,
    WebhookTables {
  users: UserTable
  products: ProductTable
  product_words: ProductWordTable
  product_images: ProductImageTable
  files: FileTable
  carts: CartTable
  cart_items: CartItemTable
  orders: OrderTable
  order_items: OrderItemTable
  payments: PaymentTable
  refunds: RefundTable
  purchases: PurchaseTable
  reviews: ReviewTable
  refresh_tokens: RefreshTokenTable
  sessions: SessionTable
  addresses: AddressTable
  digest_nonces: DigestNonceTable
  known_networks: KnownNetworkTable
  api_keys: ApiKeyTable
  api_key_secrets: ApiKeySecretTable
  idempotency_keys: IdempotencyKeyTable
  oauth_clients: OauthClientTable
  oauth_artefacts: OauthPayloadTable
  oauth_consents: OauthConsentTable
  oauth_keys: OauthKeyTable
  audit_events: AuditEventTable
  erasures: ErasureTable
  shipping_methods: ShippingMethodTable
  tax_rates: TaxRateTable
  discounts: DiscountTable
  discount_uses: DiscountUseTable
  settings: SettingTable
  migrations: MigrationTable
}
