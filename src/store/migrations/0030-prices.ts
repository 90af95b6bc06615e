import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import {
  addColumn,
  createIndex,
  createTable,
  id,
  integer,
  optionalInteger,
  optionalText,
  text,
} from './table-builder.ts'

const changing = {
  id,
  revision: integer((column) => column.defaultTo(1)),
  created_at: integer(),
  updated_at: integer(),
  deleted_at: optionalInteger(),
}

const zero = integer((column) => column.defaultTo(0))

/** Creates the tables of shipping methods, tax rates and discounts, and what orders keep of them. */
export async function createPrices(db: Kysely<Tables>): Promise<void> {
  await createShippingMethods(db)
  await createTaxRates(db)
  await createDiscounts(db)
  await addColumn(db, 'carts', 'discount_code', optionalText())
  await addColumn(db, 'orders', 'discount_id', optionalInteger())
  await addColumn(db, 'orders', 'discount_code', optionalText())
  await addColumn(db, 'orders', 'discount_total_minor', zero)
  await addColumn(db, 'orders', 'shipping_tax_rate', zero)
  await addColumn(db, 'orders', 'shipping_tax_minor', zero)
  await addColumn(
    db,
    'orders',
    'prices_include_tax',
    integer((column) => column.defaultTo(1)),
  )
  await addColumn(db, 'orders', 'contact_name', optionalText())
  await addColumn(db, 'orders', 'contact_email', optionalText())
  await sql`update orders set
    contact_name = (select name from users where users.id = orders.user_id),
    contact_email = (select email from users where users.id = orders.user_id)
    where user_id is not null`.execute(db)
  await addColumn(db, 'order_items', 'sku', optionalText())
  await addColumn(db, 'order_items', 'category', optionalText())
  await addColumn(db, 'order_items', 'discount_minor', zero)
  await addColumn(db, 'order_items', 'tax_rate', zero)
  await addColumn(db, 'order_items', 'tax_minor', zero)
}

async function createShippingMethods(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'shipping_methods', {
    ...changing,
    code: text(),
    name: text(),
    countries: text(),
    price_minor: integer(),
    free_from_minor: optionalInteger(),
    delivery_days: optionalInteger(),
    active: integer(),
  })
  await createIndex(db, 'shipping_methods', ['code'], { unique: true, where: notDeleted })
}

async function createTaxRates(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'tax_rates', {
    ...changing,
    country: text(),
    region: optionalText(),
    region_key: text(),
    category: optionalText(),
    category_key: text(),
    rate: integer(),
    name: text(),
  })
  await createIndex(db, 'tax_rates', ['country', 'region_key', 'category_key'], {
    unique: true,
    where: notDeleted,
  })
}

async function createDiscounts(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'discounts', {
    ...changing,
    code: text(),
    code_key: text(),
    kind: text(),
    value: optionalInteger(),
    minimum_subtotal_minor: optionalInteger(),
    products: text(),
    categories: text(),
    starts_at: optionalInteger(),
    ends_at: optionalInteger(),
    usage_limit: optionalInteger(),
    usage_limit_per_user: optionalInteger(),
    active: integer(),
    used_count: zero,
  })
  await createIndex(db, 'discounts', ['code_key'], { unique: true, where: notDeleted })
  await createTable(db, 'discount_uses', {
    order_id: integer((column) => column.primaryKey()),
    discount_id: integer(),
    user_id: optionalInteger(),
    created_at: integer(),
  })
  await createIndex(db, 'discount_uses', ['discount_id', 'user_id'])
  // Erasing a user finds the uses of that user.
  await createIndex(db, 'discount_uses', ['user_id'])
}

const notDeleted = sql`deleted_at is null`
