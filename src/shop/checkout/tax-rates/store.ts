import { parsePercent } from '#shop/checkout/pricing/percent.ts'
import { regionKey, type TaxRule } from '#shop/checkout/pricing/tax.ts'
import type { Db } from '#store/database.ts'
import { markRemoved } from '#store/mark-removed.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { rejectDuplicate } from '#store/reject-duplicate.ts'
import { saveRevision } from '#store/save-revision.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import type { TaxRateBody, TaxRateFilters } from './schema.ts'
import type { TaxRateRow } from './table.ts'

const toColumns = ({ country, region = null, category = null, rate, name }: TaxRateBody) => ({
  country,
  region,
  region_key: region === null ? '' : regionKey(region),
  category,
  category_key: category ?? '',
  rate: parsePercent(rate) ?? 0,
  name,
})

/** Returns the tax rate with this ID, even if removed. */
export const findTaxRateRow = (db: Db, id: number): Promise<TaxRateRow | undefined> =>
  db.selectFrom('tax_rates').selectAll().where('id', '=', id).executeTakeFirst()

const ofCountry = prepareQuery((db: Db, param: { country: string }) =>
  db
    .selectFrom('tax_rates')
    .select(['country', 'region', 'category', 'rate'])
    .where('country', '=', param.country)
    .where('deleted_at', 'is', null),
)

/** Returns the rates of a country; none without one. */
export const findTaxRules = async (db: Db, country: string | null): Promise<readonly TaxRule[]> =>
  country === null ? [] : ofCountry.all(db, { country })

/** Returns a page of the tax rates that match every filter. */
export function listTaxRates(
  db: Db,
  { country, category }: TaxRateFilters,
  page: PageRequest,
): Promise<PageResult<TaxRateRow>> {
  let query = db.selectFrom('tax_rates').where('deleted_at', 'is', null)
  if (country !== undefined) query = query.where('country', '=', country)
  if (category !== undefined) query = query.where('category', '=', category)
  const columns = {
    id: 'id',
    country: 'country',
    name: 'name',
    created_at: 'created_at',
    updated_at: 'updated_at',
  } as const
  return paginate(query, columns, page, (rows) => rows.selectAll('tax_rates'))
}

/** Inserts a tax rate. Throws 409/4092 when there is one for the same place and category. */
export const insertTaxRate = (db: Db, body: TaxRateBody, now: Instant): Promise<TaxRateRow> =>
  rejectDuplicate(
    db
      .insertInto('tax_rates')
      .values({ ...toColumns(body), created_at: now, updated_at: now, deleted_at: null })
      .returningAll()
      .executeTakeFirstOrThrow(),
    'tax_rate.duplicate',
  )

/**
 * Updates a tax rate to its next revision, if anything has changed. Throws 409/4092 as
 * `insertTaxRate`, and StaleWriteError when it has changed since it was read.
 */
export async function saveTaxRate(
  db: Db,
  current: TaxRateRow,
  body: TaxRateBody,
  now: Instant,
): Promise<TaxRateRow> {
  const columns = toColumns(body)
  if (isUnchanged(current, columns)) return current
  const write = saveRevision(db, 'tax_rates', current, columns, now)
  return rejectDuplicate(write, 'tax_rate.duplicate')
}

/** Marks a tax rate as removed. */
export const removeTaxRate = (db: Db, { id }: TaxRateRow, now: Instant): Promise<void> =>
  markRemoved(db, 'tax_rates', id, now)
