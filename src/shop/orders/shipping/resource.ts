import type { Context } from '#http/declare/context.ts'
import { ownerOrAdmin, privateCache } from '#http/declare/policy.ts'
import { singleton } from '#http/declare/resource.ts'
import { modify, read, replace } from '#http/declare/route.ts'
import { ownedOrder } from '#shop/orders/orders/access.ts'
import { awaitsBuyer, canTransition, hasNoPaymentInProgress } from '#shop/orders/orders/rules.ts'
import type { OrderState } from '#shop/orders/orders/store.ts'
import { changeQuota } from '#shop/orders/unpaid/limit.ts'
import type { Shop } from '#shop/shop.ts'
import { patchShipping, replaceShipping } from './actions.ts'
import { isShippable, isUnshipped, presentShipping } from './rules.ts'
import { withSavedAddress } from './saved-address.ts'
import { Shipping, ShippingBody } from './schema.ts'

const isChangeable = (order: OrderState, { actor }: Context): boolean =>
  actor.role === 'admin' || (!awaitsBuyer(order) && isUnshipped(order))

const shipping = singleton({
  name: 'order_shipping',
  singular: 'shipping',
  description: 'How and where an order is sent.',
  path: '/orders/:orderId/shipping',
  schema: Shipping,
  load: ownedOrder.load,
  isGone: ownedOrder.isGone,
  pathParams: ({ id }) => ({ orderId: id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  owner: ownedOrder.owner,
  present: presentShipping,
  links: {
    order: { to: 'order' },
    update: {
      to: 'order_shipping',
      operation: 'modify',
      when: isChangeable,
      body: ({ recipient, line1, city, country }) => ({
        recipient: recipient ?? 'string',
        address: {
          line1: line1 ?? 'string',
          city: city ?? 'string',
          country: country ?? 'string',
        },
      }),
    },
    ship: {
      to: 'order_shipping',
      operation: 'modify',
      when: (order, { actor }) =>
        canTransition(order.status, 'shipped', actor.role) &&
        hasNoPaymentInProgress(order) &&
        isShippable(order),
      body: ({ carrier, tracking_number }) => ({
        status: 'in_transit',
        carrier,
        tracking_number,
      }),
    },
    edit: { to: 'order_shipping', operation: 'replace', when: isChangeable },
  },
})

const write = {
  access: ownerOrAdmin(ownedOrder, 'orders:write'),
  rateLimit: 'default',
  networkQuota: changeQuota,
  problems: ['4031', '4091'],
} as const

/** The operations on the shipping of an order. */
export const shippingRoutes = (shop: Shop) => [
  read(shipping, {
    summary: 'Reads the shipping of an order.',
    access: ownerOrAdmin(ownedOrder, 'orders:read'),
    rateLimit: 'default',
    cache: privateCache,
  }),
  modify(shipping, {
    summary: 'Changes some fields of the shipping of an order; the others stay as they are.',
    description:
      'Administrators ship a paid order by the status `in_transit`, with `carrier` and `tracking_number`.',
    ...write,
    body: ShippingBody,
    handle: async (ctx, { current, body }) => {
      const { db, now, actor } = ctx
      const choice = await withSavedAddress(ctx, current.user_id, body, '', current)
      return patchShipping(db, current, choice, { role: actor.role, now, shop })
    },
  }),
  replace(shipping, {
    summary: 'Replaces the shipping of an order; PATCH changes some fields and keeps the others.',
    ...write,
    body: ShippingBody,
    handle: async (ctx, { current, body }) => {
      const { db, now, actor } = ctx
      const choice = await withSavedAddress(ctx, current.user_id, body)
      return replaceShipping(db, current, choice, { role: actor.role, now, shop })
    },
  }),
]
