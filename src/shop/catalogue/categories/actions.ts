import { createMessage } from '#i18n/message.ts'
import { makeCategoryHandle, unusedHandles } from '#shop/catalogue/handles/rules.ts'
import {
  hasProducts,
  type Renaming,
  renameCategoryOfProducts,
} from '#shop/catalogue/products/category-rename-store.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import { invalidate } from '#store/changes.ts'
import type { Db } from '#store/database.ts'
import { rejectDuplicate } from '#store/reject-duplicate.ts'
import type { Instant } from '#values/instant.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import { categoryEvent } from './events.ts'
import { findTakenHandles } from './names-store.ts'
import { categoriesCacheTag } from './rules.ts'
import { type CategoryRow, lockName, withTree } from './store.ts'
import { categories, maxDepth, type StoredCategory } from './table.ts'
import { findDepthBelow, findPaths, hasChildren, lockTree } from './tree-store.ts'

/** Renames a category in what the shop has set of it, besides its products. Throws 409/4092 for what is there already. */
export type RenameInSettings = (db: Db, renaming: Renaming, now: Instant) => Promise<void>

/** The fields of a category that a body has. */
type Given = Partial<Pick<StoredCategory, 'name' | 'handle' | 'parent_id'>>

const rejectDuplicates = <T>(write: Promise<T>): Promise<T> =>
  rejectDuplicate(write, 'category.duplicate_name', [
    { columns: ['categories.handle'], key: 'category.duplicate_handle' },
  ])

/** Creates a category. Throws 409/4092 for its name or handle, and as `requirePlace`. */
export async function createCategory(db: Db, body: Given, now: Instant): Promise<CategoryRow> {
  const { name = '', parent_id = null } = body
  if (parent_id !== null) await requirePlace(db, parent_id)
  const handle = body.handle ?? (await makeHandleOf(db, name))
  const created = await rejectDuplicates(categories.create(db, { ...body, handle }, now))
  return await recorded(db, 'category.created', created, now)
}

const makeHandleOf = async (db: Db, name: string): Promise<string | null> =>
  (
    await unusedHandles([makeCategoryHandle(name)], [], (handles) => findTakenHandles(db, handles))
  )[0] ?? null

/** How a category is changed: by a whole body or by a patch. */
type Change = 'replace' | 'modify'

/**
 * Changes a locked category. A new name is that of its products too, and of what the shop has set of it. Throws
 * 409/4092 for its name or handle, and as `requirePlace`.
 */
export async function changeCategory(
  db: Db,
  {
    current,
    given,
    by,
  }: { readonly current: CategoryRow; readonly given: Given; readonly by: Change },
  renameInSettings: RenameInSettings,
  now: Instant,
): Promise<CategoryRow> {
  const { parent_id = by === 'replace' ? null : current.parent_id } = given
  if (parent_id !== current.parent_id && parent_id !== null) {
    await requirePlace(db, parent_id, current)
  }
  const isRenamed = given.name !== undefined && given.name !== current.name
  if (isRenamed) await lockName(db, current)
  const body = { ...given, handle: given.handle ?? current.handle }
  const others = { implied: false }
  const saved = await rejectDuplicates(categories[by](db, current, body, now, others))
  if (saved.revision === current.revision) return current
  if (isRenamed) {
    const renaming = { from: current.name, to: saved.name }
    await renameCategoryOfProducts(db, renaming, now)
    await renameInSettings(db, renaming, now)
  }
  return await recorded(db, 'category.updated', saved, now)
}

/** Removes a locked category. Throws 409/4091 if products have it, or others are below it. */
export async function removeCategory(db: Db, category: CategoryRow, now: Instant): Promise<void> {
  const { id, name } = category
  await lockTree(db)
  await lockName(db, category)
  if (await hasChildren(db, category)) throw problem('4091', 'category.has_children', { name })
  if (await hasProducts(db, name)) throw problem('4091', 'category.has_products', { name })
  await categories.remove(db, { id }, now)
  invalidate(categoriesCacheTag)
  await recordEvents(db, [categoryEvent('category.deleted', category, now)])
}

/**
 * Locks the tree and checks that a category can be below another one. Throws 422/4221 for an unknown parent and a path
 * that is too long, and 409/4091 for a category that would be below itself.
 */
async function requirePlace(db: Db, parentId: number, moved?: CategoryRow): Promise<void> {
  await lockTree(db)
  const path = (await findPaths(db, [parentId])).get(parentId)
  if (!path) {
    const message = createMessage('field.unknown_parent_category')
    throw fieldProblem([{ field: 'parent_id', message }])
  }
  if (moved && path.some(({ id }) => id === moved.id)) {
    throw problem('4091', 'category.cycle', { name: moved.name })
  }
  const depth = path.length + (moved ? await findDepthBelow(db, moved.id) : 1)
  if (depth > maxDepth) {
    const message = createMessage('field.category_depth', { limit: maxDepth })
    throw fieldProblem([{ field: 'parent_id', message }])
  }
}

async function recorded(
  db: Db,
  type: 'category.created' | 'category.updated',
  stored: StoredCategory,
  now: Instant,
): Promise<CategoryRow> {
  invalidate(categoriesCacheTag)
  const [category] = await withTree(db, [stored])
  const row = category as CategoryRow
  await recordEvents(db, [categoryEvent(type, row, now)])
  return row
}
