import { sql } from 'kysely'
import type { Renaming } from '#shop/catalogue/products/category-rename-store.ts'
import type { Db } from '#store/database.ts'
import { rowsFromJson } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { rejectDuplicate } from '#store/reject-duplicate.ts'
import type { Instant } from '#values/instant.ts'
import { textKey } from '#values/text-key.ts'
import { discounts } from './discounts/discounts.ts'
import { taxRates } from './tax-rates.ts'

/** The discounts that are read at once. */
const discountsAtOnce = 1000

const withCategories = prepareSql(
  (_: Db, { after, limit }: { after: number; limit: number }) => sql`
    select id, categories from discounts
    where deleted_at is null and categories <> '[]' and id > ${after} order by id limit ${limit}`,
  discounts.schemasOf(['id', 'categories']),
)

const renamedFields = discounts.kindsOf(['id', 'categories'])
type RenamedRow = Readonly<{ id: number; categories: string }>

const updateAll = prepareSql(
  (db: Db, { rows, now }: { rows: readonly RenamedRow[]; now: Instant }) => sql`
    update discounts set categories = renamed.categories, revision = discounts.revision + 1,
      updated_at = ${now}
    from ${rowsFromJson(db, rows, renamedFields)} as renamed where discounts.id = renamed.id`,
)

/**
 * Gives tax rates and discounts of a category its new name. Throws 409/4092 where there is a tax rate of the new
 * name for the same place.
 */
export async function renameCategoryInSettings(
  db: Db,
  renaming: Renaming,
  now: Instant,
): Promise<void> {
  const { from, to } = renaming
  const ofCategory = { category_key: textKey(from), deleted_at: null }
  const renamed = taxRates.revise(db, ofCategory, { category: to }, now)
  await rejectDuplicate(renamed, 'category.tax_rate_there')
  await renameInDiscounts(db, renaming, now)
}

async function renameInDiscounts(db: Db, { from, to }: Renaming, now: Instant): Promise<void> {
  const isFormer = (name: string) => textKey(name) === textKey(from)
  let after = 0
  for (;;) {
    const found = await withCategories.all(db, { after, limit: discountsAtOnce })
    const rows = found.flatMap(({ id, categories }) => {
      const names = JSON.parse(categories) as readonly string[]
      if (!names.some(isFormer)) return []
      const changed = [...new Set(names.map((name) => (isFormer(name) ? to : name)))]
      return [{ id, categories: JSON.stringify(changed) }]
    })
    if (rows.length > 0) await updateAll.run(db, { rows, now })
    if (found.length < discountsAtOnce) return
    after = found.at(-1)?.id ?? after
  }
}
