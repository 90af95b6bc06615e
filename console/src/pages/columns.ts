import type { ApiDocument, Schema } from '../api/document.ts'

/** A column of a list. */
export interface Column {
  readonly name: string
  readonly schema: Schema
}

/** Columns chosen by hand; other collections get theirs from the schema. */
const chosen: Readonly<Record<string, readonly string[]>> = {
  '/orders': ['number', 'status', 'total', 'item_count', 'contact', 'created_at'],
  '/users/{id}/orders': ['number', 'status', 'item_count', 'total', 'created_at'],
  '/products': ['name', 'sku', 'category', 'status', 'availability', 'stock', 'rating', 'price'],
  '/categories': ['name', 'path', 'position', 'product_count', 'handle'],
  '/users': ['name', 'email', 'role', 'status', 'created_at'],
  '/discounts': ['code', 'kind', 'value', 'active', 'used_count', 'starts_at', 'ends_at'],
  '/shipping-methods': [
    ...['name', 'code', 'price', 'free_from', 'delivery_days', 'countries', 'active'],
  ],
  '/tax-rates': ['name', 'country', 'region', 'category', 'tax_class', 'rate'],
  '/audit-events': ['action', 'actor_id', 'subject_id', 'address', 'credential', 'at'],
  '/events': ['type', 'subject', 'time'],
  '/webhooks': ['url', 'types', 'active', 'disabled_reason', 'created_at'],
  '/webhooks/{webhookId}/deliveries': ['id', 'event_id', 'status', 'next_attempt_at', 'created_at'],
  '/operations': ['id', 'kind', 'status', 'progress', 'created_at'],
}

const maxColumns = 7
const leftOut = new Set([
  ...['_links', 'links', 'updated_at', 'currency', 'description', 'description_html', 'body'],
])

/** The columns of a collection. */
export function columnsOf(api: ApiDocument, template: string, entry: Schema): readonly Column[] {
  const properties = api.schema(entry).properties ?? {}
  const column = (name: string): Column => ({ name, schema: api.schema(properties[name] ?? {}) })
  const byHand = chosen[template]?.filter((name) => name in properties)
  if (byHand) return byHand.map(column)
  const isSimple = ({ schema }: Column) =>
    schema.type !== 'object' &&
    !(schema.type === 'array' && api.schema(schema.items ?? {}).type === 'object')
  const columns = Object.keys(properties)
    .filter((name) => !leftOut.has(name))
    .map(column)
    .filter(isSimple)
  const created = columns.find(({ name }) => name === 'created_at')
  const others = columns.filter((each) => each !== created)
  return created ? [...others.slice(0, maxColumns - 1), created] : others.slice(0, maxColumns)
}
