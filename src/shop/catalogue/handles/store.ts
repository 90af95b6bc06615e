import { sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { rowsFromJson, textIn } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { makeHandle, unusedHandles } from './rules.ts'
import { formerHandles } from './table.ts'

const takenHandles = prepareSql(
  (db: Db, { handles }: { handles: readonly string[] }) => sql`
    select handle from products where ${textIn(db, 'products.handle', handles)}
    union all
    select handle from former_handles where ${textIn(db, 'former_handles.handle', handles)}`,
  formerHandles.schemasOf(['handle']),
)

async function findTaken(db: Db, handles: readonly string[]): Promise<readonly string[]> {
  if (handles.length === 0) return []
  return (await takenHandles.all(db, { handles })).map(({ handle }) => handle)
}

/** A product that may be without a handle. */
interface Named {
  readonly name: string
  readonly sku: string | null
  readonly handle: string | null
  readonly variant_of: number | null
}

/** True for a product that gets a handle from its name; a variant has one only if it is given. */
export const needsHandle = ({ handle, variant_of }: Named): boolean =>
  handle === null && variant_of === null

/**
 * Returns products with handles from their names, each another one than any product has or had. Of two
 * transactions that make the same handle at once, the second violates the unique index.
 */
export async function withHandles<N extends Named>(
  db: Db,
  products: readonly N[],
): Promise<readonly N[]> {
  if (!products.some(needsHandle)) return products
  const bases = products.map((each) => (needsHandle(each) ? makeHandle(each.name, each.sku) : null))
  const given = products.flatMap(({ handle }) => handle ?? [])
  const handles = await unusedHandles(bases, given, (each) => findTaken(db, each))
  return products.map((product, at) => {
    const handle = handles[at]
    return handle ? { ...product, handle } : product
  })
}

/** A product before a change, and the handle that it gets. */
export interface HandleChange {
  readonly before: { readonly id: number; readonly handle: string | null } | null
  readonly handle: string | null
}

const formerFields = formerHandles.kindsOf(['handle', 'product_id'])

const addFormer = prepareSql(
  (db: Db, { rows }: { rows: readonly { handle: string; product_id: number }[] }) => sql`
    insert into former_handles (handle, product_id)
    select handle, product_id from ${rowsFromJson(db, rows, formerFields)} as former
    where true on conflict (handle) do update set product_id = excluded.product_id`,
)

/** Remembers the handles that products lose, and takes those that they get from products that had them before. */
export async function keepFormerHandles(db: Db, changes: readonly HandleChange[]): Promise<void> {
  const changed = changes.filter(({ before, handle }) => handle !== (before?.handle ?? null))
  const taken = changed.flatMap(({ handle }) => handle ?? [])
  if (taken.length > 0) await formerHandles.delete(db, { handle: taken })
  const rows = changed.flatMap(({ before }) =>
    before?.handle ? [{ handle: before.handle, product_id: before.id }] : [],
  )
  if (rows.length > 0) await addFormer.run(db, { rows })
}
