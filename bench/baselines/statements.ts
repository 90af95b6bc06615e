import { DatabaseSync } from 'node:sqlite'

/** The database that DATABASE names, as durable as that of the server, without its triggers. */
export const db = new DatabaseSync(process.env['DATABASE'] ?? '')
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()
for (const { name } of triggers) db.exec(`DROP TRIGGER "${name}"`)

/** The statements of a checkout. */
export const statements = {
  readProduct: db.prepare(`
    SELECT id, name, price, availability, stock FROM products
    WHERE id = ? AND deleted_at IS NULL`),
  takeStock: db.prepare(`
    UPDATE products SET stock = stock - ?, revision = revision + 1, updated_at = ?
    WHERE id = ? AND stock >= ?`),
  touchCart: db.prepare(`
    INSERT INTO carts (user_id, created_at, updated_at) VALUES (?, ?, ?)
    ON CONFLICT (user_id) DO UPDATE
    SET revision = revision + 1, updated_at = excluded.updated_at`),
  addCartItem: db.prepare(`
    INSERT INTO cart_items (user_id, product_id, quantity, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (user_id, product_id) DO UPDATE
    SET quantity = quantity + excluded.quantity, updated_at = excluded.updated_at
    RETURNING id, quantity, created_at`),
  readCart: db.prepare('SELECT product_id, quantity FROM cart_items WHERE user_id = ? ORDER BY id'),
  emptyCart: db.prepare('DELETE FROM cart_items WHERE user_id = ?'),
  insertOrder: db.prepare(`
    INSERT INTO orders (user_id, status, currency, item_count, subtotal,
      shipping_cost, tax, total, expires_at, shipping_method, shipping_status,
      created_at, updated_at)
    VALUES (?, 'pending', 'USD', ?, ?, 0, 0, ?, ?, 'standard', 'pending', ?, ?)`),
  insertOrderItem: db.prepare(`
    INSERT INTO order_items
      (order_id, product_id, name, unit_price, quantity, line_total, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`),
  readOrder: db.prepare('SELECT * FROM orders WHERE id = ? AND deleted_at IS NULL'),
  readOrderItems: db.prepare(`
    SELECT id, product_id, unit_price AS price, quantity FROM order_items
    WHERE order_id = ? ORDER BY id`),
  setShipping: db.prepare(`
    UPDATE orders SET shipping_method = ?, recipient = ?, line1 = ?, city = ?, postal_code = ?,
      country = ?, revision = revision + 1, updated_at = ?
    WHERE id = ? AND revision = ?`),
  insertPayment: db.prepare(`
    INSERT INTO payments (order_id, idempotency_key, method, amount, currency, status,
      provider, provider_reference, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, 'succeeded', 'none', ?, ?, ?)`),
  markPaid: db.prepare(`
    UPDATE orders SET status = 'paid', expires_at = NULL, revision = revision + 1, updated_at = ?
    WHERE id = ? AND status = 'pending'`),
  insertPurchase: db.prepare(`
    INSERT INTO purchases
      (user_id, product_id, order_id, order_item_id, quantity, unit_price, purchased_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`),
}
