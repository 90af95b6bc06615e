import { Type } from 'typebox'
import { noAuthentication, noStore, ownerOrAdmin } from '#http/declare/policy.ts'
import { collection, item, singleton } from '#http/declare/resource.ts'
import { AfterCommit, accepted, create, created, list, ok, read } from '#http/declare/route.ts'
import { findUserOrder } from '#resources/orders/store.ts'
import { userInPathOrAdmin } from '#resources/users/access.ts'
import type { Charge, PaymentProvider } from '#src/payments/provider.ts'
import { problem } from '#values/problem.ts'
import * as actions from './actions.ts'
import { isVoided, presentPayment, requirePresent } from './rules.ts'
import { Notification, Payment, PaymentBody, Receipt } from './schema.ts'
import { findPayment, listPayments, type OwnedPayment } from './store.ts'

const payment = item({
  name: 'payment',
  description: 'An attempt to pay for an order.',
  path: '/payments/:paymentId',
  schema: Payment,
  load: ({ db }, { paymentId }) => findPayment(db, paymentId),
  pathParams: ({ id }) => ({ paymentId: id }),
  revision: ({ revision }) => revision,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  owner: ({ user_id }) => user_id,
  present: presentPayment,
  links: { order: { to: 'order', params: ({ order_id }) => ({ orderId: order_id }) } },
})
const orderPayments = collection({
  name: 'order_payments',
  path: '/users/:id/orders/:orderId/payment',
  item: payment,
})

const notification = singleton<{ readonly received: boolean }, '/payment-notifications'>({
  name: 'payment_notification',
  description: 'Receives notifications of the payment provider.',
  path: '/payment-notifications',
  schema: Receipt,
  load: async () => ({ received: true }),
  pathParams: () => ({}),
  revision: () => 0,
  present: (receipt) => receipt,
  links: { self: { to: 'payment_notification', operation: 'create' } },
})

const responseTo = (paid: OwnedPayment) =>
  paid.status === 'pending' ? accepted(paid) : created(paid)

/** The operations on payments and the provider's notifications. */
export function paymentRoutes(dependencies: actions.PaymentDependencies) {
  const { provider } = dependencies
  return [
    list(orderPayments, {
      summary: 'Lists the payments of an order.',
      access: userInPathOrAdmin('orders:read'),
      rateLimit: 'reads',
      cache: noStore,
      filters: Type.Object({}),
      sortFields: ['id', 'created_at'],
      problems: ['4041', '4101'],
      find: async ({ db }, { params, page }) => {
        const order = requirePresent(await findUserOrder(db, params.id, params.orderId))
        return listPayments(db, order.id, page)
      },
    }),
    create(orderPayments, {
      summary: 'Pays for an order; answers 202 while the charge is pending.',
      access: userInPathOrAdmin('payments:write'),
      rateLimit: 'writes',
      body: PaymentBody,
      statuses: [201, 202],
      problems: ['4041', '4091', '4101', '4223', '5021', '5031', '5041'],
      handle: async ({ db, now }, { params, body }) => {
        const { id: userId, orderId } = params
        const started = await actions.startPayment(
          db,
          { userId, orderId, body },
          provider.name,
          now,
        )
        return new AfterCommit(started.payment.id, async () =>
          responseTo(await actions.charge(dependencies, started, body.token)),
        )
      },
      resumeResult: async ({ db }, paymentId) => {
        const payment = await findPayment(db, paymentId)
        if (!payment || isVoided(payment)) return undefined
        return responseTo(actions.requireUndeclined(payment))
      },
    }),
    read(payment, {
      summary: 'Reads a payment.',
      access: ownerOrAdmin(payment, 'orders:read'),
      rateLimit: 'reads',
      cache: noStore,
    }),
    receiveNotification(provider),
  ]
}

const receiveNotification = (provider: PaymentProvider) =>
  create(notification, {
    summary: 'Receives a signed notification of the payment provider.',
    access: noAuthentication,
    // A provider sends many notifications from few addresses; only problems are limited.
    rateLimit: 'problems',
    // Applying a notification twice changes nothing.
    acceptsIdempotencyKey: false,
    // A provider on this machine may have no certificate; notifications are signed.
    allowPlainHttpFrom: 'loopback',
    body: Notification,
    statuses: [200],
    problems: ['4012'],
    handle: async ({ db, now }, { raw }) => {
      const signature = raw.header(provider.signatureHeader)
      const charge: Charge | undefined = provider.verifyCallback(
        Buffer.from(raw.text),
        signature,
        now,
      )
      if (!charge) throw problem('4012', 'payment.bad_signature')
      await actions.applyCharge(db, charge, now)
      return ok({ received: true })
    },
  })
