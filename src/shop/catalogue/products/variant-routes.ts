import { optionalAuthentication, publicCache } from '#http/declare/policy.ts'
import { collection, type Item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { create, list } from '#http/declare/route.ts'
import { NoFilters, type ValueOf } from '#schema/words.ts'
import { listVariants } from '#shop/catalogue/variants/store.ts'
import type { Shop } from '#shop/shop.ts'
import { inEntry } from '#values/problem.ts'
import { createProduct, createVariants } from './actions.ts'
import { sortedFields, visibleFilters } from './filters.ts'
import {
  catalogueCacheTags,
  createProductState,
  type ProductState,
  productCacheTag,
} from './rules.ts'
import { VariantBody } from './schema.ts'
import { requireProduct, requireVisibleProduct } from './store.ts'
import type { ProductRow } from './table.ts'

/** The operations on the variants of a product: a public list, and creation by administrators. */
export function variantRoutes(
  product: Item<ProductRow, '/products/:productId'>,
  shop: Shop,
  write: Pick<Parameters<typeof create>[1], 'access' | 'rateLimit' | 'problems'>,
) {
  const variants = collection({
    name: 'variants',
    path: '/products/:productId/variants',
    item: product,
  })
  const stateOf = (parent: ProductRow, body: ValueOf<typeof VariantBody>) => {
    const { name = parent.name, price = parent.price } = body
    return createProductState({ ...body, name, price, variant_of: parent.id })
  }
  const add = create(variants, {
    summary: 'Creates a variant of a product, or up to 100 of them, all or none.',
    operationId: 'createVariant',
    description: 'Its name and price are those of the product unless the body has others.',
    ...write,
    problems: [...(write.problems ?? []), '4041', '4101'],
    body: VariantBody,
    handle: async ({ db, now }, { params: { productId }, body }) => {
      const parent = await requireProduct(db, productId)
      return created(await createProduct(db, stateOf(parent, body), shop, now))
    },
    many: {
      limit: 100,
      handle: async ({ db, now }, { params: { productId }, bodies }) => {
        const parent = await requireProduct(db, productId)
        const states: ProductState[] = []
        for (const [index, body] of bodies.entries()) {
          states.push(await inEntry(index, async () => stateOf(parent, body)))
        }
        return createVariants(db, productId, states, shop, now)
      },
    },
  })
  const listing = list(variants, {
    summary: 'Lists the variants of a product.',
    access: optionalAuthentication,
    rateLimit: 'default',
    cache: publicCache,
    filters: NoFilters,
    sortFields: ['id', ...sortedFields, 'created_at', 'updated_at'],
    problems: ['4041', '4101'],
    cacheTags: ({ params: { productId }, page }) => [
      productCacheTag(productId),
      ...catalogueCacheTags(page.sort, undefined),
    ],
    find: async (ctx, { params: { productId }, page }) => {
      await requireVisibleProduct(ctx, productId)
      return listVariants(ctx.db, productId, page, visibleFilters(ctx, {}))
    },
  })
  return [listing, add]
}
