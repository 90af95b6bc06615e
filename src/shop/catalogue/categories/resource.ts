import { Type } from 'typebox'
import type { Context } from '#http/declare/context.ts'
import { adminOnly, optionalAuthentication, publicCache } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { create, list, modify, read, remove, replace } from '#http/declare/route.ts'
import { catalogueCacheTag, stockAndRatingCacheTag } from '#shop/catalogue/products/rules.ts'
import { managesProducts } from '#shop/manages-products.ts'
import { changeCategory, createCategory, type RenameInSettings, removeCategory } from './actions.ts'
import { categoriesCacheTag } from './rules.ts'
import { findCategory, listCategories } from './store.ts'
import { categories } from './table.ts'

const seesAll = ({ actor }: Context): boolean => managesProducts(actor)

/** What the numbers of products follow from, and the tree. */
const cacheTags = () => [categoriesCacheTag, catalogueCacheTag, stockAndRatingCacheTag]

const category = item({
  name: 'category',
  description: 'A category of products, which have its name as their `category`.',
  path: '/categories/:categoryId',
  schema: categories.schema,
  load: (ctx, { categoryId }) => findCategory(ctx.db, categoryId, { seesAll: seesAll(ctx) }),
  loadForUpdate: ({ db }, { categoryId }) => findCategory(db, categoryId, { locks: true }),
  pathParams: ({ id }) => ({ categoryId: id }),
  revision: ({ revision, revisionsAbove, product_count }) =>
    [...revisionsAbove, revision, product_count].join('.'),
  cacheTags,
  present: (found) => found,
  // Files name the category above, since numbers mean nothing in another shop.
  exported: {
    schema: Type.Object({
      parent: Type.Optional(Type.String({ description: 'The name of the category above.' })),
    }),
    load: async (_, found) => found.map(({ path }) => ({ parent: path.at(-2) })),
  },
  links: {
    products: {
      to: 'products',
      query: ({ name }) => `?category=${encodeURIComponent(name)}`,
    },
    parent: {
      to: 'category',
      params: ({ parent_id }) => ({ categoryId: parent_id ?? 0 }),
      when: ({ parent_id }) => parent_id !== null,
    },
    children: { to: 'categories', query: ({ id }) => `?parent_id=${id}` },
    edit: { to: 'category', operation: 'replace' },
    delete: { to: 'category', operation: 'remove' },
  },
})

const readPolicy = {
  access: optionalAuthentication,
  rateLimit: 'default',
  cache: publicCache,
} as const
const write = { access: adminOnly('products:write'), rateLimit: 'default' } as const

/** The operations on categories: public reads, writes by administrators. */
export function categoryRoutes(renameInSettings: RenameInSettings) {
  const all = collection({ name: 'categories', path: '/categories', item: category })
  const problems = ['4091', '4092'] as const
  return [
    list(all, {
      summary: 'Lists the categories.',
      description: 'The public sees no category that only hidden products name.',
      ...readPolicy,
      filters: categories.filters,
      sortFields: ['name', 'product_count', 'position', 'id'],
      cacheTags,
      find: (ctx, { filters, page }) =>
        listCategories(ctx.db, { filters, page, seesAll: seesAll(ctx) }),
    }),
    create(all, {
      summary: 'Creates a category.',
      ...write,
      problems: ['4092'],
      body: categories.body,
      handle: async ({ db, now }, { body }) => created(await createCategory(db, body, now)),
    }),
    read(category, { summary: 'Reads a category.', ...readPolicy }),
    replace(category, {
      summary: 'Replaces a category; a new name is that of its products too.',
      ...write,
      problems,
      body: categories.body,
      handle: ({ db, now }, { current, body }) =>
        changeCategory(db, { current, given: body, by: 'replace' }, renameInSettings, now),
    }),
    modify(category, {
      summary: 'Changes some fields of a category, or moves it below another one.',
      description: 'A new name is that of its products, tax rates and discounts too.',
      ...write,
      problems,
      body: categories.patch,
      handle: ({ db, now }, { current, body }) =>
        changeCategory(db, { current, given: body, by: 'modify' }, renameInSettings, now),
    }),
    remove(category, {
      summary: 'Removes a category without products and without others below it.',
      ...write,
      problems: ['4091'],
      handle: ({ db, now }, { current }) => removeCategory(db, current, now),
    }),
  ]
}
