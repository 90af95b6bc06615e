import { Type } from 'typebox'
import { crud } from '#http/crud.ts'
import { adminOnly, privateCache } from '#http/declare/policy.ts'
import { Country, nullable } from '#schema/words.ts'
import { regionDescription, regionOf, withoutFormerPlace } from '#shop/accounts/addresses/region.ts'
import type { ColumnsOf } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { entity } from '#store/entity.ts'
import { keyed, sortable } from '#store/entity-fields.ts'
import { textKey } from '#values/text-key.ts'
import { PercentInUnits, parsePercent } from './pricing/percent.ts'
import type { TaxRule } from './pricing/tax.ts'

/** The tax rates of the shop; the most specific one of a place applies. */
export const taxRates = entity('tax_rates', {
  name: 'tax_rate',
  description: 'The tax on products, and on shipping, that are sent to a country or region.',
  fields: {
    country: sortable(
      Country('The country that the order is sent to, as an ISO 3166-1 alpha-2 code.'),
      'country',
    ),
    region: keyed(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: `The region of the address, regardless of case; null for all regions. ${regionDescription}`,
          examples: ['NY'],
        }),
      ),
      (region) => textKey(region ?? ''),
    ),
    category: keyed(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'The category of products; null for all, and for shipping.',
          examples: ['books'],
        }),
      ),
      (category) => textKey(category ?? ''),
    ),
    tax_class: keyed(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 50,
          description:
            'The tax class of products, which outweighs their category; null for all, and for shipping.',
          examples: ['reduced'],
        }),
      ),
      (taxClass) => textKey(taxClass ?? ''),
    ),
    rate: PercentInUnits('The rate in percent, as decimal text.', '19'),
    name: sortable(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The name of the tax.',
        examples: ['VAT'],
      }),
    ),
  },
  unique: ['country, region_key, category_key, tax_class_key where deleted_at is null'],
  duplicate: 'tax_rate.duplicate',
  filters: {
    country: Type.Optional(Country('Only rates of this country.')),
    category: Type.Optional(Type.String({ description: 'Only rates of this category.' })),
    tax_class: Type.Optional(Type.String({ description: 'Only rates of this tax class.' })),
  },
  owner: null,
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    tax_rates: ColumnsOf<(typeof taxRates)['schemas']>
  }
}

/** The operations on tax rates, for administrators. */
export const taxRateRoutes = () =>
  crud(taxRates, {
    path: '/tax-rates',
    reads: adminOnly('settings:write'),
    writes: adminOnly('settings:write'),
    cache: privateCache,
    complete: (body, current) => {
      if (body.region === undefined && body.country === undefined) return body
      const place = { ...current, ...(current && withoutFormerPlace(current, body)), ...body }
      return { ...body, region: regionOf(place, 'region') }
    },
    summaries: {
      list: 'Lists the tax rates.',
      create: 'Creates a tax rate, for orders placed from now on.',
      read: 'Reads a tax rate.',
      replace: 'Replaces a tax rate, for orders placed from now on.',
      modify: 'Changes some fields of a tax rate.',
      remove: 'Removes a tax rate; the tax of orders stays.',
    },
  })

/** Returns the rates of a country; none without one. */
export async function findTaxRules(db: Db, country: string | null): Promise<readonly TaxRule[]> {
  if (country === null) return []
  const found = await taxRates.findAll(db, { country, deleted_at: null })
  return found.map((rate) => ({ ...rate, rate: parsePercent(rate.rate) ?? 0 }))
}
