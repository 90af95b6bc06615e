import { readFileSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** The rows a floor starts with; products and users are numbered from 1. */
export interface Seed {
  readonly products: number
  readonly users: number
}

/** Opens a new database as durable as the server's own: WAL, every COMMIT waits for the disk. */
export function openDatabase(path: string, seed: Seed): DatabaseSync {
  const db = new DatabaseSync(path)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  db.exec(readFileSync(new URL('./schema.sql', import.meta.url), 'utf8'))
  const user = db.prepare(`INSERT INTO users (name) VALUES (?)`)
  const product = db.prepare(`
    INSERT INTO products (name, price_minor, category, availability, stock, created_at, updated_at)
    VALUES (?, ?, 'bench', 'in_stock', 1000000, ?, ?)`)
  db.exec('BEGIN')
  for (let at = 1; at <= seed.users; at += 1) user.run(`Bench ${at}`)
  for (let at = 1; at <= seed.products; at += 1) {
    product.run(`Bench product ${at}`, 1000 + at, Date.now(), Date.now())
  }
  db.exec('COMMIT')
  return db
}

/** Prepares, once, every statement that a checkout needs. */
export function prepareStatements(db: DatabaseSync): Record<StatementName, StatementSync> {
  const prepared = Object.entries(sql).map(([name, text]) => [name, db.prepare(text)])
  return Object.fromEntries(prepared)
}

type StatementName = keyof typeof sql

const sql = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  readProduct: `
    SELECT id, name, price_minor, availability, stock FROM products
    WHERE id = ? AND deleted_at IS NULL`,
  takeStock: `
    UPDATE products SET stock = stock - ?, revision = revision + 1, updated_at = ?
    WHERE id = ? AND stock >= ?`,
  touchCart: `
    INSERT INTO carts (user_id, created_at, updated_at) VALUES (?, ?, ?)
    ON CONFLICT (user_id) DO UPDATE
    SET revision = revision + 1, updated_at = excluded.updated_at`,
  addCartItem: `
    INSERT INTO cart_items (user_id, product_id, quantity, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (user_id, product_id) DO UPDATE
    SET quantity = quantity + excluded.quantity, updated_at = excluded.updated_at
    RETURNING id, quantity, created_at`,
  readCart: 'SELECT product_id, quantity FROM cart_items WHERE user_id = ? ORDER BY id',
  emptyCart: 'DELETE FROM cart_items WHERE user_id = ?',
  insertOrder: `
    INSERT INTO orders (user_id, status, currency, item_count, subtotal_minor,
      shipping_cost_minor, tax_minor, total_minor, expires_at, shipping_method, shipping_status,
      created_at, updated_at)
    VALUES (?, 'pending', 'USD', ?, ?, 0, 0, ?, ?, 'standard', 'pending', ?, ?)`,
  insertOrderItem: `
    INSERT INTO order_items
      (order_id, product_id, name, unit_price_minor, quantity, line_total_minor, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,
  readOrder: 'SELECT * FROM orders WHERE id = ? AND deleted_at IS NULL',
  readOrderItems: `
    SELECT id, product_id, unit_price_minor, quantity FROM order_items
    WHERE order_id = ? ORDER BY id`,
  setShipping: `
    UPDATE orders SET shipping_method = ?, recipient = ?, line1 = ?, city = ?, postal_code = ?,
      country = ?, revision = revision + 1, updated_at = ?
    WHERE id = ? AND revision = ?`,
  insertPayment: `
    INSERT INTO payments (order_id, attempt_key, method, amount_minor, currency, status,
      provider, provider_reference, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, 'succeeded', 'none', ?, ?, ?)`,
  markPaid: `
    UPDATE orders SET status = 'paid', expires_at = NULL, revision = revision + 1, updated_at = ?
    WHERE id = ? AND status = 'pending'`,
  insertPurchase: `
    INSERT INTO purchases
      (user_id, product_id, order_id, order_item_id, quantity, unit_price_minor, purchased_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,
} as const
