import { ownerOrAdmin, privateCache } from '#http/declare/policy.ts'
import { singleton } from '#http/declare/resource.ts'
import { read, replace } from '#http/declare/route.ts'
import type { Shop } from '#resources/dependencies.ts'
import { ownedOrder } from '#resources/orders/access.ts'
import { putShipping } from './actions.ts'
import { presentShipping } from './rules.ts'
import { Shipping, ShippingBody } from './schema.ts'

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
    edit: {
      to: 'order_shipping',
      operation: 'replace',
      when: ({ status }, { actor }) =>
        actor.role === 'admin' || status === 'pending' || status === 'paid',
    },
  },
})

/** The operations on the shipping of an order. */
export const shippingRoutes = ({ currencyDigits }: Shop) => [
  read(shipping, {
    summary: 'Reads the shipping of an order.',
    access: ownerOrAdmin(ownedOrder, 'orders:read'),
    rateLimit: 'reads',
    cache: privateCache,
  }),
  replace(shipping, {
    summary: 'Replaces the shipping of an order.',
    access: ownerOrAdmin(ownedOrder, 'orders:write'),
    rateLimit: 'writes',
    body: ShippingBody,
    problems: ['4031', '4091'],
    handle: ({ db, now, actor }, { current, body }) =>
      putShipping(db, current, body, { role: actor.role, now, currencyDigits }),
  }),
]
