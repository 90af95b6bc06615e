import type { Context } from '#http/declare/context.ts'
import { optionalAuthentication, publicCache } from '#http/declare/policy.ts'
import { collection, type Item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { create, list } from '#http/declare/route.ts'
import { NoFilters, type ValueOf } from '#schema/words.ts'
import { listVariants } from '#shop/catalogue/variants/store.ts'
import type { Shop } from '#shop/shop.ts'
import { inEntry } from '#values/problem.ts'
import { createProduct } from './actions.ts'
import { sortedFields, visibleFilters } from './filters.ts'
import { catalogueCacheTags, createProductState, productCacheTag } from './rules.ts'
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
  const createOne = async (
    { db, now }: Pick<Context, 'db' | 'now'>,
    parent: ProductRow,
    body: ValueOf<typeof VariantBody>,
  ) => {
    const { name = parent.name, price = parent.price } = body
    const state = createProductState({ ...body, name, price, variant_of: parent.id })
    return createProduct(db, state, shop, now)
  }
  const add = create(variants, {
    summary: 'Creates a variant of a product, or up to 100 of them, all or none.',
    operationId: 'createVariant',
    description: 'Its name and price are those of the product unless the body has others.',
    ...write,
    problems: [...(write.problems ?? []), '4041', '4101'],
    body: VariantBody,
    handle: async (ctx, { params: { productId }, body }) =>
      created(await createOne(ctx, await requireProduct(ctx.db, productId), body)),
    many: {
      limit: 100,
      handle: async (ctx, { params: { productId }, bodies }) => {
        const parent = await requireProduct(ctx.db, productId)
        const made: ProductRow[] = []
        for (const [index, body] of bodies.entries()) {
          made.push(await inEntry(index, () => createOne(ctx, parent, body)))
        }
        return made
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
