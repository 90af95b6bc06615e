import { setImmediate as nextTurn } from 'node:timers/promises'
import { createMessage } from '#i18n/message.ts'
import { productEvent } from '#shop/catalogue/products/events.ts'
import { toState } from '#shop/catalogue/products/rules.ts'
import type { ProductPatch } from '#shop/catalogue/products/schema.ts'
import { requireProduct, saveProduct } from '#shop/catalogue/products/store.ts'
import type { ProductRow } from '#shop/catalogue/products/table.ts'
import { type DomainEvent, recordEvents } from '#shop/events/outbox-store.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import { type ChangeContext, refreshParents } from './actions.ts'
import { type OptionChange, planOptions } from './option-changes.ts'
import { parseOptionList } from './option-list.ts'
import { optionsKeyOf, parseOptions } from './options.ts'
import { freeOptions, lockOptions, lockParents } from './store.ts'

/** The variants that are read and written before other requests are served: some milliseconds with the longest texts. */
const variantsPerTurn = 10

/** A variant with its options after a change. */
interface ChangedVariant {
  readonly id: number
  readonly options: string
}

/**
 * Changes the options of a locked parent for all its variants, and returns it as it is then. Throws 422/4221 for a
 * product without variants and as `planOptions`, and 409/4092 where two variants become equal.
 */
async function changeOptions(
  db: Db,
  parent: ProductRow,
  changes: readonly OptionChange[],
  context: ChangeContext,
): Promise<ProductRow> {
  const variants = await lockOptions(db, parent.id)
  if (variants.length === 0) {
    throw fieldProblem([{ field: 'options', message: createMessage('field.option_list') }])
  }
  const before = variants.map(({ options }) => parseOptions(options) ?? {})
  const plan = planOptions(parseOptionList(parent.option_list), before, changes)
  const after = before.map((options) => JSON.stringify(plan.apply(options)))
  const keys = new Set(after.map(optionsKeyOf))
  if (keys.size < after.length) throw problem('4092', 'variant.duplicate')
  const changed = variants.flatMap(({ id, options }, at) =>
    after[at] === undefined || after[at] === options ? [] : [{ id, options: after[at] }],
  )
  // Of two variants that swap their options, the first one would have those of the second.
  const inTheWay = variants.filter(({ options_key }, at) => {
    const isKept = optionsKeyOf(after[at] ?? null) === options_key
    return !isKept && keys.has(options_key)
  })
  await inTurns(inTheWay, (some) =>
    freeOptions(
      db,
      some.map(({ id }) => id),
    ),
  )
  await inTurns(changed, (some) => saveVariants(db, some, context))
  const planned = { option_list: JSON.stringify(plan.listed) }
  await refreshParents(db, [parent.id], context, planned)
  return await requireProduct(db, parent.id)
}

/** Works on a few variants at a time, and serves other requests in between. */
async function inTurns<V>(
  variants: readonly V[],
  work: (some: readonly V[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < variants.length; at += variantsPerTurn) {
    if (at > 0) await nextTurn()
    await work(variants.slice(at, at + variantsPerTurn))
  }
}

async function saveVariants(
  db: Db,
  changed: readonly ChangedVariant[],
  { currency, now }: ChangeContext,
): Promise<void> {
  const options = new Map(changed.map((variant) => [variant.id, variant.options]))
  const events: DomainEvent[] = []
  for (const variant of await lockParents(db, [...options.keys()])) {
    const state = { ...toState(variant), options: options.get(variant.id) ?? null }
    const saved = await saveProduct(db, variant, state, now)
    events.push(productEvent('product.updated', saved, currency, now))
  }
  await recordEvents(db, events)
}

/**
 * Locks the variants of a product before the product itself, where a body may change them: by a list of options, or a
 * status, which a PUT resets that has none. A PUT has a name and a price. A change of a variant locks that one before its parent, too, which keeps the two from a deadlock.
 */
export async function lockChangedVariants(db: Db, id: number, body: unknown): Promise<void> {
  const { options, status, name, price } = (body ?? {}) as ProductPatch
  const changesStatus = status !== undefined || (name !== undefined && price !== undefined)
  if (Array.isArray(options) || changesStatus) await lockOptions(db, id)
}

/** Changes the options of a parent by a list of them in a body; returns the parent and the other fields of the body. */
export async function withListedOptions<B extends { readonly options?: unknown }>(
  db: Db,
  product: ProductRow,
  body: B,
  { currency }: Pick<Shop, 'currency'>,
  now: Instant,
): Promise<{ readonly product: ProductRow; readonly fields: B }> {
  const { options, ...others } = body
  if (!Array.isArray(options)) return { product, fields: body }
  const changed = await changeOptions(db, product, options, { currency, now })
  return { product: changed, fields: others as unknown as B }
}
