import { Type } from 'typebox'
import { open, ownerOf, unstored } from '#http/declare/policy.ts'
import { collection, item, singleton } from '#http/declare/resource.ts'
import { AfterCommit, accepted, create, created, list, merged, read } from '#http/declare/route.ts'
import { findUserOrder } from '#resources/orders/store.ts'
import { ownUser } from '#resources/users/access.ts'
import type { Charge, PaymentProvider } from '#src/payments/provider.ts'
import { problem } from '#values/problem.ts'
import * as acts from './actions.ts'
import { isCalledOff, presentPayment, requirePresent } from './rules.ts'
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
  description: 'Where the payment provider tells what became of a charge.',
  path: '/payment-notifications',
  schema: Receipt,
  load: async () => ({ received: true }),
  pathParams: () => ({}),
  revision: () => 0,
  present: (receipt) => receipt,
  links: { self: { to: 'payment_notification', operation: 'create' } },
})

const outcomeOf = (paid: OwnedPayment) =>
  paid.status === 'pending' ? accepted(paid) : created(paid)

/** Payments, and the provider's word on them. */
export function paymentRoutes(paymentDependencies: acts.PaymentDependencies) {
  const { provider } = paymentDependencies
  return [
    list(orderPayments, {
      summary: 'Pages through the payments of an order.',
      access: ownUser('orders:read'),
      rate: 'reads',
      cache: unstored,
      filters: Type.Object({}),
      sorts: ['id', 'created_at'],
      problems: ['4041', '4101'],
      find: async ({ db }, { params, page }) => {
        const order = requirePresent(await findUserOrder(db, params.id, params.orderId))
        return listPayments(db, order.id, page)
      },
    }),
    create(orderPayments, {
      summary: 'Pays for an order; 202 where the provider answers later.',
      access: ownUser('payments:write'),
      rate: 'writes',
      body: PaymentBody,
      statuses: [201, 202],
      problems: ['4041', '4091', '4101', '4223', '5021', '5031', '5041'],
      handle: async ({ db, now }, { params, body }) => {
        const { id: userId, orderId } = params
        const started = await acts.startPayment(db, { userId, orderId, body }, provider.name, now)
        return new AfterCommit(started.payment.id, async () =>
          outcomeOf(await acts.charge(paymentDependencies, started, body.token)),
        )
      },
      resumeResult: async ({ db }, paymentId) => {
        const payment = await findPayment(db, paymentId)
        if (!payment || isCalledOff(payment)) return undefined
        return outcomeOf(acts.requireUndeclined(payment))
      },
    }),
    read(payment, {
      summary: 'Reads a payment.',
      access: ownerOf(payment, 'orders:read'),
      rate: 'reads',
      cache: unstored,
    }),
    receiveNotification(provider),
  ]
}

const receiveNotification = (provider: PaymentProvider) =>
  create(notification, {
    summary: 'Takes the word of the payment provider, which signs it.',
    access: open,
    // A provider calls as often as it has something to say, from few addresses.
    rate: 'problems',
    // What is said twice is known by its charge.
    acceptsIdempotencyKey: false,
    // A provider on this machine knows no certificate; what it says is signed.
    overPlainHttp: 'loopback',
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
      await acts.applyCharge(db, charge, now)
      return merged({ received: true })
    },
  })
