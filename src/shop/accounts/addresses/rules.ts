import { createMessage } from '#i18n/message.ts'
import { needsPostalCode } from '#values/countries.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import { regionOf, withoutFormerPlace } from './region.ts'
import { type AddressPatch, maxAddresses, maxMergedAddresses } from './schema.ts'
import { type Address, addresses } from './table.ts'

/**
 * Returns the fields of an address that are stored for a body: the region as its code. Throws 400/4001 without a postal
 * code where the country needs one, and 422/4221 for an unknown region.
 */
export function completeAddress<B extends AddressPatch>(body: B, current?: Address): B {
  const cleared = current ? withoutFormerPlace(current, body) : {}
  const next = { ...current, ...cleared, ...body }
  if (next.postal_code == null && needsPostalCode(next.country ?? '')) {
    const message = createMessage('field.required')
    throw fieldProblem([{ field: 'postal_code', message, missing: true }])
  }
  const isMoved = body.region !== undefined || body.country !== undefined
  return { ...cleared, ...body, ...(isMoved && { region: regionOf(next, 'region') }) }
}

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
