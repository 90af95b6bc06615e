import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { maxOptions } from '#shop/catalogue/products/fields.ts'
import type { Db } from '#store/database.ts'
import { dialectOf } from '#store/query/dialect.ts'
import { textKey } from '#values/text-key.ts'

/** A filter by an option: the key of its name, and the values of which a variant must have one. */
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
      and from_parent.status = 'active'
      and ${sql.join(conditions, sql` and `)}
  )`
}

/** An option as it is part of `options_key`; the name is a key. */
const optionKey = (name: string, value: string): string =>
  JSON.stringify([name, textKey(value.toWellFormed())])

/** The same of a row of `product_options`. */
function storedOptionKey(db: Db, alias: string): Expression<string> {
  const quoted = (column: string) =>
    dialectOf(db) === 'sqlite'
      ? sql`json_quote(${sql.ref(`${alias}.${column}`)})`
      : sql`to_json(${sql.ref(`${alias}.${column}`)})`
  return sql<string>`'[' || ${quoted('name_key')} || ',' || ${quoted('value_key')} || ']'`
}

/**
 * The value of an option of a row of `products` that is a variant, as its parent spells it; null for a product that has
 * not this one. The name is a key.
 */
export function optionOfVariant(db: Db, name: string): RawBuilder<string> {
  const isSqlite = dialectOf(db) === 'sqlite'
  const pairs = isSqlite
    ? sql`json_each(products.options_key) as pair`
    : sql`json_array_elements(products.options_key::json) as pair(value)`
  const part = (at: 0 | 1) =>
    isSqlite
      ? sql`json_extract(pair.value, ${sql.lit(`$[${at}]`)})`
      : sql`pair.value ->> ${sql.lit(at)}`
  // A literal, since PostgreSQL does not take two parameters of one value as the same group.
  return sql<string>`(
    select option.value from ${pairs}, product_options as option
    where ${part(0)} = ${sql.lit(name)} and option.product_id = products.variant_of
      and option.name_key = ${sql.lit(name)} and option.value_key = ${part(1)})`
}

const hasOption = (db: Db, key: Expression<string>): RawBuilder<SqlBool> =>
  dialectOf(db) === 'sqlite'
    ? sql<SqlBool>`instr(from_parent.options_key, ${key}) > 0`
    : sql<SqlBool>`strpos(from_parent.options_key, ${key}) > 0`
