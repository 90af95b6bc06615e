import { createMessage } from '#i18n/message.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import { type AddressPatch, maxAddresses, maxMergedAddresses } from './schema.ts'
import { type Address, addresses } from './table.ts'

const fields = Object.keys(addresses.body.properties) as (keyof Address)[]

/** Throws 409/4091 when a user with this many addresses adds one. */
export function requireFewAddresses(count: number): void {
  if (count >= maxAddresses) throw problem('4091', 'address.limit', { limit: maxAddresses })
}

/** Throws 422/4221 when the default would become none, without another in its place. */
export function requireDefaultAddress(
  { is_default: isDefault }: Address,
  { is_default: next }: AddressPatch,
): void {
  if (!isDefault || next !== false) return
  throw fieldProblem([{ field: 'is_default', message: createMessage('address.default_needed') }])
}

/**
 * Returns the addresses that move to another user, who has `own`: those that are new there. The
 * addresses of two users with as many as they may add fit. Of more, the newest are kept.
 */
export const addressesToMove = (
  own: readonly Address[],
  others: readonly Address[],
): readonly Address[] => {
  const added = others.filter(
    (other) => !own.some((each) => fields.every((name) => each[name] === other[name])),
  )
  return added.slice(Math.max(0, own.length + added.length - maxMergedAddresses))
}
