import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import {
  createIndex,
  createTable,
  id,
  integer,
  optionalInteger,
  optionalReal,
  optionalText,
  text,
} from './table-builder.ts'

const revision = integer((column) => column.defaultTo(1))
const zero = integer((column) => column.defaultTo(0))
const timestamps = { created_at: integer(), updated_at: integer() }

async function createUsers(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'users', {
    id,
    name: text(),
    email: optionalText(),
    email_key: optionalText(),
    age: optionalInteger(),
    username: optionalText(),
    username_key: optionalText(),
    password_hash: optionalText(),
    role: text((column) => column.defaultTo('customer')),
    status: text((column) => column.defaultTo('active')),
    revision,
    ...timestamps,
    deleted_at: optionalInteger(),
  })
  for (const key of ['email_key', 'username_key'] as const) {
    await createIndex(db, 'users', [key], { unique: true, where: sql`${sql.id(key)} is not null` })
  }
  await createIndex(db, 'users', ['created_at', 'id'])
  await createIndex(db, 'users', ['name', 'id'])
  await createIndex(db, 'users', ['updated_at', 'id'])
  await createIndex(db, 'users', ['role'])
  await createIndex(db, 'users', ['status'])
}

async function createProducts(db: Kysely<Tables>): Promise<void> {
  await createTable(
    db,
    'products',
    {
      id,
      name: text(),
      description: text((column) => column.defaultTo('')),
      sku: optionalText(),
      price_minor: integer(),
      category: optionalText(),
      availability: text(),
      stock: optionalInteger(),
      image_url: optionalText(),
      rating_sum: zero,
      rating_count: zero,
      rating_average: optionalReal,
      search_text: text(),
      revision,
      ...timestamps,
      deleted_at: optionalInteger(),
    },
    (table) => table.addCheckConstraint('products_stock_not_negative', sql`stock >= 0`),
  )
  await createIndex(db, 'products', ['sku'], { unique: true, where: sql`sku is not null` })
  await createIndex(db, 'products', ['category', 'id'])
  await createIndex(db, 'products', ['availability', 'id'])
  await createIndex(db, 'products', ['name', 'id'])
  await createIndex(db, 'products', ['price_minor', 'id'])
  await createIndex(db, 'products', ['created_at', 'id'])
  await createIndex(db, 'products', ['updated_at', 'id'])
  await createIndex(db, 'products', ['rating_average', 'id'], {
    nullsFirst: 'rating_average',
  })
}

async function createCarts(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'carts', {
    user_id: integer((column) => column.primaryKey().references('users.id')),
    revision,
    ...timestamps,
  })
  await createTable(db, 'cart_items', {
    id,
    user_id: integer(),
    product_id: integer(),
    quantity: integer(),
    ...timestamps,
  })
  await createIndex(db, 'cart_items', ['user_id', 'product_id'], { unique: true })
}

async function createOrders(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'orders', {
    id,
    user_id: optionalInteger(),
    status: text(),
    currency: text(),
    item_count: integer(),
    subtotal_minor: integer(),
    shipping_cost_minor: integer(),
    tax_minor: integer(),
    total_minor: integer(),
    note: optionalText(),
    expires_at: optionalInteger(),
    shipping_method: text(),
    recipient: optionalText(),
    line1: optionalText(),
    line2: optionalText(),
    city: optionalText(),
    region: optionalText(),
    postal_code: optionalText(),
    country: optionalText(),
    shipping_status: text((column) => column.defaultTo('pending')),
    carrier: optionalText(),
    tracking_number: optionalText(),
    tracking_url: optionalText(),
    shipped_at: optionalInteger(),
    delivered_at: optionalInteger(),
    revision,
    ...timestamps,
    deleted_at: optionalInteger(),
  })
  await createIndex(db, 'orders', ['user_id', 'id'])
  await createIndex(db, 'orders', ['status', 'id'])
  await createIndex(db, 'orders', ['created_at', 'id'])
  await createIndex(db, 'orders', ['updated_at', 'id'])
  await createIndex(db, 'orders', ['total_minor', 'id'])
  await createIndex(db, 'orders', ['expires_at'], { where: sql`status = 'pending'` })
}

async function createOrderItems(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'order_items', {
    id,
    order_id: integer((column) => column.references('orders.id')),
    product_id: integer(),
    name: text(),
    unit_price_minor: integer(),
    quantity: integer(),
    line_total_minor: integer(),
    created_at: integer(),
  })
  await createIndex(db, 'order_items', ['order_id'])
  await createIndex(db, 'order_items', ['product_id'])
}

async function createPayments(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'payments', {
    id,
    order_id: integer(),
    attempt_key: text(),
    method: text(),
    amount_minor: integer(),
    currency: text(),
    status: text(),
    provider: text(),
    provider_reference: optionalText(),
    failure: optionalText(),
    sequence: zero,
    refund_requested_at: optionalInteger(),
    settle_after: optionalInteger(),
    revision,
    ...timestamps,
  })
  await createIndex(db, 'payments', ['attempt_key'], { unique: true })
  await createIndex(db, 'payments', ['order_id'])
  await createIndex(db, 'payments', ['order_id'], {
    unique: true,
    where: sql`status in ('pending', 'succeeded')`,
  })
  await createIndex(db, 'payments', ['settle_after'], { where: sql`settle_after is not null` })
}

async function createPurchases(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'purchases', {
    id,
    user_id: optionalInteger(),
    product_id: integer(),
    order_id: integer(),
    order_item_id: integer(),
    quantity: integer(),
    unit_price_minor: integer(),
    purchased_at: integer(),
  })
  await createIndex(db, 'purchases', ['order_item_id'], { unique: true })
  await createIndex(db, 'purchases', ['user_id', 'id'])
  await createIndex(db, 'purchases', ['product_id', 'user_id'])
  await createIndex(db, 'purchases', ['product_id', 'order_id'])
  await createIndex(db, 'purchases', ['purchased_at', 'id'])
  await createIndex(db, 'purchases', ['order_id'])
}

async function createReviews(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'reviews', {
    id,
    product_id: integer(),
    user_id: optionalInteger(),
    author: optionalText(),
    rating: integer(),
    title: optionalText(),
    body: optionalText(),
    verified_purchase: zero,
    revision,
    ...timestamps,
  })
  await createIndex(db, 'reviews', ['product_id', 'user_id'], { unique: true })
  await createIndex(db, 'reviews', ['product_id', 'id'])
  await createIndex(db, 'reviews', ['user_id'])
}

async function createRefreshTokens(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'refresh_tokens', {
    token_hash: text((column) => column.primaryKey()),
    family: text(),
    user_id: integer(),
    expires_at: integer(),
    used_at: optionalInteger(),
    created_at: integer(),
  })
  await createIndex(db, 'refresh_tokens', ['family'])
  await createIndex(db, 'refresh_tokens', ['user_id'])
  await createIndex(db, 'refresh_tokens', ['expires_at'])
}

/** Creates the tables of the first release. */
export async function createInitialTables(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'migrations', {
    name: text((column) => column.primaryKey()),
    run_at: integer(),
  })
  await createUsers(db)
  await createProducts(db)
  await createCarts(db)
  await createOrders(db)
  await createOrderItems(db)
  await createPayments(db)
  await createPurchases(db)
  await createReviews(db)
  await createRefreshTokens(db)
  await createTable(db, 'settings', {
    name: text((column) => column.primaryKey()),
    value: text(),
  })
}
