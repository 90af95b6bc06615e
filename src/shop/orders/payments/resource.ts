import type { Context } from '#http/declare/context.ts'
import { noAuthentication, noStore, ownerOrAdmin } from '#http/declare/policy.ts'
import { collection, item, singleton } from '#http/declare/resource.ts'
import { AfterCommit, accepted, created, ok } from '#http/declare/results.ts'
import { create, list, read } from '#http/declare/route.ts'
import { NoFilters } from '#schema/words.ts'
import { userInPathOrAdmin } from '#shop/accounts/users/access.ts'
import { findUserOrder } from '#shop/orders/orders/store.ts'
import { requirePresent } from '#shop/require-present.ts'
import * as actions from './actions.ts'
import { visibleAction } from './next-action.ts'
import type { PaymentParts } from './parts.ts'
import { isCancelled, isOpen, presentPayment } from './rules.ts'
import { Notification, Payment, PaymentBody, Receipt } from './schema.ts'
import { receiveCallback } from './settlement/callback.ts'
import { findPayment, listPayments, type OwnedPayment } from './store.ts'

const paymentItem = ({ cipher }: PaymentParts) =>
  item({
    name: 'payment',
    description: 'An attempt to pay for an order.',
    path: '/payments/:paymentId',
    schema: Payment,
    load: ({ db }: Context, { paymentId }) => findPayment(db, paymentId),
    pathParams: ({ id }) => ({ paymentId: id }),
    revision: ({ revision, order_deleted_at }) =>
      order_deleted_at === null ? revision : `${revision}.deleted`,
    changedAt: ({ created_at, updated_at, order_deleted_at }) => [
      created_at,
      updated_at,
      order_deleted_at ?? updated_at,
    ],
    owner: ({ user_id }) => user_id,
    present: (payment, ctx) => presentPayment(payment, visibleAction(cipher, payment, ctx)),
    links: {
      order: {
        to: 'order',
        params: ({ order_id }) => ({ orderId: order_id }),
        when: ({ order_deleted_at }) => order_deleted_at === null,
      },
      continue: {
        to: 'payment',
        when: (payment, ctx) => visibleAction(cipher, payment, ctx) !== null,
        // Without a page, the buyer acts where the script of the provider runs.
        url: (payment, ctx) => {
          const action = visibleAction(cipher, payment, ctx)
          return action?.type === 'redirect' ? action.url : undefined
        },
      },
    },
  })

const notificationAt = (path: string) =>
  singleton<{ readonly received: boolean }, string>({
    name: 'payment_notification',
    description: 'Receives notifications of the payment provider.',
    path,
    schema: Receipt,
    load: async () => ({ received: true }),
    pathParams: () => ({}),
    revision: () => 0,
    present: (receipt) => receipt,
    links: { self: { to: 'payment_notification', operation: 'create' } },
  })

const responseTo = (paid: OwnedPayment) => (isOpen(paid) ? accepted(paid) : created(paid))

/** The operations on payments. */
export function paymentRoutes(parts: PaymentParts) {
  const payment = paymentItem(parts)
  const orderPayments = collection({
    name: 'order_payments',
    path: '/users/:id/orders/:orderId/payment',
    item: payment,
  })
  return [
    list(orderPayments, {
      summary: 'Lists the payments of an order.',
      access: userInPathOrAdmin('orders:read'),
      rateLimit: 'default',
      cache: noStore,
      filters: NoFilters,
      sortFields: ['id'],
      problems: ['4041', '4101'],
      find: async ({ db }, { params, page }) => {
        const order = requirePresent('order', await findUserOrder(db, params.id, params.orderId))
        return listPayments(db, order.id, page)
      },
    }),
    create(orderPayments, {
      operationId: 'payOrder',
      summary: 'Pays for an order.',
      description:
        'Answers 202 while the provider decides or the buyer has to act (`next_action`); meanwhile the order takes no other payment, and cancelling it ends this one. Answers 409 while a recipient or address is missing.',
      access: userInPathOrAdmin('payments:write'),
      rateLimit: 'default',
      body: PaymentBody,
      statuses: [201, 202],
      problems: ['4041', '4091', '4101', '4223', '5021', '5031', '5041'],
      handle: async ({ db, now }, { params, body }) => {
        const { id: userId, orderId } = params
        const started = await actions.startPayment(db, { userId, orderId, body }, parts, now)
        return new AfterCommit(started.payment.id, async () =>
          responseTo(await actions.pay(parts, started)),
        )
      },
      resumeResult: async ({ db }, paymentId) => {
        const found = await findPayment(db, paymentId)
        if (!found || isCancelled(found)) return undefined
        return responseTo(actions.requireUndeclinedPayment(found))
      },
    }),
    read(payment, {
      summary: 'Reads a payment.',
      access: ownerOrAdmin(payment, 'orders:read'),
      rateLimit: 'default',
      cache: noStore,
    }),
  ]
}

/** The operation that receives the provider's notifications. */
export const notificationRoutes = (parts: PaymentParts) => [
  create(notificationAt(parts.provider.callbackPath), {
    operationId: 'receivePaymentNotification',
    summary: 'Receives a signed notification of the payment provider.',
    access: noAuthentication,
    // A provider sends many notifications from few addresses; only problems are limited.
    rateLimit: 'problems',
    // Applying a notification twice changes nothing.
    acceptsIdempotencyKey: false,
    // A provider on this machine may have no certificate; notifications are signed.
    allowPlainHttpFrom: 'loopback',
    // The provider is asked before anything is written.
    transactions: 'own',
    body: Notification,
    statuses: [200],
    problems: ['4001', '5021', '5031', '5041'],
    handle: async (ctx, { raw }) => {
      await receiveCallback(parts, ctx, { body: Buffer.from(raw.text), header: raw.header })
      return ok({ received: true })
    },
  }),
]
