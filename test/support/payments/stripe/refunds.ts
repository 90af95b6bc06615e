import { checkStep } from './amounts.ts'
import { badParameter, badState, missing } from './errors.ts'
import { type Intents, newId } from './intents.ts'
import {
  checkParameters,
  type Parameters,
  readMetadata,
  readText,
  type Signature,
} from './parameters.ts'

/** A refund as the API shows it. */
export interface Refund {
  readonly id: string
  readonly object: 'refund'
  readonly amount: number
  readonly charge: string | null
  readonly created: number
  readonly currency: string
  readonly metadata: Readonly<Record<string, string>>
  readonly payment_intent: string
  readonly reason: string | null
  failure_reason?: string
  status: 'pending' | 'succeeded' | 'failed'
}

/** All refunds. */
export interface Refunds {
  readonly all: () => readonly Refund[]
  readonly create: (given: Parameters) => Refund
  readonly retrieve: (id: string) => Refund
  readonly list: (given: Parameters) => object
  /** What becomes of a pending refund. */
  readonly decide: (id: string, status: 'succeeded' | 'failed') => Refund
  /** The status that new refunds get. */
  nextStatus: Refund['status']
}

const createSignature: Signature = {
  ...{ amount: 'integer', charge: 'text', currency: 'text', expand: 'list', metadata: 'metadata' },
  ...{ payment_intent: 'text', reason: 'text', refund_application_fee: 'boolean' },
  reverse_transfer: 'boolean',
}
const listSignature: Signature = {
  ...{ payment_intent: 'text', charge: 'text', limit: 'integer', starting_after: 'text' },
  ...{ ending_before: 'text', created: 'object', expand: 'list' },
}

/** Returns an empty set of refunds of these intents; `emit` is called with every change. */
export function createRefunds(
  intents: Intents,
  emit: (type: string, object: object) => void,
): Refunds {
  const refunds: Refund[] = []
  const of = (intentId: string) =>
    refunds.filter((each) => each.payment_intent === intentId && each.status !== 'failed')
  const find = (id: string): Refund => {
    const refund = refunds.find((each) => each.id === id)
    if (!refund) throw missing('refund', id, 'id')
    return refund
  }
  const ledger: Refunds = {
    nextStatus: 'succeeded',
    all: () => refunds,
    create: (given) => {
      checkParameters(given, createSignature)
      const intentId = readText(given, 'payment_intent')
      if (intentId === undefined) {
        throw badParameter('payment_intent', 'parameter_missing', 'One of charge or payment_intent')
      }
      const intent = intents.retrieve(intentId)
      if (intent.status !== 'succeeded') {
        const message = 'This PaymentIntent does not have a successful charge to refund.'
        throw badState('charge_invalid', message)
      }
      const left = intent.amount - of(intentId).reduce((sum, { amount }) => sum + amount, 0)
      if (left === 0) throw badState('charge_already_refunded', 'The charge is already refunded.')
      const amount = Number(readText(given, 'amount') ?? left)
      checkStep(amount, intent.currency)
      if (amount < 1) throw badParameter('amount', 'parameter_invalid_integer', 'Invalid integer')
      if (amount > left) {
        throw badState('amount_too_large', `Refund amount is greater than unrefunded amount.`)
      }
      const refund: Refund = {
        ...{ id: newId('re'), object: 'refund', amount, payment_intent: intentId },
        ...{ currency: intent.currency, charge: intent.latest_charge },
        created: Math.floor(Date.now() / 1000),
        metadata: readMetadata(given),
        reason: readText(given, 'reason') ?? null,
        status: ledger.nextStatus,
      }
      refunds.push(refund)
      emit('refund.created', refund)
      return refund
    },
    retrieve: find,
    list: (given) => {
      checkParameters(given, listSignature)
      const limit = Math.min(Number(readText(given, 'limit') ?? 10), 100)
      const after = readText(given, 'starting_after')
      const intentId = readText(given, 'payment_intent')
      const matching = refunds
        .filter((each) => intentId === undefined || each.payment_intent === intentId)
        .toReversed()
      const from = after === undefined ? 0 : matching.findIndex(({ id }) => id === after) + 1
      const data = matching.slice(from, from + limit)
      return { object: 'list', url: '/v1/refunds', has_more: from + limit < matching.length, data }
    },
    decide: (id, status) => {
      const refund = find(id)
      refund.status = status
      if (status === 'failed') refund.failure_reason = 'expired_or_canceled_card'
      emit(status === 'failed' ? 'refund.failed' : 'refund.updated', refund)
      return refund
    },
  }
  return ledger
}
