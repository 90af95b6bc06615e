import type { Context } from '#http/declare/context.ts'
import { adminOnly, noStore } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { AfterCommit, accepted, created } from '#http/declare/results.ts'
import { create, list, read } from '#http/declare/route.ts'
import { NoFilters } from '#schema/words.ts'
import { findOrder } from '#shop/orders/orders/store.ts'
import type { PaymentParts } from '#shop/orders/payments/parts.ts'
import { requirePresent } from '#shop/require-present.ts'
import { settleRefund, startRefund } from './actions.ts'
import { Refund, RefundBody } from './schema.ts'
import { findRefund, listRefunds, type OwnedRefund } from './store.ts'

const refundItem = item({
  name: 'refund',
  description: 'Money that goes back to the buyer of an order.',
  path: '/orders/:orderId/refunds/:refundId',
  schema: Refund,
  load: async ({ db }: Context, { orderId, refundId }) => {
    const found = await findRefund(db, refundId)
    return found?.order_id === orderId ? found : undefined
  },
  pathParams: ({ id, order_id }) => ({ orderId: order_id, refundId: id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  // Responses that are stored under a key go when the buyer is erased.
  owner: ({ user_id }) => user_id,
  present: (refund) => refund,
  links: {
    order: { to: 'order', params: ({ order_id }) => ({ orderId: order_id }) },
    payment: { to: 'payment', params: ({ payment_id }) => ({ paymentId: payment_id }) },
  },
})

const refunds = collection({
  name: 'order_refunds',
  path: '/orders/:orderId/refunds',
  item: refundItem,
})

const responseTo = (refund: OwnedRefund) =>
  refund.status === 'pending' ? accepted(refund) : created(refund)

const readPolicy = {
  access: adminOnly('orders:read'),
  rateLimit: 'default',
  cache: noStore,
} as const

/** The operations on the refunds of orders, for administrators. */
export const refundRoutes = (parts: PaymentParts) => [
  list(refunds, {
    summary: 'Lists the refunds of an order.',
    ...readPolicy,
    filters: NoFilters,
    sortFields: ['id', 'created_at', 'updated_at'],
    problems: ['4041', '4101'],
    find: async ({ db }, { params, page }) => {
      const order = requirePresent('order', await findOrder(db, params.orderId))
      return listRefunds(db, order.id, page)
    },
  }),
  create(refunds, {
    operationId: 'refundOrder',
    summary:
      'Returns an amount, pieces, the shipping cost or all that is left of a paid order; answers 202 while the provider decides.',
    access: adminOnly('refunds:write'),
    rateLimit: 'default',
    body: RefundBody,
    statuses: [201, 202],
    problems: ['4041', '4091', '4101'],
    handle: async ({ db, now }, { params, body }) => {
      const order = requirePresent('order', await findOrder(db, params.orderId))
      const { provider } = parts
      const started = await startRefund(db, order, body, provider, now)
      return new AfterCommit(started.refund.id, async (ctx) => {
        if (started.refund.status === 'pending') await settleRefund(parts, started)
        return responseTo(await requireRefund(ctx, started.refund.id))
      })
    },
    resumeResult: async (ctx, refundId) => responseTo(await requireRefund(ctx, refundId)),
  }),
  read(refundItem, { summary: 'Reads a refund of an order.', ...readPolicy }),
]

async function requireRefund({ db }: Pick<Context, 'db'>, id: number): Promise<OwnedRefund> {
  const refund = await findRefund(db, id)
  if (!refund) throw new TypeError(`The refund ${id} is gone`)
  return refund
}
