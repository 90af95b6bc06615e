import { optionalAuthentication, publicCache } from '#http/declare/policy.ts'
import { collection, singleton } from '#http/declare/resource.ts'
import { list } from '#http/declare/route.ts'
import { NoFilters } from '#schema/words.ts'
import { catalogueCacheTag, stockAndRatingCacheTag } from '#shop/catalogue/products/rules.ts'
import { Category } from './schema.ts'
import { type CategoryRow, listCategories } from './store.ts'

const category = singleton<CategoryRow, '/categories'>({
  name: 'category',
  description: 'A category that has products.',
  path: '/categories',
  schema: Category,
  // A category is only a name: it is listed, and has no path of its own.
  load: async () => undefined,
  pathParams: () => ({}),
  revision: ({ name, product_count }) => `${name} ${product_count}`,
  cacheTags: () => [],
  present: (row) => row,
  links: {
    // It has no address.
    self: { to: 'categories', when: () => false },
    products: {
      to: 'products',
      query: ({ name }) => `?category=${encodeURIComponent(name)}`,
    },
  },
})

/** The operation on categories: a public list. */
export const categoryRoutes = () => [
  list(collection({ name: 'categories', path: '/categories', item: category }), {
    summary: 'Lists the categories of the catalogue.',
    description: 'A category exists as long as a product has it as its `category`.',
    access: optionalAuthentication,
    rateLimit: 'default',
    cache: publicCache,
    filters: NoFilters,
    sortFields: ['name', 'product_count'],
    cacheTags: () => [catalogueCacheTag, stockAndRatingCacheTag],
    find: ({ db }, { page }) => listCategories(db, page),
  }),
]
