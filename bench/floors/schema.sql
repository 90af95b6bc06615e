-- The tables of the server that a checkout touches, with the indexes that it changes: what the database has to
-- do for an order is not what is being compared.
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL
) STRICT;

CREATE TABLE products (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  price_minor INTEGER NOT NULL,
  category TEXT,
  availability TEXT NOT NULL,
  stock INTEGER CHECK (stock >= 0),
  revision INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;
CREATE INDEX products_category ON products (category, id) WHERE deleted_at IS NULL;
CREATE INDEX products_availability ON products (availability, id) WHERE deleted_at IS NULL;
CREATE INDEX products_name ON products (name, id) WHERE deleted_at IS NULL;
CREATE INDEX products_price ON products (price_minor, id) WHERE deleted_at IS NULL;
CREATE INDEX products_created ON products (created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX products_updated ON products (updated_at, id) WHERE deleted_at IS NULL;

CREATE TABLE carts (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  revision INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE cart_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (user_id, product_id)
) STRICT;

CREATE TABLE orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER,
  status TEXT NOT NULL,
  currency TEXT NOT NULL,
  item_count INTEGER NOT NULL,
  subtotal_minor INTEGER NOT NULL,
  shipping_cost_minor INTEGER NOT NULL,
  tax_minor INTEGER NOT NULL,
  total_minor INTEGER NOT NULL,
  note TEXT,
  expires_at INTEGER,
  shipping_method TEXT NOT NULL,
  recipient TEXT,
  line1 TEXT,
  line2 TEXT,
  city TEXT,
  region TEXT,
  postal_code TEXT,
  country TEXT,
  shipping_status TEXT NOT NULL,
  revision INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;
CREATE INDEX orders_user ON orders (user_id, id);
CREATE INDEX orders_status ON orders (status, id) WHERE deleted_at IS NULL;
CREATE INDEX orders_created ON orders (created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX orders_updated ON orders (updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX orders_total ON orders (total_minor, id) WHERE deleted_at IS NULL;
CREATE INDEX orders_status_updated ON orders (status, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX orders_status_created ON orders (status, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX orders_expiring ON orders (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE order_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  order_id INTEGER NOT NULL REFERENCES orders (id),
  product_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  unit_price_minor INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  line_total_minor INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX order_items_order ON order_items (order_id);

CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  order_id INTEGER NOT NULL,
  attempt_key TEXT NOT NULL UNIQUE,
  method TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  currency TEXT NOT NULL,
  status TEXT NOT NULL,
  provider TEXT NOT NULL,
  provider_reference TEXT,
  settle_after INTEGER,
  revision INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX payments_order ON payments (order_id);
CREATE UNIQUE INDEX payments_live ON payments (order_id) WHERE status IN ('pending', 'succeeded');
CREATE INDEX payments_settling ON payments (order_id, settle_after) WHERE settle_after IS NOT NULL;

CREATE TABLE purchases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER,
  product_id INTEGER NOT NULL,
  order_id INTEGER NOT NULL,
  order_item_id INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  unit_price_minor INTEGER NOT NULL,
  purchased_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX purchases_item ON purchases (order_id, order_item_id);
CREATE INDEX purchases_user ON purchases (user_id, id);
CREATE INDEX purchases_user_product ON purchases (user_id, product_id);
CREATE INDEX purchases_product ON purchases (product_id, order_id);
CREATE INDEX purchases_purchased ON purchases (purchased_at, id);
