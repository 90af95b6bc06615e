import type { PostgresClient } from '#store/postgres/client.ts'

/** Tables that stay small in a shop of any size. */
export const smallTables: readonly string[] = [
  'settings',
  'event_sinks',
  'shipping_methods',
  'tax_rates',
  'discounts',
  'migrations',
  'host_processes',
  'oauth_keys',
  'webhooks',
  // Those of the last month.
  ...['operations', 'operation_parts', 'operation_images', 'operation_rows', 'operation_errors'],
  'list_counts',
  // They hold the events, and the requests for mails, of the last seconds.
  ...['outbox', 'mail_requests'],
  'guest_order_joins',
]

/** Tables that triggers fill. */
const filledTables = [
  ...['product_changes', 'product_column_changes'],
  ...['product_counts', 'product_facet_counts', 'product_option_counts'],
  'product_attribute_counts',
  ...['order_counts', 'user_counts', 'review_counts'],
  'webhook_delivery_counts',
]
/** Tables with one row per user; users are a tenth of everything else. */
const tablesOfUsers = ['users', 'carts', 'erasures']
const usersShare = 10
/** The first ID of new rows, far from those that the application assigns. */
const firstId = 10_000_000

/** SQL for columns that `expressionFor` would get wrong; `n` numbers the new rows. */
const exceptions: Readonly<Record<string, string>> = {
  'products.category': `'category ' || n % 20`,
  'products.rating_average': 'n % 50 / 10.0',
  'products.variant_of': 'null',
  'users.role': `'customer'`,
  'users.guest_until': 'null',
  'addresses.is_default': '0',
  'orders.status': `case when n % 10 = 0 then 'pending' else 'paid' end`,
  'orders.network': `case when n % 10 = 0 then 'grown ' || n end`,
  'orders.expires_at': 'case when n % 10 = 0 then row.created_at + 1000000000000 end',
  'payments.status': `'succeeded'`,
  'payments.due_at': 'null',
  'payments.refunding': '0',
  'refunds.due_at': 'null',
  'files.kept_until': 'null',
  'mails.status': `'sent'`,
  'mails.due_at': 'null',
  'api_keys.parent_id': 'null',
  'events.sequence': `${firstId} + n`,
  // A running server adds deliveries of the events that were added.
  'webhook_deliveries.event_sequence': `${2 * firstId} + n`,
  'webhook_deliveries.webhook_id': `row.webhook_id + n % 5`,
  'webhook_deliveries.status': `'delivered'`,
  'webhook_deliveries.due_at': 'null',
  'events.subject': `'/orders/' || n`,
}

/** Columns of a first row, for tables that the application may leave empty. */
const firstRows: Readonly<Record<string, string>> = {
  mails: `(mail_key, kind, user_id, order_id, status, created_at)
    select 'first', 'order_confirmation', 1, 1, 'sent', max(created_at) from users`,
  account_tokens: `(token_hash, salt, purpose, user_id, email_key, expires_at, created_at)
    values ('first', 'salt', 'password_reset', 1, 'first', 1, 1)`,
}

const ofUser = /^(user|caller|owner|actor|subject)_id$/
const amount = /(price|total|amount|discount|cost|tax|refunded|refunding|_from)$/
const distinctText =
  /^(sku|handle|external_id|email|username|nonce|network|word|name|family|client_id|hash)$|_(key|hash|sort)$/

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
}

/** SQL for a column of the nth new row: references match, times advance, the rest is copied. */
function expressionFor({ table, name, type }: Column): string {
  const exception = exceptions[`${table}.${name}`]
  if (exception !== undefined) return exception
  if (type === 'text') return distinctText.test(name) ? `'grown ' || n` : `row.${name}`
  if (name === 'deleted_at') return 'null'
  if (name === 'id' || (tablesOfUsers.includes(table) && name === 'user_id')) {
    return `${firstId} + n`
  }
  if (ofUser.test(name)) return `${firstId} + 1 + n % users`
  if (name.endsWith('_id')) return `${firstId} + n`
  if (/^(expires_at|erase_at|leased_until)$/.test(name)) return `row.${name} + 1000000000000`
  if (amount.test(name)) return 'n * 7919 % 100000'
  return /_at$|^at$/.test(name) ? `row.${name} + n` : `row.${name}`
}

async function columnsOf(client: PostgresClient): Promise<readonly Column[]> {
  const { rows } = await client.query<Column>(
    `select c.table_name as "table", column_name as name, data_type as type
    from information_schema.columns c join information_schema.tables t
      on (t.table_schema, t.table_name, t.table_type) = (c.table_schema, c.table_name, 'BASE TABLE')
    where c.table_schema = 'public' and c.is_generated = 'NEVER'
    order by c.table_name, ordinal_position`,
    [],
  )
  return rows.filter(({ table }) => ![...smallTables, ...filledTables].includes(table))
}

/** Tables that others reference, filled first. */
const firstTables = ['users', 'orders', 'api_keys', 'files']

/**
 * Adds copies of an existing row to every table that grows with a shop, up to `to` rows; `from` is the
 * number added before. Users get a tenth.
 */
export async function grow(client: PostgresClient, from: number, to: number): Promise<void> {
  if (from === to) return
  const users = Math.ceil(to / usersShare)
  const columns = Map.groupBy(await columnsOf(client), ({ table }) => table)
  for (const table of new Set([...firstTables, ...columns.keys()])) {
    const own = columns.get(table) ?? []
    const share = tablesOfUsers.includes(table) ? usersShare : 1
    const first = firstRows[table]
    if (first !== undefined && from === 0) {
      await client.query(`insert into ${table} ${first} on conflict do nothing`, [])
    }
    const { numAffectedRows } = await client.query(
      `insert into ${table} (${own.map(({ name }) => name).join(', ')})
      select ${own.map(expressionFor).join(', ')}
      from (select * from ${table} order by 1 limit 1) as row, (select ${users} as users) as given,
        generate_series(${from / share + 1}::bigint, ${to / share}::bigint) as n`,
      [],
    )
    if (Number(numAffectedRows) === 0) throw new Error(`${table} has no row to be copied`)
  }
  // Mails and deliveries of the added events were made before.
  await client.command(`update settings set value = (select max(sequence) from events)::text
    where name in ('mails.sequence', 'webhooks.position')`)
}

/** Turns autovacuum off, so that the statistics are those of the last ANALYZE. */
export async function stopAutovacuum(client: PostgresClient): Promise<void> {
  const { rows } = await client.query<{ readonly name: string }>(
    'select relname as name from pg_stat_user_tables',
    [],
  )
  for (const { name } of rows) {
    await client.command(`alter table ${name} set (autovacuum_enabled = false)`)
  }
}
