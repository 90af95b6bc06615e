import type { Context } from '#http/declare/context.ts'
import { requireUser } from '#http/declare/permissions.ts'
import { adminOnly, optionalAuthentication, publicCache } from '#http/declare/policy.ts'
import type { ExportedFields } from '#http/declare/related.ts'
import { collection, item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { create, list, modify, read, remove, replace } from '#http/declare/route.ts'
import { NoFilters } from '#schema/words.ts'
import { categoriesCacheTag } from '#shop/catalogue/categories/rules.ts'
import { findPathsByName, namesWithAllBelow } from '#shop/catalogue/categories/tree-store.ts'
import { linkedProduct } from '#shop/catalogue/feeds/linked-data.ts'
import { visibleHiddenReviews } from '#shop/catalogue/reviews/rules.ts'
import { loadReviewsOf } from '#shop/catalogue/reviews/store.ts'
import { lockChangedVariants, withListedOptions } from '#shop/catalogue/variants/option-actions.ts'
import { managesProducts } from '#shop/manages-products.ts'
import type { Shop } from '#shop/shop.ts'
import { readShopId } from '#shop/shop-id-store.ts'
import type { Db } from '#store/database.ts'
import { limitsUpdatedAt } from '#store/query/time-limits.ts'
import { problem } from '#values/problem.ts'
import { createProduct, removeProduct, saveProduct } from './actions.ts'
import { findAttributeNames } from './attribute-names-store.ts'
import { findProductNames, type ProductNames, productNames } from './bulk-store.ts'
import { CurrentColumns } from './columns/column-store.ts'
import { countFacets } from './facets/facet-store.ts'
import { filtersByKey, sortedFields, visibleFilters } from './filters.ts'
import { listProducts } from './list-store.ts'
import { listRelated, loadRelated } from './related-store.ts'
import {
  catalogueCacheTag,
  catalogueCacheTags,
  createProductState,
  patchProductState,
  presentProduct,
  productCacheTag,
  purchasesCacheTag,
  replaceProductState,
  reviewedProductId,
  stockAndRatingCacheTag,
} from './rules.ts'
import {
  ExportedProduct,
  ProductFilters as Filters,
  ListEnvelope,
  Product,
  ProductBody,
  type ProductFilters,
  ProductPatch,
} from './schema.ts'
import { isBuyable } from './sellable.ts'
import * as store from './store.ts'
import type { ProductRow } from './table.ts'
import { variantRoutes } from './variant-routes.ts'
import { productVersions } from './versions.ts'

/** The path parameters of the product that has the reviews and related products of another one. */
const ofParent = (product: ProductRow) => ({ productId: reviewedProductId(product) })

const parentIdsOf = (products: readonly ProductRow[]): readonly number[] => [
  ...new Set(products.flatMap(({ variant_of }) => variant_of ?? [])),
]

/** Loads what a variant shares with its parent. */
async function loadOfParents<T>(
  products: readonly ProductRow[],
  load: (
    parents: readonly { readonly id: number }[],
  ) => Promise<ReadonlyMap<{ readonly id: number }, readonly T[]>>,
): Promise<ReadonlyMap<ProductRow, readonly T[]>> {
  const ids = [...new Set(products.map((product) => ofParent(product).productId))]
  const parents = new Map(ids.map((id) => [id, { id }]))
  const loaded = await load([...parents.values()])
  return new Map(
    products.map((product) => {
      const parent = parents.get(ofParent(product).productId)
      return [product, (parent && loaded.get(parent)) ?? []]
    }),
  )
}

/** Returns the names from the root down to a category; null without one. */
const findPathOf = async (db: Db, category: string | null): Promise<readonly string[] | null> =>
  category === null ? null : ((await findPathsByName(db, [category])).get(category) ?? [category])

/** Returns what names a parent in a file: the first that it has. */
function parentNameOf(parent: ProductNames | undefined): object {
  const [name] = productNames.filter((each) => (parent?.[each] ?? null) !== null)
  return name === undefined ? {} : { [`variant_of_${name}`]: parent?.[name] }
}

/** What exports of products have besides. */
const exportedFields: ExportedFields<ProductRow> = {
  schema: ExportedProduct,
  hides: (actor) => (managesProducts(actor) ? [] : ['cost_price']),
  named: {
    field: 'attributes' satisfies keyof typeof Product.properties,
    names: ({ db, actor }) => findAttributeNames(db, managesProducts(actor)),
  },
  load: async ({ db }, products) => {
    const parents = await findProductNames(db, parentIdsOf(products))
    const shopId = await readShopId(db)
    return products.map(({ variant_of }) => ({
      shop_id: shopId,
      ...(variant_of === null ? {} : parentNameOf(parents.get(variant_of))),
    }))
  },
}

const productItem = ({ currency, productUrl }: Shop, baseUrl: string) =>
  item({
    name: 'product',
    description: 'A product of the catalogue.',
    path: '/products/:productId',
    schema: Product,
    load: (ctx, { productId }) => store.findVisibleProduct(ctx, productId),
    loadForUpdate: async ({ db }, { productId }, body) => {
      await lockChangedVariants(db, productId, body)
      return store.lockProduct(db, productId)
    },
    isGone: ({ deleted_at }) => deleted_at !== null,
    pathParams: ({ id }) => ({ productId: id }),
    revision: ({ revision }) => revision,
    changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
    cacheTags: ({ id }) => [productCacheTag(id)],
    present: (product, { actor }) =>
      presentProduct(product, currency, baseUrl, { showsCosts: managesProducts(actor) }),
    versions: productVersions,
    linkedData: {
      load: ({ db }, { category }) => findPathOf(db, category),
      cacheTags: [categoriesCacheTag],
      present: (representation, path) => linkedProduct(representation, path, productUrl),
    },
    exported: exportedFields,
    links: {
      add_to_cart: {
        to: 'cart_additions',
        operation: 'create',
        when: isBuyable,
        body: ({ id }) => ({ product_id: id, quantity: 1 }),
      },
      variants: { to: 'variants', when: ({ variant_count }) => variant_count > 0 },
      parent: { to: 'product', params: ofParent, when: ({ variant_of }) => variant_of !== null },
      images: { to: 'images' },
      prices: { to: 'prices' },
      reviews: { to: 'reviews', params: ofParent },
      related_products: { to: 'related_products', params: ofParent },
      edit: { to: 'product', operation: 'replace' },
      delete: {
        to: 'product',
        operation: 'remove',
        when: ({ variant_count }) => variant_count === 0,
      },
    },
    includes: {
      reviews: {
        resource: 'review',
        many: true,
        load: ({ db, actor }, rows) =>
          loadOfParents(rows, (parents) => loadReviewsOf(db, parents, visibleHiddenReviews(actor))),
      },
      related: {
        resource: 'product',
        many: true,
        load: ({ db }, rows) => loadOfParents(rows, (parents) => loadRelated(db, parents)),
      },
    },
  })

const productCollection = (product: ReturnType<typeof productItem>) =>
  collection({ name: 'products', path: '/products', item: product })

/** The operations on products: public reads, writes by administrators; `baseUrl` is the public URL of the server. */
export function productRoutes(shop: Shop, baseUrl: string) {
  const product = productItem(shop, baseUrl)
  const products = productCollection(product)
  const write = {
    access: adminOnly('products:write'),
    rateLimit: 'default',
    problems: ['4091', '4092'],
  } as const
  return [
    catalogueRoute(products),
    create(products, {
      summary: 'Creates a product.',
      ...write,
      body: ProductBody,
      handle: async ({ db, now }, { body }) =>
        created(await createProduct(db, createProductState(body), shop, now)),
    }),
    read(product, {
      summary: 'Reads a product.',
      access: optionalAuthentication,
      rateLimit: 'default',
      cache: publicCache,
    }),
    replace(product, {
      summary: 'Replaces a product.',
      ...write,
      body: ProductBody,
      handle: async ({ db, now }, { current, body }) => {
        const { product, fields } = await withListedOptions(db, current, body, shop, now)
        return saveProduct(db, product, replaceProductState(product, fields), shop, now)
      },
    }),
    modify(product, {
      summary: 'Changes some fields of a product.',
      ...write,
      body: ProductPatch,
      handle: async ({ db, now }, { current, body }) => {
        const { product, fields } = await withListedOptions(db, current, body, shop, now)
        return saveProduct(db, product, patchProductState(product, fields), shop, now)
      },
    }),
    remove(product, {
      summary: 'Removes a product from the catalogue.',
      ...write,
      handle: ({ db, now }, { current }) => removeProduct(db, current, shop, now),
    }),
    relatedRoute(product),
    ...variantRoutes(product, shop, write),
  ]
}

function catalogueRoute(products: ReturnType<typeof productCollection>) {
  const columns = new CurrentColumns()
  return list(products, {
    summary: 'Lists the products of the catalogue.',
    access: optionalAuthentication,
    rateLimit: 'default',
    cache: publicCache,
    filters: Filters,
    sortFields: ['id', ...sortedFields, 'rating', 'relevance'],
    problems: ['4011', '4031', '4033'],
    envelope: ListEnvelope,
    cacheTags: ({ filters, page: { sort, times } }) => [
      ...catalogueCacheTags(
        limitsUpdatedAt(times) ? 'updated_at' : sort,
        filters.facets ?? filters.availability,
      ),
      ...(filters.category === undefined ? [] : [categoriesCacheTag]),
    ],
    find: async (ctx, { filters: { facets, ...given }, page }) => {
      requireOwnPurchases(ctx, given)
      const filters = await withNames(ctx.db, visibleFilters(ctx, given))
      const found = await listProducts(ctx.db, columns, filters, page)
      if (!facets || page.byCursor) return found
      return {
        ...found,
        envelope: {
          facets: await countFacets(ctx.db, columns, facets, { filters, times: page.times }),
        },
      }
    },
  })
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
    rateLimit: 'default',
    cache: publicCache,
    filters: NoFilters,
    sortFields: ['relevance'],
    problems: ['4041', '4101'],
    cacheTags: ({ params: { productId } }) => [
      productCacheTag(productId),
      catalogueCacheTag,
      stockAndRatingCacheTag,
      purchasesCacheTag,
    ],
    find: async (ctx, { params, page }) => {
      const { db } = ctx
      const base = await store.requireVisibleProduct(ctx, params.productId)
      const { variant_of } = base
      const parent = variant_of === null ? base : await store.requireProduct(db, variant_of)
      return listRelated(db, parent, page)
    },
  })
}

/** The filters with the categories that are named and all below them, and the names of options as they are compared. */
async function withNames(db: Db, given: ProductFilters): Promise<ProductFilters> {
  const filters = filtersByKey(given)
  const { category } = filters
  return category ? { ...filters, category: await namesWithAllBelow(db, category) } : filters
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
