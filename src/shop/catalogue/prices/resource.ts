import { adminOnly, noStore } from '#http/declare/policy.ts'
import { collection, singleton } from '#http/declare/resource.ts'
import { list } from '#http/declare/route.ts'
import { NoFilters } from '#schema/words.ts'
import { requireProduct } from '#shop/catalogue/products/store.ts'
import { isOnSale } from './rules.ts'
import { Price } from './schema.ts'
import { listPrices, type PriceRow } from './store.ts'

const price = singleton<PriceRow, '/products/:productId/prices'>({
  name: 'price',
  description: 'A price that a product has or had.',
  path: '/products/:productId/prices',
  schema: Price,
  // It is listed, and has no path of its own.
  load: async () => undefined,
  pathParams: () => ({ productId: 0 }),
  revision: ({ at, price }) => `${at} ${price}`,
  present: (row) => ({ ...row, on_sale: isOnSale(row) }),
  // It has no address.
  links: { self: { to: 'product', when: () => false } },
})

/** The operations on the prices of products: a list for administrators. */
export const priceRoutes = () => [
  list(collection({ name: 'prices', path: '/products/:productId/prices', item: price }), {
    summary: 'Lists the prices that a product has and had, the newest first.',
    description: 'A price is kept for 400 days after it has ended.',
    access: adminOnly('products:write'),
    rateLimit: 'default',
    cache: noStore,
    filters: NoFilters,
    sortFields: ['newest'],
    problems: ['4041', '4101'],
    find: async ({ db }, { params: { productId }, page }) => {
      await requireProduct(db, productId)
      return listPrices(db, productId, page)
    },
  }),
]
