import { adminOnly, privateCache } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { create, list, modify, read, remove, replace } from '#http/declare/route.ts'
import { formatPercent } from '#shop/checkout/pricing/percent.ts'
import { TaxRate, TaxRateBody, TaxRateFilters, TaxRatePatch } from './schema.ts'
import * as store from './store.ts'
import type { TaxRateRow } from './table.ts'

const presentTaxRate = (row: TaxRateRow) => ({ ...row, rate: formatPercent(row.rate) })

const taxRate = item({
  name: 'tax_rate',
  description: 'The tax on products, and on shipping, that are sent to a country or region.',
  path: '/tax-rates/:taxRateId',
  schema: TaxRate,
  load: ({ db }, { taxRateId }) => store.findTaxRateRow(db, taxRateId),
  isGone: ({ deleted_at }) => deleted_at !== null,
  pathParams: ({ id }) => ({ taxRateId: id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  present: presentTaxRate,
  links: {
    edit: { to: 'tax_rate', operation: 'replace' },
    delete: { to: 'tax_rate', operation: 'remove' },
  },
})

const taxRates = collection({ name: 'tax_rates', path: '/tax-rates', item: taxRate })

const access = adminOnly('settings:write')
const readPolicy = { access, rateLimit: 'default', cache: privateCache } as const
const writePolicy = { access, rateLimit: 'default', problems: ['4092'] } as const

/** The operations on tax rates, for administrators. */
export const taxRateRoutes = () => [
  list(taxRates, {
    summary: 'Lists the tax rates.',
    ...readPolicy,
    filters: TaxRateFilters,
    sortFields: ['id', 'country', 'name'],
    find: ({ db }, { filters, page }) => store.listTaxRates(db, filters, page),
  }),
  create(taxRates, {
    summary: 'Creates a tax rate, for orders placed from now on.',
    ...writePolicy,
    body: TaxRateBody,
    handle: async ({ db, now }, { body }) => created(await store.insertTaxRate(db, body, now)),
  }),
  read(taxRate, { summary: 'Reads a tax rate.', ...readPolicy }),
  replace(taxRate, {
    summary: 'Replaces a tax rate, for orders placed from now on.',
    ...writePolicy,
    body: TaxRateBody,
    handle: ({ db, now }, { current, body }) => store.saveTaxRate(db, current, body, now),
  }),
  modify(taxRate, {
    summary: 'Changes some fields of a tax rate.',
    ...writePolicy,
    body: TaxRatePatch,
    handle: ({ db, now }, { current, body }) =>
      store.saveTaxRate(db, current, { ...presentTaxRate(current), ...body }, now),
  }),
  remove(taxRate, {
    summary: 'Removes a tax rate; the tax of orders stays.',
    access,
    rateLimit: 'default',
    handle: ({ db, now }, { current }) => store.removeTaxRate(db, current, now),
  }),
]
