import { ownerOrAdmin, privateCache } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { list, read } from '#http/declare/route.ts'
import { NoFilters } from '#schema/words.ts'
import {
  isActive,
  isProductVisible,
  type ProductVisibility,
} from '#shop/catalogue/products/visibility.ts'
import { ownedOrder } from '#shop/orders/orders/access.ts'
import { presentItem } from './rules.ts'
import { OrderItem } from './schema.ts'
import * as store from './store.ts'

/** False for an item of another shop that no product here is. */
const isOfProduct = (row: store.OwnedItem): row is store.OwnedItem & ProductVisibility =>
  row.product_id !== null && row.status !== null

const orderItem = item({
  name: 'order_item',
  singular: 'item',
  description: 'An item of an order.',
  path: '/orders/:orderId/items/:itemId',
  schema: OrderItem,
  load: ({ db }, { orderId, itemId }) => store.findItem(db, orderId, itemId),
  pathParams: (row) => ({ orderId: row.order_id, itemId: row.id }),
  // An item changes only with its parcels, when its buyer is erased, or its product removed, hidden or shown.
  revision: (row) =>
    1 +
    Number(row.product_deleted_at !== null) +
    2 * Number(row.user_id === null) +
    4 * Number(!isOfProduct(row) || !isActive(row)) +
    8 * row.sent,
  changedAt: ({ created_at, product_updated_at, order_updated_at }) => [
    created_at,
    product_updated_at ?? created_at,
    order_updated_at,
  ],
  owner: ({ user_id }) => user_id,
  present: presentItem,
  links: {
    order: { to: 'order', params: ({ order_id }) => ({ orderId: order_id }) },
    product: {
      to: 'product',
      params: ({ product_id }) => ({ productId: product_id ?? 0 }),
      when: (row, { actor }) =>
        isOfProduct(row) && row.product_deleted_at === null && isProductVisible(row, actor),
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
