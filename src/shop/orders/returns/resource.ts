import type { Context } from '#http/declare/context.ts'
import { requireScope } from '#http/declare/permissions.ts'
import { adminOnly, ownerOrAdmin, privateCache } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { AfterCommit, created } from '#http/declare/results.ts'
import { create, list, modify, read } from '#http/declare/route.ts'
import { NoFilters } from '#schema/words.ts'
import { ownedOrder } from '#shop/orders/orders/access.ts'
import { findOrder } from '#shop/orders/orders/store.ts'
import type { PaymentParts } from '#shop/orders/payments/parts.ts'
import { settleRefund } from '#shop/orders/refunds/actions.ts'
import { requirePresent } from '#shop/require-present.ts'
import type { Shop } from '#shop/shop.ts'
import { createReturn, patchReturn } from './actions.ts'
import { mayBecome } from './rules.ts'
import { NewReturn, Return, ReturnPatch } from './schema.ts'
import { findReturn, findReturnById, listReturns, type ReturnOfOrder } from './store.ts'

const transition = (to: 'approved' | 'rejected' | 'received') => ({
  to: 'return',
  operation: 'modify' as const,
  when: (row: ReturnOfOrder) => mayBecome(row, to),
  body: () => ({ status: to }),
})

const returnItem = item({
  name: 'return',
  description: 'Pieces of an order that its buyer returns.',
  path: '/orders/:orderId/returns/:returnId',
  schema: Return,
  load: ({ db }: Context, { orderId, returnId }) => findReturn(db, orderId, returnId),
  pathParams: ({ id, order_id }) => ({ orderId: order_id, returnId: id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  owner: ({ order }) => order.user_id,
  present: (row) => row,
  links: {
    order: { to: 'order', params: ({ order_id }) => ({ orderId: order_id }) },
    update: { to: 'return', operation: 'modify' },
    approve: transition('approved'),
    reject: transition('rejected'),
    receive: transition('received'),
    refund: {
      to: 'return',
      operation: 'modify',
      when: (row, ctx) => ctx.actor.scopes.has('refunds:write') && row.status === 'received',
      body: () => ({ refund: true }),
    },
  },
})

const returns = collection({
  name: 'order_returns',
  path: '/orders/:orderId/returns',
  item: returnItem,
})

const readPolicy = {
  access: ownerOrAdmin(ownedOrder, 'orders:read'),
  rateLimit: 'default',
  cache: privateCache,
} as const

const orderOf = async ({ db }: Context, { orderId }: { readonly orderId: number }) =>
  requirePresent('order', await findOrder(db, orderId))

/** The operations on the returns of orders. */
export const returnRoutes = (parts: PaymentParts & { readonly shop: Shop }) => [
  list(returns, {
    summary: 'Lists the returns of an order.',
    ...readPolicy,
    filters: NoFilters,
    sortFields: ['id', 'created_at', 'updated_at'],
    problems: ['4041', '4101'],
    find: async (ctx, { params, page }) => listReturns(ctx.db, await orderOf(ctx, params), page),
  }),
  create(returns, {
    operationId: 'requestReturn',
    summary: 'Asks for the return of pieces of an order, or withdraws from their contract.',
    description:
      'It is possible from the sending until some days (`RETURN_DAYS`) after the delivery.',
    access: ownerOrAdmin(ownedOrder, 'orders:write'),
    rateLimit: 'default',
    body: NewReturn,
    problems: ['4041', '4091', '4101'],
    handle: async (ctx, { params, body }) => {
      const { db, now } = ctx
      return created(await createReturn(db, await orderOf(ctx, params), body, parts.shop, now))
    },
  }),
  read(returnItem, { summary: 'Reads a return of an order.', ...readPolicy }),
  modify(returnItem, {
    summary: 'Approves, rejects or receives a return, or refunds what was received.',
    description:
      '`refund: true` refunds the pieces, without shipping, and needs `refunds:write`, too.',
    access: adminOnly('returns:write'),
    rateLimit: 'default',
    body: ReturnPatch,
    problems: ['4033', '4091'],
    handle: async ({ db, now, actor }, { current, body }) => {
      if (body.refund) requireScope('refunds:write', actor)
      const { changed, refunding } = await patchReturn(db, current, body, parts.provider, now)
      if (!refunding) return changed
      return new AfterCommit(changed.id, async (ctx) => {
        if (refunding.refund.status === 'pending') await settleRefund(parts, refunding)
        return findReturnById(ctx.db, changed.id)
      })
    },
    resumeResult: ({ db }: Context, id: number) => findReturnById(db, id),
  }),
]
