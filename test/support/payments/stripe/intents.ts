import { randomBytes } from 'node:crypto'
import { checkAmount } from './amounts.ts'
import { ApiError, badParameter, badState, missing } from './errors.ts'
import {
  checkParameters,
  type Parameters,
  readMetadata,
  readText,
  requireText,
  type Signature,
} from './parameters.ts'

type Status =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'succeeded'
  | 'canceled'

/** A payment intent as the API shows it. */
export interface Intent {
  readonly id: string
  readonly object: 'payment_intent'
  readonly amount: number
  readonly currency: string
  readonly client_secret: string
  readonly created: number
  readonly description: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly payment_method_types: readonly string[]
  readonly statement_descriptor_suffix: string | null
  readonly livemode: false
  amount_received: number
  cancellation_reason: string | null
  latest_charge: string | null
  last_payment_error: object | null
  next_action: object | null
  payment_method: string | null
  status: Status
}

/** A charge of an intent that has succeeded. */
export interface Charge {
  readonly id: string
  readonly intentId: string
  readonly amount: number
}

/** All intents, and how often each has taken money. */
export interface Intents {
  readonly all: () => readonly Intent[]
  readonly charges: () => readonly Charge[]
  readonly create: (given: Parameters) => Intent
  readonly retrieve: (id: string) => Intent
  readonly confirm: (id: string, given: Parameters) => Intent
  readonly cancel: (id: string, given: Parameters) => Intent
  /** What the bank decides about an intent that waits for the buyer or is processed. */
  readonly decide: (id: string, decision: 'succeed' | 'fail') => Intent
}

const createSignature: Signature = {
  ...{ amount: 'integer', currency: 'text', confirm: 'boolean', customer: 'text' },
  ...{ capture_method: 'text', confirmation_method: 'text', description: 'text' },
  ...{ expand: 'list', metadata: 'metadata', payment_method: 'text', confirmation_token: 'text' },
  ...{
    allowed_payment_method_types: 'list',
    automatic_payment_methods: 'object',
    receipt_email: 'text',
  },
  ...{ payment_method_options: 'object', return_url: 'url', setup_future_usage: 'text' },
  ...{ shipping: 'object', statement_descriptor: 'text', statement_descriptor_suffix: 'text' },
  ...{ off_session: 'boolean', use_stripe_sdk: 'boolean', transfer_group: 'text' },
}
const confirmSignature: Signature = {
  ...{ payment_method: 'text', confirmation_token: 'text', return_url: 'url', expand: 'list' },
  ...{ use_stripe_sdk: 'boolean', off_session: 'boolean', receipt_email: 'text' },
  ...{ payment_method_options: 'object', capture_method: 'text', shipping: 'object' },
  ...{ setup_future_usage: 'text', error_on_requires_action: 'boolean', mandate: 'text' },
}
const cancelSignature: Signature = { cancellation_reason: 'text', expand: 'list' }

/** A random ID of Stripe's form. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`

// As Stripe's test payment methods: what a confirmation with them leads to.
const methods: Readonly<Record<string, Status | string>> = {
  ...{ pm_card_visa: 'succeeded', pm_card_mastercard: 'succeeded', ctoken_visa: 'succeeded' },
  ...{ pm_card_authenticationRequired: 'requires_action', ctoken_3ds: 'requires_action' },
  pm_card_threeDSecure2Required: 'requires_action',
  pm_card_processing: 'processing',
  pm_card_chargeDeclined: 'generic_decline',
  ctoken_declined: 'generic_decline',
  pm_card_chargeDeclinedInsufficientFunds: 'insufficient_funds',
  pm_card_chargeDeclinedStolenCard: 'stolen_card',
}

const suffixRule = /^(?=.*[A-Za-z])[^<>\\'"*]{1,10}$/

/** Returns an empty set of intents; `emit` is called with every change. */
export function createIntents(emit: (type: string, object: object) => void): Intents {
  const intents = new Map<string, Intent>()
  const charges: Charge[] = []
  const find = (id: string): Intent => {
    const intent = intents.get(id)
    if (!intent) throw missing('payment_intent', id, 'intent')
    return intent
  }
  const succeed = (intent: Intent) => {
    const charge = { id: newId('ch'), intentId: intent.id, amount: intent.amount }
    charges.push(charge)
    intent.status = 'succeeded'
    intent.amount_received = intent.amount
    intent.latest_charge = charge.id
    intent.next_action = null
    emit('payment_intent.succeeded', intent)
  }
  const fail = (intent: Intent, code: string, decline_code?: string) => {
    intent.status = 'requires_payment_method'
    intent.next_action = null
    intent.payment_method = null
    // A real error shows the card; nobody may repeat it.
    const payment_method = {
      id: 'pm_1',
      object: 'payment_method',
      card: { last4: '0002', fingerprint: 'Xt5EWLLDS7FJjR1c' },
    }
    const message = 'Your card was declined.'
    const declined = decline_code === undefined ? {} : { decline_code }
    const error = { type: 'card_error', code, ...declined, message, payment_method }
    intent.last_payment_error = error
    emit('payment_intent.payment_failed', intent)
    return error
  }
  return {
    all: () => [...intents.values()],
    charges: () => charges,
    create: (given) => {
      const intent = createIntent(given)
      intents.set(intent.id, intent)
      emit('payment_intent.created', intent)
      return intent
    },
    retrieve: find,
    confirm: (id, given) => {
      checkParameters(given, confirmSignature)
      const intent = find(id)
      const param = 'confirmation_token' in given ? 'confirmation_token' : 'payment_method'
      const token = requireText(given, param)
      const prefix = param === 'payment_method' ? 'pm_' : 'ctoken_'
      const result = token.startsWith(prefix) ? methods[token] : undefined
      if (result === undefined) throw missing(param, token, param, 400)
      requireStatus(intent, ['requires_payment_method', 'requires_confirmation'], 'confirm')
      intent.last_payment_error = null
      intent.payment_method = newId('pm')
      if (result === 'succeeded') succeed(intent)
      else if (result === 'processing') intent.status = 'processing'
      else if (result === 'requires_action') requireAction(intent, given, emit)
      else {
        const error = fail(intent, 'card_declined', result)
        throw new ApiError(402, { ...error, payment_intent: { ...intent } }, true)
      }
      return intent
    },
    cancel: (id, given) => {
      checkParameters(given, cancelSignature)
      const intent = find(id)
      const open = ['requires_payment_method', 'requires_confirmation', 'requires_action'] as const
      requireStatus(intent, open, 'cancel')
      intent.status = 'canceled'
      intent.next_action = null
      intent.cancellation_reason = readText(given, 'cancellation_reason') ?? null
      emit('payment_intent.canceled', intent)
      return intent
    },
    decide: (id, decision) => {
      const intent = find(id)
      requireStatus(intent, ['requires_action', 'processing'], 'decide')
      if (decision === 'succeed') succeed(intent)
      else fail(intent, 'payment_intent_authentication_failure')
      return intent
    },
  }
}

function createIntent(given: Parameters): Intent {
  checkParameters(given, createSignature)
  const amount = Number(requireText(given, 'amount'))
  const currency = requireText(given, 'currency')
  checkAmount(amount, currency)
  const suffix = readText(given, 'statement_descriptor_suffix')
  if (suffix !== undefined && !suffixRule.test(suffix)) {
    const param = 'statement_descriptor_suffix'
    throw badParameter(param, 'parameter_invalid', 'The statement descriptor suffix is invalid.')
  }
  const id = newId('pi')
  return {
    ...{ id, object: 'payment_intent', amount, currency, livemode: false },
    client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
    created: Math.floor(Date.now() / 1000),
    description: readText(given, 'description') ?? null,
    metadata: readMetadata(given),
    payment_method_types: Object.values(given['allowed_payment_method_types'] ?? {}).map(String),
    statement_descriptor_suffix: suffix ?? null,
    ...{ amount_received: 0, cancellation_reason: null, latest_charge: null },
    ...{ last_payment_error: null, next_action: null, payment_method: null },
    status: 'requires_payment_method',
  }
}

function requireAction(
  intent: Intent,
  given: Parameters,
  emit: (type: string, object: object) => void,
): void {
  const returnUrl = readText(given, 'return_url')
  const isForScript = returnUrl === undefined || readText(given, 'use_stripe_sdk') === 'true'
  const url = `https://hooks.stripe.com/3d_secure_2/${intent.id}`
  intent.status = 'requires_action'
  intent.next_action = isForScript
    ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } }
    : { type: 'redirect_to_url', redirect_to_url: { url, return_url: returnUrl } }
  emit('payment_intent.requires_action', intent)
}

function requireStatus(intent: Intent, allowed: readonly Status[], verb: string): void {
  if (allowed.includes(intent.status)) return
  const message = `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`
  throw badState('payment_intent_unexpected_state', message, { payment_intent: { ...intent } })
}
