import { Type } from 'typebox'
import { createMessage } from '#i18n/message.ts'
import { mergePatch, nullable, requestBody, type ValueOf } from '#schema/words.ts'
import { changeCategory, createCategory } from '#shop/catalogue/categories/actions.ts'
import { withCategoryNames } from '#shop/catalogue/categories/names.ts'
import { copyAllCategories } from '#shop/catalogue/categories/names-store.ts'
import { findCategory } from '#shop/catalogue/categories/store.ts'
import { categories, type StoredCategory } from '#shop/catalogue/categories/table.ts'
import { renameCategoryInSettings } from '#shop/checkout/category-names-store.ts'
import type { Db } from '#store/database.ts'
import { Problem } from '#values/problem.ts'
import { textKey } from '#values/text-key.ts'
import type { RowOutcome } from '../rules.ts'
import { requireOneLine } from './one-line.ts'
import {
  bodyReader,
  catchRowErrors,
  type ImportContext,
  type ImportTarget,
  isRejected,
  type KeyedRow,
  requireRowKey,
  withoutNulls,
} from './target.ts'

const { name, handle, position, description } = categories.body.properties
const parent = Type.Optional({
  ...nullable(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The name or handle of the category above; a new name is a new category.',
    }),
  ),
  examples: [null, 'kitchen'],
})
const body = requestBody({ name, handle, parent, position, description }, categories.schema)
const patch = mergePatch(body)
type Body = ValueOf<typeof body>
const readNew = bodyReader<Body>(body)
const readPatch = bodyReader<Partial<Body>>(patch)

const keyFields = ['name', 'handle']

/** Returns the key of a row: its name, or its handle. Throws 400/4001 without either. */
function keyOf(fields: KeyedRow['fields']): string {
  const field = keyFields.find((each) => String(fields[each] ?? '').trim() !== '')
  if (field === 'handle') return `handle ${requireRowKey(fields, field)}`
  if (field === 'name') return `name ${textKey(requireRowKey(fields, field))}`
  const message = createMessage('field.required')
  throw new Problem('4001', message, { issues: [{ field: 'name', message, missing: true }] })
}

/** Returns the category with a name or, if none has it, with a handle. */
async function findNamed(
  db: Db,
  name: string | undefined,
  handle: string | undefined,
): Promise<StoredCategory | undefined> {
  const byName = name && (await categories.find(db, { name_key: textKey(name) }))
  return byName || (handle === undefined ? undefined : await categories.find(db, { handle }))
}

/** Returns the ID of a parent by its name or handle; a new name makes it, whose own row may come later in the file. */
async function requireParent({ db, now }: ImportContext, given: string): Promise<number | null> {
  const found = await findNamed(db, given, given)
  if (found) return found.id
  requireOneLine(body, { parent: given }, () => false)
  await withCategoryNames(db, [{ category: given }], now)
  return (await findNamed(db, given, undefined))?.id ?? null
}

async function saveRow(ctx: ImportContext, { fields }: KeyedRow): Promise<RowOutcome> {
  const { db, now, shop } = ctx
  const given = (field: string) => {
    const value = fields[field]
    return typeof value === 'string' ? value : undefined
  }
  const found = await findNamed(db, given('name'), given('handle'))
  const read = catchRowErrors(() => {
    const { parent: above, ...own } = found
      ? readPatch(fields, shop)
      : readNew(withoutNulls(fields), shop)
    requireOneLine(
      body,
      own,
      (field) => found?.[field as keyof typeof own] === own[field as keyof typeof own],
    )
    return { ...own, parent: above }
  })
  if (isRejected(read)) return read
  const { parent: above, ...values } = read
  const isBelow = above !== undefined && above !== null
  const parent_id = isBelow ? await requireParent(ctx, above) : above
  const whole = { ...values, ...(parent_id !== undefined && { parent_id }) }
  const current = found && (await findCategory(db, found.id, { locks: true }))
  if (!current) {
    await createCategory(db, whole, now)
    return 'created'
  }
  const change = { current, given: whole, by: 'modify' } as const
  const saved = await changeCategory(db, change, renameCategoryInSettings, now)
  return saved.revision === current.revision ? 'unchanged' : 'updated'
}

/** Categories by their names or, if none has it, by their handles. */
export const categoryTarget: ImportTarget = {
  scope: 'products:write',
  body,
  latestBody: body,
  keyFields,
  keyOf,
  copyRelated: (from, to) => copyAllCategories(from, to),
  // A category has no long text.
  weigh: async () => 0,
  save: async (ctx, rows) => {
    const outcomes: RowOutcome[] = []
    for (const row of rows) outcomes.push(await saveRow(ctx, row))
    return outcomes
  },
}
