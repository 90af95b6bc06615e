import { ownerOrAdmin, privateCache } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { list, read } from '#http/declare/route.ts'
import { NoFilters } from '#schema/words.ts'
import { isActive, isProductVisible } from '#shop/catalogue/products/visibility.ts'
import { ownedOrder } from '#shop/orders/orders/access.ts'
import { presentItem } from './rules.ts'
import { OrderItem } from './schema.ts'
import * as store from './store.ts'

const orderItem = item({
  name: 'order_item',
  singular: 'item',
  description: 'An item of an order.',
  path: '/orders/:orderId/items/:itemId',
  schema: OrderItem,
  load: ({ db }, { orderId, itemId }) => store.findItem(db, orderId, itemId),
  pathParams: (row) => ({ orderId: row.order_id, itemId: row.id }),
  // An item changes only with its parcels, when its buyer is erased, or its product removed, hidden or shown.
  revision: ({ user_id, product_deleted_at, sent, ...product }) =>
    1 +
    Number(product_deleted_at !== null) +
    2 * Number(user_id === null) +
    4 * Number(!isActive(product)) +
    8 * sent,
  changedAt: ({ created_at, product_updated_at, order_updated_at }) => [
    created_at,
    product_updated_at,
    order_updated_at,
  ],
  owner: ({ user_id }) => user_id,
  present: presentItem,
  links: {
    order: { to: 'order', params: ({ order_id }) => ({ orderId: order_id }) },
    product: {
      to: 'product',
      params: ({ product_id }) => ({ productId: product_id }),
      when: (row, { actor }) => row.product_deleted_at === null && isProductVisible(row, actor),
    },
  },
})
const orderItems = collection({
  name: 'order_items',
  path: '/orders/:orderId/items',
  item: orderItem,
})

const ownOrder = ownerOrAdmin(ownedOrder, 'orders:read')
const readPolicy = { rateLimit: 'default', cache: privateCache } as const

/** The operations on the items of orders. */
export const orderItemRoutes = () => [
  list(orderItems, {
    summary: 'Lists the items of an order.',
    access: ownOrder,
    ...readPolicy,
    filters: NoFilters,
    sortFields: ['id', 'name', 'quantity'],
    find: ({ db }, { params, page }) => store.listItems(db, params.orderId, page),
  }),
  read(orderItem, { summary: 'Reads an item of an order.', access: ownOrder, ...readPolicy }),
]
