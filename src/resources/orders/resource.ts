import { Type } from 'typebox'
import type { Context } from '#http/declare/context.ts'
import { ownerOf, personal, signedIn } from '#http/declare/policy.ts'
import { collection, type Include, item, type Link } from '#http/declare/resource.ts'
import {
  AfterCommit,
  create,
  created,
  list,
  modify,
  read,
  remove,
  replace,
} from '#http/declare/route.ts'
import type { Shop } from '#resources/dependencies.ts'
import { loadItemsOf } from '#resources/order-items/store.ts'
import { type PaymentDependencies, refund } from '#resources/payments/actions.ts'
import { loadPaymentsOf } from '#resources/payments/store.ts'
import { ownUser } from '#resources/users/access.ts'
import { problem } from '#values/problem.ts'
import { ownedOrder } from './access.ts'
import { moveOrder, placeOrder, removeOrder, replaceOrder } from './actions.ts'
import { listOrders } from './list-store.ts'
import { canMove, presentOrder } from './rules.ts'
import { NewOrder, Order, OrderBody, OrderFilters, OrderPatch, type OrderStatus } from './schema.ts'
import * as store from './store.ts'

type State = store.OrderState

const ofOrder = ({ id }: State) => ({ orderId: id })
const ofUser = ({ id, user_id }: State) => ({ id: user_id ?? 0, orderId: id })
const isQuiet = ({ payment_pending, refund_pending }: State) => !payment_pending && !refund_pending
const isOpen = (order: State) => order.status === 'pending' && isQuiet(order)
/** False once the buyer is erased: then there is no user whose order it would be. */
const hasBuyer = ({ user_id }: State) => user_id !== null

/** A link that moves the order to another status, shown to who may do so now. */
const move = (to: OrderStatus): Link<State> => ({
  to: 'order',
  operation: 'modify',
  params: ofOrder,
  when: (order, { actor }) => isQuiet(order) && canMove(order.status, to, actor.role),
  body: () => ({ status: to }),
})

const links: Readonly<Record<string, Link<State>>> = {
  self: { to: 'order', params: ofOrder },
  items: { to: 'order_items', params: ofOrder },
  shipping: { to: 'order_shipping', params: ofOrder },
  payments: { to: 'order_payments', params: ofUser, when: hasBuyer },
  user: {
    to: 'user',
    params: ({ user_id }) => ({ id: user_id ?? 0 }),
    when: hasBuyer,
  },
  pay: {
    to: 'order_payments',
    operation: 'create',
    params: ofUser,
    when: (order) => isOpen(order) && hasBuyer(order),
    body: () => ({ method: 'card', token: 'string' }),
  },
  edit: {
    to: 'user_order',
    operation: 'replace',
    params: ofUser,
    when: (order) => isOpen(order) && hasBuyer(order),
  },
  cancel: move('cancelled'),
  ship: move('shipped'),
  deliver: move('delivered'),
  refund: move('refunded'),
  delete: {
    to: 'user_order',
    operation: 'remove',
    params: ofUser,
    when: (order) => hasBuyer(order) && (isOpen(order) || order.status === 'cancelled'),
  },
}

const includes: Readonly<Record<string, Include<State>>> = {
  items: {
    resource: 'order_item',
    many: true,
    load: ({ db }, orders) => loadItemsOf(db, orders),
  },
  shipping: {
    resource: 'order_shipping',
    many: false,
    load: async (_ctx, orders) => new Map(orders.map((order) => [order, order])),
  },
  payments: {
    resource: 'payment',
    many: true,
    load: ({ db }, orders) => loadPaymentsOf(db, orders),
  },
}

const shape = {
  description: 'What a user has ordered.',
  schema: Order,
  isGone: ownedOrder.isGone,
  revision: ({ revision }: State) => revision,
  changedAt: ({ created_at, updated_at }: State) => [created_at, updated_at],
  owner: ownedOrder.owner,
  present: (order: State) => presentOrder(order),
  links,
  includes,
  includeGroups: { details: ['items', 'shipping', 'payments'] },
}

const order = item({
  ...shape,
  name: 'order',
  path: '/orders/:orderId',
  load: ownedOrder.load,
  pathParams: ofOrder,
})
const userOrder = item({
  ...shape,
  name: 'user_order',
  singular: 'order',
  path: '/users/:id/orders/:orderId',
  load: ({ db }: Context, { id, orderId }: { readonly id: number; readonly orderId: number }) =>
    store.findUserOrder(db, id, orderId),
  pathParams: ofUser,
})
const orders = collection({ name: 'orders', path: '/orders', item: order })
const userOrders = collection({ name: 'user_orders', path: '/users/:id/orders', item: userOrder })

const reading = { rate: 'reads', cache: personal } as const
const sorts = ['id', 'created_at', 'updated_at', 'total', 'status']
const ownOrder = ownerOf(ownedOrder, 'orders:read')

/** Orders, as the shop and as their buyers see them. */
export const orderRoutes = (shop: Shop, paymentDependencies: PaymentDependencies) => [
  ...shopRoutes(paymentDependencies),
  ...buyerRoutes(shop, paymentDependencies),
]

const shopRoutes = (paymentDependencies: PaymentDependencies) => [
  list(orders, {
    summary: 'Pages through orders: all for administrators, own for others.',
    access: signedIn('orders:read'),
    ...reading,
    filters: OrderFilters,
    sorts,
    problems: ['4031'],
    find: ({ db, actor }, { filters, page }) => {
      if (actor.role === 'admin') return listOrders(db, filters, page)
      const own = actor.userId ?? 0
      if ((filters.user_id ?? own) !== own) throw problem('4031', 'detail.not_owner')
      return listOrders(db, { ...filters, user_id: own }, page)
    },
  }),
  read(order, { summary: 'Reads an order.', access: ownOrder, ...reading }),
  modify(order, { ...moving(paymentDependencies), access: ownerOf(ownedOrder, 'orders:write') }),
]

const buyerRoutes = (shop: Shop, paymentDependencies: PaymentDependencies) => {
  const write = { access: ownUser('orders:write'), rate: 'writes' } as const
  return [
    list(userOrders, {
      summary: "Pages through a user's orders.",
      access: ownUser('orders:read'),
      ...reading,
      filters: Type.Pick(OrderFilters, ['status']),
      sorts,
      find: ({ db }, { params, filters, page }) =>
        listOrders(db, { ...filters, user_id: params.id }, page),
    }),
    create(userOrders, {
      summary: 'Places an order of the items sent, or of the whole cart.',
      ...write,
      body: NewOrder,
      problems: ['4091', '4093'],
      handle: async ({ db, now }, { params, body }) =>
        created(await placeOrder(db, params.id, body, shop, now)),
    }),
    read(userOrder, { summary: 'Reads an order.', access: ownUser('orders:read'), ...reading }),
    replace(userOrder, {
      summary: 'Replaces items, shipping and note of a pending order.',
      ...write,
      body: OrderBody,
      problems: ['4091', '4093'],
      handle: ({ db, now }, { current, body }) => replaceOrder(db, current, body, shop, now),
    }),
    modify(userOrder, { ...moving(paymentDependencies), access: ownUser('orders:write') }),
    remove(userOrder, {
      summary: 'Removes a pending or cancelled order.',
      ...write,
      problems: ['4091'],
      handle: ({ db, now }, { current }) => removeOrder(db, current, now),
    }),
  ]
}

/** PATCH of an order; giving money back waits for the provider, outside the transaction. */
const moving = (paymentDependencies: PaymentDependencies) => ({
  summary: 'Moves an order along its life, or changes the note of a pending one.',
  rate: 'writes' as const,
  body: OrderPatch,
  problems: ['4031', '4091', '5021', '5031', '5041'] as const,
  handle: async (
    { db, now, actor }: Context,
    { current, body }: { readonly current: State; readonly body: OrderPatch },
  ) => {
    const moved = await moveOrder(db, current, body, actor.role, now)
    const { refunding } = moved
    if (!refunding) return moved.order
    return new AfterCommit(current.id, async (ctx: Context) => {
      await refund(paymentDependencies, refunding)
      return (await store.findOrder(ctx.db, current.id)) ?? current
    })
  },
  resumeResult: async ({ db }: Context, orderId: number) => {
    const order = await store.findOrder(db, orderId)
    if (order?.refund_pending) throw problem('4094', 'order.refund_under_way')
    return order
  },
})
