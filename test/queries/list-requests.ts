import assert from 'node:assert/strict'
import type { Route } from '#http/declare/route.ts'
import { timeParameters } from '#http/declare/times.ts'
import type { Schema } from '#schema/keywords.ts'

/** Lists that are short, of one user, or for administrators only: not every sort needs an index. */
export const shortLists: ReadonlySet<string> = new Set([
  ...['oauth_clients', 'api_keys', 'audit-events', 'sessions', 'oauth_consents'],
  'webhook_deliveries',
  // Hundreds of entries at most.
  ...['shipping_methods', 'tax_rates', 'discounts', 'webhooks', 'categories', 'operations'],
  'operation_errors',
])

/** Values of filters that are no plain texts; a range that matches few rows, and one that matches thousands. */
const values: Readonly<Record<string, readonly string[]>> = {
  category: ['kitchen', 'kitchen,garden', 'garden,no such'],
  availability: ['in_stock', 'in_stock,preorder'],
  brand: ['larkpost', 'larkpost,no such'],
  tag: ['sale', 'sale,summer'],
  buyer: ['1'],
  sku: ['KIT-0000001'],
  price_min: ['5000', '0'],
  price_max: ['0.01', '5000'],
  q: ['s', '47'],
  variants: ['all'],
  facets: ['category,availability,price,rating,option.size'],
  role: ['customer', 'customer,admin'],
  status: ['active', 'active,suspended'],
  email: ['ada@example.com'],
  external_id: ['ERP-1'],
  number: ['1001'],
  phone: ['+44 20 7946 0000'],
  age: ['30'],
  user_id: ['1'],
  product_id: ['1'],
  order_id: ['1'],
  rating: ['5'],
  country: ['GB'],
  parent_id: ['1'],
  is_root: ['true', 'false'],
  // None, and all.
  created_since: ['2100-01-01T00:00:00Z', '2000-01-01T00:00:00Z'],
  created_before: ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z'],
  updated_since: ['2100-01-01T00:00:00Z', '2000-01-01T00:00:00Z'],
  updated_before: ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z'],
}

/** A request for a page of a list. */
export interface ListRequest {
  readonly route: Route
  readonly sort: string
  readonly filter?: string
  readonly value?: string
}

/** The lists of these routes by each sort, without a filter and with each one. */
export const listRequests = (routes: readonly Route[]): readonly ListRequest[] =>
  routes
    .filter(({ kind }) => kind === 'list')
    .flatMap((route) =>
      [{}, ...filtersOf(route)].flatMap((filter) =>
        (route.sortFields ?? []).map((sort) => ({ route, sort, ...filter })),
      ),
    )

/** The query string of a request. */
export function queryOf({ filter, value, sort }: ListRequest): string {
  const query = new URLSearchParams({ sort })
  if (filter !== undefined && value !== undefined) query.set(filter, value)
  return query.toString()
}

function filtersOf(route: Route) {
  const { filters, resource } = route
  const times = resource.kind === 'collection' ? timeParameters(resource) : {}
  return Object.keys({ ...filters?.properties, ...times }).flatMap((filter) =>
    valuesOf(route, filter).map((value) => ({ filter, value })),
  )
}

function valuesOf({ path, filters }: Route, filter: string): readonly string[] {
  if (filter === 'status' && path.endsWith('orders')) return ['paid', 'paid,shipped']
  if (filter === 'status' && path.startsWith('/products')) return ['active', 'active,draft']
  const known = values[filter]
  if (known) return known
  const schema: Schema = filters?.properties[filter] ?? {}
  assert.equal(schema.type, 'string', `say in list-requests.ts what ${filter} may be`)
  return [String(schema.examples?.[0] ?? schema.enum?.[0] ?? 'some text')]
}
