import type { Context } from '#http/declare/context.ts'
import type { Cipher } from '#http/pipeline/idempotency/store.ts'
import type { BuyerAction } from '#shop/providers/provider.ts'
import type { OwnedPayment } from './store.ts'

type StoredAction = Pick<OwnedPayment, 'idempotency_key' | 'next_action' | 'status'>

/** Encrypts what the buyer has to do for a payment. */
export const encryptAction = (
  { encrypt }: Pick<Cipher, 'encrypt'>,
  { idempotency_key }: Pick<OwnedPayment, 'idempotency_key'>,
  action: BuyerAction,
): string => encrypt(JSON.stringify(action), idempotency_key)

/**
 * Returns what the buyer has to do; null without an action and for a caller who may not pay, since
 * whoever knows it can finish the payment.
 */
export function visibleAction(
  { decrypt }: Pick<Cipher, 'decrypt'>,
  { idempotency_key, next_action, status }: StoredAction,
  { actor }: Pick<Context, 'actor'>,
): BuyerAction | null {
  if (status !== 'action_required' || next_action === null) return null
  if (!actor.scopes.has('payments:write')) return null
  const text = decrypt(next_action, idempotency_key)
  return text === undefined ? null : (JSON.parse(text) as BuyerAction)
}
