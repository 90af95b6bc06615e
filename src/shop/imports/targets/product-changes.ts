import { addCategoryPaths } from '#shop/catalogue/categories/names.ts'
import { saveProduct } from '#shop/catalogue/products/actions.ts'
import { isMoved, type ProductChange, saveProducts } from '#shop/catalogue/products/bulk-actions.ts'
import { findOptionKeys, lockProducts } from '#shop/catalogue/products/bulk-store.ts'
import type { ProductState } from '#shop/catalogue/products/rules.ts'
import type { ProductRow } from '#shop/catalogue/products/table.ts'
import { lockParents } from '#shop/catalogue/variants/store.ts'
import { VariantPlaces } from '#shop/catalogue/variants/variant-places.ts'
import { isUnchanged } from '#store/unchanged.ts'
import { textKey } from '#values/text-key.ts'
import { categoryPathOf, withoutCategoryPath } from '../category-path.ts'
import type { RowOutcome } from '../rules.ts'
import {
  FoundProducts,
  findNamed,
  findParents,
  identified,
  idsOfRows,
  parentKeyOf,
} from './product-identity.ts'
import { findReadOnly, requireSame } from './read-only.ts'
import {
  catchRowErrors,
  DependentRowsError,
  type ImportContext,
  isRejected,
  type KeyedRow,
} from './target.ts'

/** Returns the state that a row makes of a product; of a new one without `before`. Throws a Problem. */
export type StateOf = (
  before: ProductRow | undefined,
  row: KeyedRow,
  ctx: ImportContext,
) => ProductChange['state']

/** What a row leads to. */
interface JudgedRow {
  readonly outcome: RowOutcome
  readonly change?: ProductChange
  /** The names of the categories down to that of the product, if the row has them. */
  readonly path?: readonly string[] | undefined
}

/** Returns a state with the category as it is stored, if it is that of the product in another spelling. */
const withSpelling = ({ category }: ProductRow, state: ProductState): ProductState =>
  category !== null && state.category !== null && textKey(category) === textKey(state.category)
    ? { ...state, category }
    : state

const judged = (before: ProductRow | undefined, state: ProductState): JudgedRow => {
  if (before && isUnchanged(before, withSpelling(before, state))) return { outcome: 'unchanged' }
  return { outcome: before ? 'updated' : 'created', change: { before: before ?? null, state } }
}

/** Reads the products of rows, and judges each row by its own. */
async function judge(
  ctx: ImportContext,
  rows: readonly KeyedRow[],
  stateOf: StateOf,
): Promise<readonly JudgedRow[]> {
  const found = new FoundProducts(await lockProducts(ctx.db, await idsOfRows(ctx.db, rows)))
  const parents = await findParents(ctx.db, rows)
  const named = await findNamed(ctx, rows)
  const readOnlyOf = await findReadOnly(ctx, rows, found.all)
  const known = new Set<number>()
  return rows.map((row) => {
    const before = catchRowErrors(() => found.find(row))
    if (isRejected(before)) return { outcome: before }
    // Rows may name one product by different keys.
    if (before && known.has(before.id)) throw new DependentRowsError()
    if (before) known.add(before.id)
    const state = catchRowErrors(() => {
      requireSame(row, () => readOnlyOf(before))
      const own = identified(withoutCategoryPath(row), ctx, { before, named, parents })
      return stateOf(before, own, ctx)
    })
    if (isRejected(state)) return { outcome: state }
    return { ...judged(before, state), path: categoryPathOf(row, state.category) }
  })
}

const parentsOf = (changes: readonly ProductChange[]): readonly number[] => [
  ...new Set(changes.flatMap(({ state }) => state.variant_of ?? [])),
]

/** Locks the parents of variants, and judges each variant by its siblings and the rows before. */
async function judgeVariants(
  { db }: ImportContext,
  rows: readonly JudgedRow[],
): Promise<{ readonly parents: readonly ProductRow[]; readonly judged: readonly JudgedRow[] }> {
  const changes = rows.flatMap(({ change }) => change ?? [])
  const ids = parentsOf(changes)
  if (ids.length === 0) return { parents: [], judged: rows }
  const parents = await lockParents(db, ids)
  const chosen = changes.filter(({ before, state }) => before?.options !== state.options)
  const taken = chosen.length > 0 ? await findOptionKeys(db, parentsOf(chosen)) : []
  const places = new VariantPlaces(parents, taken)
  return {
    parents,
    judged: rows.map((row) => {
      if (!row.change) return row
      const { before, state } = row.change
      const placed = catchRowErrors(() => places.take(before, state))
      return isRejected(placed) ? { outcome: placed } : judged(before ?? undefined, placed)
    }),
  }
}

/**
 * True if a row cannot be judged beside the others: its product is moved between parents, or becomes the parent of one
 * of a row before.
 */
function dependsOnOthers(rows: readonly JudgedRow[]): boolean {
  const parents = new Set<number>()
  return rows.some(({ change }) => {
    if (!change) return false
    const { before, state } = change
    if (state.variant_of !== null) parents.add(state.variant_of)
    return isMoved(change) || (before?.variant_count === 0 && parents.has(before.id))
  })
}

/** Imports rows of which none is the parent of another, unless that parent exists. */
async function saveRows(
  ctx: ImportContext,
  rows: readonly KeyedRow[],
  stateOf: StateOf,
): Promise<readonly RowOutcome[]> {
  const { db, shop, now } = ctx
  const alone = await judge(ctx, rows, stateOf)
  const paths = alone.flatMap(({ change, path }) => (change && path ? [path] : []))
  await addCategoryPaths(db, paths, now)
  if (dependsOnOthers(alone)) {
    if (rows.length > 1) throw new DependentRowsError()
    for (const { change } of alone) {
      if (change?.before) await saveProduct(db, change.before, change.state, shop, now)
    }
    return alone.map(({ outcome }) => outcome)
  }
  const { parents, judged } = await judgeVariants(ctx, alone)
  const changes = judged.flatMap(({ change }) => change ?? [])
  await saveProducts(db, changes, parents, shop, now)
  return judged.map(({ outcome }) => outcome)
}

/** A product that no row names has level 0, and one of a row that names another one before the next level. */
const maxLevel = 2

/**
 * Returns how many rows before must be imported before a row can be: its parent, and the parent of that. A variant is no
 * parent, so that a further one would change nothing.
 */
function levelsOf(rows: readonly KeyedRow[]): readonly number[] {
  const levels = new Map<string, number>()
  return rows.map((row) => {
    const level = Math.min((levels.get(parentKeyOf(row) ?? '') ?? -1) + 1, maxLevel)
    levels.set(row.key, level)
    return level
  })
}

/** Imports rows, those of parents before those of their variants. */
export async function saveInLevels(
  ctx: ImportContext,
  rows: readonly KeyedRow[],
  stateOf: StateOf,
): Promise<readonly RowOutcome[]> {
  const levels = levelsOf(rows)
  const outcomes: RowOutcome[] = []
  for (const level of new Set(levels).values().toArray().sort()) {
    const places = levels.flatMap((each, at) => (each === level ? [at] : []))
    const some = places.map((at) => rows[at] as KeyedRow)
    const saved = await saveRows(ctx, some, stateOf)
    for (const [at, place] of places.entries()) outcomes[place] = saved[at] ?? []
  }
  return outcomes
}
