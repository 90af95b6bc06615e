import { Type } from 'typebox'
import type { Context } from '#http/declare/context.ts'
import { anyUser, ownerOrAdmin, privateCache } from '#http/declare/policy.ts'
import { AfterCommit, created } from '#http/declare/results.ts'
import { create, list, modify, read, remove, replace } from '#http/declare/route.ts'
import { userInPathOrAdmin, visibleUserId } from '#shop/accounts/users/access.ts'
import { lockUser } from '#shop/accounts/users/store.ts'
import { buyerNetwork } from '#shop/caller-network.ts'
import type { PaymentParts } from '#shop/orders/payments/parts.ts'
import {
  carryOutCancellation,
  requestCancellation,
} from '#shop/orders/payments/settlement/cancel.ts'
import { settleFullRefund } from '#shop/orders/refunds/actions.ts'
import { withSavedShipping } from '#shop/orders/shipping/saved-address.ts'
import { changeQuota, placementQuota } from '#shop/orders/unpaid/limit.ts'
import type { Db } from '#store/database.ts'
import { problem } from '#values/problem.ts'
import { ownedOrder } from './access.ts'
import { placeOrder } from './actions.ts'
import type { OrderParts } from './fill-order.ts'
import { listOrders } from './list-store.ts'
import { replaceOrder } from './replace-order.ts'
import { orderResources } from './representation.ts'
import { awaitsBuyer } from './rules.ts'
import { NewOrder, OrderBody, OrderFilters, OrderPatch } from './schema.ts'
import { patchOrder, readUnpaidOrder, removeOrder } from './status-actions.ts'
import * as store from './store.ts'

type State = store.OrderState
type Resources = ReturnType<typeof orderResources>

const readPolicy = { rateLimit: 'default', cache: privateCache } as const
const changePolicy = { rateLimit: 'default', networkQuota: changeQuota } as const
const sortFields = ['id', 'total', 'status']
const ownOrder = ownerOrAdmin(ownedOrder, 'orders:read')

/** The operations on `/orders` and on `/users/:id/orders`. */
export const orderRoutes = (parts: OrderParts) => {
  const resources = orderResources(parts.shop)
  return [...shopRoutes(parts, resources), ...buyerRoutes(parts, resources)]
}

const placeOptions = {
  summary: 'Places an order of the items in the body or, without any, of the cart.',
  description:
    'Unless its method is `pickup`, it can be paid once its shipping has a recipient and an address.',
  rateLimit: 'default',
  networkQuota: placementQuota,
  isGuess: ({ discount_code }: NewOrder) => !!discount_code?.trim(),
  body: NewOrder,
  problems: ['4091', '4093', '4101'],
} as const

/** Places an order for a user. The caller of an ordinary checkout is that user, and a customer. */
async function place(ctx: Context, buyerId: number, body: NewOrder, parts: OrderParts) {
  const { db, now, actor } = ctx
  // A guest may be merged into an account meanwhile, or be erased.
  if (actor.role !== 'customer') await lockUser(db, buyerId)
  const resolved = await withSavedShipping(ctx, buyerId, body)
  const network = buyerNetwork(ctx)
  return created(await placeOrder(db, { userId: buyerId, body: resolved, network }, parts, now))
}

const shopRoutes = (parts: OrderParts, { order, orders }: Resources) => [
  list(orders, {
    summary: 'Lists the orders of the caller or, for administrators, of all users.',
    access: anyUser('orders:read'),
    ...readPolicy,
    filters: OrderFilters,
    sortFields,
    problems: ['4031'],
    find: ({ db, actor }, { filters, page }) => {
      if (filters.q !== undefined && actor.role !== 'admin') {
        throw problem('4031', 'detail.admin_only')
      }
      const user_id = visibleUserId(actor, filters.user_id)
      return listOrders(db, user_id === undefined ? filters : { ...filters, user_id }, page)
    },
  }),
  create(orders, {
    operationId: 'placeOwnOrder',
    ...placeOptions,
    access: anyUser('orders:write'),
    handle: (ctx, { body }) => place(ctx, ctx.actor.userId ?? 0, body, parts),
  }),
  read(order, { summary: 'Reads an order.', access: ownOrder, ...readPolicy }),
  modify(order, {
    ...patchOptions(parts),
    access: ownerOrAdmin(ownedOrder, 'orders:write'),
  }),
]

const buyerRoutes = (parts: OrderParts, { userOrder, userOrders }: Resources) => {
  const write = { access: userInPathOrAdmin('orders:write'), ...changePolicy }
  return [
    list(userOrders, {
      summary: 'Lists the orders of a user.',
      access: userInPathOrAdmin('orders:read'),
      ...readPolicy,
      filters: Type.Pick(OrderFilters, ['status', 'number']),
      sortFields,
      find: ({ db }, { params, filters, page }) =>
        listOrders(db, { ...filters, user_id: params.id }, page),
    }),
    create(userOrders, {
      operationId: 'placeOrder',
      ...placeOptions,
      access: write.access,
      handle: (ctx, { params, body }) => place(ctx, params.id, body, parts),
    }),
    read(userOrder, {
      summary: 'Reads an order.',
      access: userInPathOrAdmin('orders:read'),
      ...readPolicy,
    }),
    replace(userOrder, {
      summary: 'Replaces items, shipping and note of a pending order.',
      description:
        'Prices other items, another method or another address anew, with the code of the order; else all amounts stay.',
      ...write,
      body: OrderBody,
      problems: ['4091', '4093'],
      handle: async (ctx, { params, current, body }) => {
        const { db, now } = ctx
        const resolved = await withSavedShipping(ctx, params.id, body)
        return replaceOrder(db, current, resolved, parts, now)
      },
    }),
    modify(userOrder, {
      ...patchOptions(parts),
      access: userInPathOrAdmin('orders:write'),
    }),
    remove(userOrder, {
      summary: 'Removes a pending or cancelled order that was never paid.',
      ...write,
      problems: ['4091', '5021', '5031', '5041'],
      handle: async ({ db, now }, { current }) => {
        if (!awaitsBuyer(current)) return removeOrder(db, current, now)
        const payment = await requestCancellation(parts, db, current, now)
        return new AfterCommit(current.id, async ({ transaction }: Context) => {
          await carryOutCancellation(parts, payment)
          await transaction(async (tx) =>
            removeOrder(tx, await readUnpaidOrder(tx, current.id), now),
          )
        })
      },
    }),
  ]
}

/**
 * PATCH of an order. Refunds, and cancelling an order whose payment waits for the buyer, call the
 * provider after the transaction has committed.
 */
const patchOptions = (parts: PaymentParts) => ({
  summary: 'Changes the status of an order, or the note of a pending one.',
  description: 'A status that returns money requires `refunds:write`, too.',
  ...changePolicy,
  body: OrderPatch,
  problems: ['4031', '4033', '4091', '5021', '5031', '5041'] as const,
  handle: async (
    { db, now, actor }: Context,
    { current, body }: { readonly current: State; readonly body: OrderPatch },
  ) => {
    const { provider } = parts
    const patch = (tx: Db, order: State) => patchOrder(tx, order, body, { actor, provider, now })
    if (body.status === 'cancelled' && awaitsBuyer(current)) {
      const payment = await requestCancellation(parts, db, current, now)
      return new AfterCommit(current.id, async ({ transaction }: Context) => {
        await carryOutCancellation(parts, payment)
        const patchUnpaid = async (tx: Db) => patch(tx, await readUnpaidOrder(tx, current.id))
        return (await transaction(patchUnpaid)).order
      })
    }
    const { order: updated, refunding } = await patch(db, current)
    if (!refunding) return updated
    return new AfterCommit(current.id, (ctx: Context) => settleFullRefund(parts, ctx.db, refunding))
  },
  resumeResult: async ({ db }: Context, orderId: number) => {
    const order = await store.findOrder(db, orderId)
    if (order?.refund_pending) throw problem('4094', 'order.refund_under_way')
    // Its payment may be cancelled by now, or its refund rejected; the order is as it was.
    return order?.status === 'cancelled' || order?.status === 'refunded' ? order : undefined
  },
})
