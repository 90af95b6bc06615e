import type { Context } from '#http/declare/context.ts'
import { adminOnly, ownerOrAdmin, privateCache } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { create, list, modify, read, remove } from '#http/declare/route.ts'
import { NoFilters } from '#schema/words.ts'
import { ownedOrder } from '#shop/orders/orders/access.ts'
import { findOrder } from '#shop/orders/orders/store.ts'
import { requirePresent } from '#shop/require-present.ts'
import { createParcel, removeParcel, updateParcel } from './actions.ts'
import { presentParcel } from './rules.ts'
import { NewParcel, Parcel, ParcelPatch } from './schema.ts'
import { findParcel, listParcels, type ParcelOfOrder } from './store.ts'

const isOnItsWay = ({ status }: ParcelOfOrder): boolean => status === 'in_transit'

const parcel = item({
  name: 'parcel',
  description: 'A parcel of an order.',
  path: '/orders/:orderId/parcels/:parcelId',
  schema: Parcel,
  load: ({ db }: Context, { orderId, parcelId }) => findParcel(db, orderId, parcelId),
  pathParams: ({ id, order_id }) => ({ orderId: order_id, parcelId: id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  owner: ({ order }) => order.user_id,
  present: presentParcel,
  links: {
    order: { to: 'order', params: ({ order_id }) => ({ orderId: order_id }) },
    update: { to: 'parcel', operation: 'modify' },
    deliver: {
      to: 'parcel',
      operation: 'modify',
      when: isOnItsWay,
      body: () => ({ status: 'delivered' }),
    },
    delete: {
      to: 'parcel',
      operation: 'remove',
      when: isOnItsWay,
    },
  },
})

const parcels = collection({
  name: 'order_parcels',
  path: '/orders/:orderId/parcels',
  item: parcel,
})

const readPolicy = {
  access: ownerOrAdmin(ownedOrder, 'orders:read'),
  rateLimit: 'default',
  cache: privateCache,
} as const

const write = { access: adminOnly('orders:write'), rateLimit: 'default' } as const

const orderOf = async ({ db }: Context, { orderId }: { readonly orderId: number }) =>
  requirePresent('order', await findOrder(db, orderId))

/** The operations on the parcels of orders. */
export const parcelRoutes = () => [
  list(parcels, {
    summary: 'Lists the parcels of an order.',
    ...readPolicy,
    filters: NoFilters,
    sortFields: ['id', 'created_at', 'updated_at'],
    problems: ['4041', '4101'],
    find: async (ctx, { params, page }) => listParcels(ctx.db, await orderOf(ctx, params), page),
  }),
  create(parcels, {
    operationId: 'sendParcel',
    summary: 'Sends pieces of a paid order, by default all that were not sent yet, in a parcel.',
    description:
      'The order is `shipped` once every piece that needs shipping is in a parcel or refunded.',
    ...write,
    body: NewParcel,
    problems: ['4041', '4091', '4101'],
    handle: async (ctx, { params, body }) =>
      created(await createParcel(ctx.db, await orderOf(ctx, params), body, ctx.now)),
  }),
  read(parcel, { summary: 'Reads a parcel of an order.', ...readPolicy }),
  modify(parcel, {
    summary: 'Changes the tracking of a parcel, or marks it as delivered.',
    description: 'The order is `delivered` once all is sent and every parcel is.',
    ...write,
    body: ParcelPatch,
    problems: ['4091'],
    handle: ({ db, now }, { current, body }) => updateParcel(db, current, body, now),
  }),
  remove(parcel, {
    summary: 'Removes a parcel that was not delivered; its pieces are to be sent again.',
    ...write,
    problems: ['4091'],
    handle: ({ db, now }, { current }) => removeParcel(db, current, now),
  }),
]
