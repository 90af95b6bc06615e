import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { maxOptions } from '#shop/catalogue/products/fields.ts'
import type { Db } from '#store/database.ts'
import { dialectOf } from '#store/query/dialect.ts'
import { textKey } from '#values/text-key.ts'

/** A filter by an option: its name, and the values of which a variant must have one. */
export type OptionFilter = readonly [name: string, values: readonly string[]]

/**
 * True for a row of `products` of which one variant has all these options and, with `stored`, the option
 * of a row of `product_options` with that alias.
 */
export function hasVariantWith(
  db: Db,
  filters: readonly OptionFilter[],
  stored?: string,
): RawBuilder<SqlBool> {
  // No variant has more, and SQLite limits the depth of a condition.
  if (filters.length > maxOptions) return sql<SqlBool>`false`
  const conditions = filters.map(([name, values]) => {
    const anyValue = values.map((value) => hasOption(db, sql.val(optionKey(name, value))))
    return sql`(${sql.join(anyValue, sql` or `)})`
  })
  if (stored !== undefined) conditions.push(hasOption(db, storedOptionKey(db, stored)))
  return sql<SqlBool>`exists (
    select from_parent.id from products as from_parent
    where from_parent.variant_of = products.id and from_parent.deleted_at is null
      and ${sql.join(conditions, sql` and `)}
  )`
}

/** An option as it is part of `options_key`. */
const optionKey = (name: string, value: string): string =>
  JSON.stringify([name, textKey(value.toWellFormed())])

/** The same of a row of `product_options`. */
function storedOptionKey(db: Db, alias: string): Expression<string> {
  const [name, value] = [sql.ref(`${alias}.name`), sql.ref(`${alias}.value_key`)]
  const quoted = dialectOf(db) === 'sqlite' ? sql`json_quote(${value})` : sql`to_json(${value})`
  return sql<string>`'["' || ${name} || '",' || ${quoted} || ']'`
}

const hasOption = (db: Db, key: Expression<string>): RawBuilder<SqlBool> =>
  dialectOf(db) === 'sqlite'
    ? sql<SqlBool>`instr(from_parent.options_key, ${key}) > 0`
    : sql<SqlBool>`strpos(from_parent.options_key, ${key}) > 0`
