import { createMessage } from '#i18n/message.ts'
import { knownNames } from '#shop/catalogue/categories/names-store.ts'
import { keysUpwards } from '#shop/catalogue/categories/tree-store.ts'
import { presentProducts } from '#shop/catalogue/products/store.ts'
import type { Db } from '#store/database.ts'
import { fieldProblem } from '#values/problem.ts'
import { textKey } from '#values/text-key.ts'

interface GivenScope {
  readonly products?: readonly number[]
  readonly categories?: readonly string[]
}

/** Throws 422/4221, naming each product and category that does not exist. */
export async function requireKnownScope(db: Db, given: GivenScope): Promise<void> {
  const { products = [], categories = [] } = given
  const ids = await presentProducts(db, products)
  const isKnown = await knownNames(db, categories)
  const issues = [
    ...products.flatMap((id, at) =>
      ids.has(id)
        ? []
        : [{ field: `products[${at}]`, message: createMessage('field.unknown_product') }],
    ),
    ...categories.flatMap((name, at) =>
      isKnown(name)
        ? []
        : [{ field: `categories[${at}]`, message: createMessage('field.unknown_category') }],
    ),
  ]
  if (issues.length > 0) throw fieldProblem(issues)
}

/** A discount of categories covers those below them: returns it with those of these lines that are. */
export async function coveringBelow<
  D extends { readonly categories: readonly string[] } | undefined,
>(db: Db, discount: D, lines: readonly { readonly category: string | null }[]): Promise<D> {
  if (!discount || discount.categories.length === 0) return discount
  const keys = new Set(discount.categories.map(textKey))
  const names = [...new Set(lines.flatMap(({ category }) => category ?? []))]
  const upwards = await keysUpwards(db, names)
  const below = names.filter((name) => !keys.isDisjointFrom(upwards.get(name) ?? new Set()))
  return { ...discount, categories: [...discount.categories, ...below] }
}
