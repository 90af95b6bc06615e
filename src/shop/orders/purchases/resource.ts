import { anyUser, ownerOrAdmin, privateCache } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { list, read } from '#http/declare/route.ts'
import { visibleUserId } from '#shop/accounts/users/access.ts'
import { isActive, isProductVisible } from '#shop/catalogue/products/visibility.ts'
import { presentPurchase } from './rules.ts'
import { Purchase, PurchaseFilters } from './schema.ts'
import * as store from './store.ts'

const purchase = item({
  name: 'purchase',
  description: 'A line of a paid order: a product bought by a user, without the pieces returned.',
  path: '/purchases/:purchaseId',
  schema: Purchase,
  load: ({ db }, { purchaseId }) => store.findPurchase(db, purchaseId),
  pathParams: ({ id }) => ({ purchaseId: id }),
  // Only a return, another buyer, or none, and what hides, shows or removes the product change a purchase.
  revision: (purchase) => {
    const { user_id, product_deleted_at, merged_at, returned_at, quantity } = purchase
    const ofProduct = 2 * Number(product_deleted_at !== null) + 4 * Number(!isActive(purchase))
    const flags = 1 + Number(user_id === null) + ofProduct
    return `${flags}.${merged_at ?? 0}.${returned_at === null ? 0 : quantity}`
  },
  changedAt: (purchase) => [
    purchase.purchased_at,
    purchase.merged_at ?? purchase.purchased_at,
    purchase.returned_at ?? purchase.purchased_at,
    purchase.product_updated_at,
    purchase.buyer_erased_at ?? purchase.purchased_at,
  ],
  owner: ({ user_id }) => user_id,
  present: presentPurchase,
  links: {
    product: {
      to: 'product',
      params: ({ product_id }) => ({ productId: product_id }),
      when: (row, { actor }) => row.product_deleted_at === null && isProductVisible(row, actor),
    },
    order: { to: 'order', params: ({ order_id }) => ({ orderId: order_id }) },
  },
})

const purchases = collection({ name: 'purchases', path: '/purchases', item: purchase })

/** The operations on purchases, which paid orders create: reads by buyers and administrators. */
export const purchaseRoutes = () => [
  list(purchases, {
    summary: 'Lists the purchases of the caller or, for administrators, of all users.',
    access: anyUser('purchases:read'),
    rateLimit: 'default',
    cache: privateCache,
    filters: PurchaseFilters,
    sortFields: ['id', 'purchased_at'],
    problems: ['4031'],
    find: ({ db, actor }, { filters, page }) => {
      const user_id = visibleUserId(actor, filters.user_id)
      const { user_id: _, ...rest } = filters
      return store.listPurchases(db, user_id === undefined ? rest : { ...rest, user_id }, page)
    },
  }),
  read(purchase, {
    summary: 'Reads a purchase.',
    access: ownerOrAdmin(purchase, 'purchases:read'),
    rateLimit: 'default',
    cache: privateCache,
  }),
]
