import { sql } from 'kysely'
import { nullable } from '#schema/words.ts'
import { text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { rowsFromJson } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { maxAttributes, parseAttributes } from './attributes.ts'
import { nameKey } from './named-values.ts'

/** The sections of products that are no variants: the active ones first, which the public sees. */
const sections = [0, 2, 4] as const
const lastSectionOfPublic = 1
const lastSection = 5

// Steps from name to name by the key of the counts, however many values each has.
const keysOfSection = prepareSql(
  (_: Db, { section }: { section: number }) => sql`
    with recursive names (name_key, place) as (
      select (select min(name_key) from product_attribute_counts
        where section = ${section} and number > 0), 1
      union all
      select (select min(counted.name_key) from product_attribute_counts as counted
        where counted.section = ${section} and counted.name_key > names.name_key
          and counted.number > 0), names.place + 1
      from names where names.name_key is not null and names.place < ${sql.lit(maxAttributes)})
    select name_key from names where name_key is not null`,
  { name_key: text },
)

const attributesByKey = prepareSql(
  (db: Db, { keys, last }: { keys: readonly { name_key: string }[]; last: number }) => sql`
    select sample.name_key, products.attributes
    from (select named.name_key, (select product_id from product_attributes
        where product_attributes.name_key = named.name_key and of_variants = 0
          and section <= cast(${last} as bigint)
        order by product_id limit 1) as product_id
      from ${rowsFromJson(db, keys, { name_key: 'text' })} as named) as sample
    join products on products.id = sample.product_id
    order by sample.name_key`,
  { name_key: text, attributes: nullable(text) },
)

/**
 * Returns names of attributes of products that the caller sees, at most as many as one product has, each in one of its
 * spellings. Those of long values only, which have no facet, are not found.
 */
export async function findAttributeNames(db: Db, seesAll: boolean): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const section of seesAll ? sections : sections.slice(0, 1)) {
    for (const { name_key } of await keysOfSection.all(db, { section })) found.add(name_key)
  }
  const keys = [...found].slice(0, maxAttributes).map((name_key) => ({ name_key }))
  if (keys.length === 0) return []
  const last = seesAll ? lastSection : lastSectionOfPublic
  const rows = await attributesByKey.all(db, { keys, last })
  return rows.flatMap(
    ({ name_key, attributes }) =>
      Object.keys(parseAttributes(attributes)).find((name) => nameKey(name) === name_key) ?? [],
  )
}
