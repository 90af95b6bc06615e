import type { Context } from '#http/declare/context.ts'
import { adminOnly, optionalAuthentication, publicCache } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { create, created, list, modify, read, remove, replace } from '#http/declare/route.ts'
import { requireUser } from '#http/pipeline/guards/access.ts'
import type { Shop } from '#resources/dependencies.ts'
import { purchasesCacheTag } from '#resources/purchases/rules.ts'
import { loadReviewsOf } from '#resources/reviews/store.ts'
import { problem } from '#values/problem.ts'
import { listProducts } from './list-store.ts'
import { listRelated, loadRelated } from './related.ts'
import {
  catalogueCacheTag,
  catalogueCacheTags,
  createProductState,
  isBuyable,
  patchProductState,
  productCacheTag,
  stockAndRatingCacheTag,
} from './rules.ts'
import {
  ProductFilters as Filters,
  Product,
  ProductBody,
  type ProductFilters,
  ProductPatch,
  RelatedFilters,
} from './schema.ts'
import * as store from './store.ts'
import type { ProductRow } from './table.ts'
import { productVersions } from './versions.ts'

const productItem = ({ currency }: Shop) =>
  item({
    name: 'product',
    description: 'A product of the catalogue.',
    path: '/products/:productId',
    schema: Product,
    load: ({ db }, { productId }) => store.findProduct(db, productId),
    loadForUpdate: ({ db }, { productId }) => store.lockProduct(db, productId),
    isGone: ({ deleted_at }) => deleted_at !== null,
    pathParams: ({ id }) => ({ productId: id }),
    revision: ({ revision }) => revision,
    changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
    cacheTags: ({ id }) => [productCacheTag(id)],
    present: (product) => presentProduct(product, currency),
    versions: productVersions,
    links: {
      add_to_cart: {
        to: 'cart_additions',
        operation: 'create',
        when: isBuyable,
        body: ({ id }) => ({ product_id: id, quantity: 1 }),
      },
      reviews: { to: 'reviews' },
      related_products: { to: 'related_products' },
      edit: { to: 'product', operation: 'replace' },
      delete: { to: 'product', operation: 'remove' },
    },
    includes: {
      reviews: { resource: 'review', many: true, load: ({ db }, rows) => loadReviewsOf(db, rows) },
      related: { resource: 'product', many: true, load: ({ db }, rows) => loadRelated(db, rows) },
    },
  })

const presentProduct = (product: ProductRow, currency: string) => ({
  ...product,
  price: product.price_minor,
  currency,
  rating: {
    average: product.rating_count > 0 ? roundToHundredth(product) : null,
    count: product.rating_count,
  },
})

const roundToHundredth = ({ rating_sum, rating_count }: ProductRow): number =>
  Math.round((100 * rating_sum) / rating_count) / 100

/** The operations on products: public reads, writes by administrators. */
export function productRoutes(shop: Shop) {
  const product = productItem(shop)
  const products = collection({ name: 'products', path: '/products', item: product })
  const write = {
    access: adminOnly('products:write'),
    rateLimit: 'writes',
    problems: ['4092'],
  } as const
  return [
    list(products, {
      summary: 'Lists the products of the catalogue.',
      access: optionalAuthentication,
      rateLimit: 'reads',
      cache: publicCache,
      filters: Filters,
      sortFields: ['id', 'name', 'price', 'created_at', 'updated_at', 'rating'],
      problems: ['4011', '4031', '4033'],
      cacheTags: ({ filters, page }) => catalogueCacheTags(page.sort, filters.availability),
      find: (ctx, { filters, page }) => {
        requireOwnPurchases(ctx, filters)
        return listProducts(ctx.db, filters, page)
      },
    }),
    create(products, {
      summary: 'Creates a product.',
      ...write,
      body: ProductBody,
      handle: async ({ db, now }, { body }) =>
        created(await store.insertProduct(db, createProductState(body), now)),
    }),
    read(product, {
      summary: 'Reads a product.',
      access: optionalAuthentication,
      rateLimit: 'reads',
      cache: publicCache,
    }),
    replace(product, {
      summary: 'Replaces a product.',
      ...write,
      body: ProductBody,
      handle: ({ db, now }, { current, body }) =>
        store.saveProduct(db, current, createProductState(body), now),
    }),
    modify(product, {
      summary: 'Changes some fields of a product.',
      ...write,
      body: ProductPatch,
      handle: ({ db, now }, { current, body }) =>
        store.saveProduct(db, current, patchProductState(current, body), now),
    }),
    remove(product, {
      summary: 'Removes a product from the catalogue.',
      ...write,
      handle: ({ db, now }, { current }) => store.removeProduct(db, current, now),
    }),
    relatedRoute(product),
  ]
}

function relatedRoute(product: ReturnType<typeof productItem>) {
  const related = collection({
    name: 'related_products',
    path: '/products/:productId/related',
    item: product,
  })
  return list(related, {
    summary: 'Lists the products bought together with a product, then those of its category.',
    access: optionalAuthentication,
    rateLimit: 'reads',
    cache: publicCache,
    filters: RelatedFilters,
    sortFields: ['relevance'],
    problems: ['4041', '4101'],
    cacheTags: ({ params: { productId } }) => [
      productCacheTag(productId),
      catalogueCacheTag,
      stockAndRatingCacheTag,
      purchasesCacheTag,
    ],
    find: async ({ db }, { params, page }) => {
      const base = await store.requireProduct(db, params.productId)
      return listRelated(db, base, page)
    },
  })
}

/** Throws 401, 403/4031 or 403/4033 unless the caller may see the purchases of `buyer`. */
function requireOwnPurchases({ actor }: Context, { buyer }: ProductFilters): void {
  if (buyer === undefined) return
  requireUser(actor)
  if (actor.role !== 'admin' && actor.userId !== buyer) throw problem('4031', 'detail.not_owner')
  if (!actor.scopes.has('purchases:read')) {
    throw problem('4033', 'detail.scope', { scope: 'purchases:read' })
  }
}
