import { createMessage } from '#i18n/message.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import { type AddressBody, type AddressPatch, maxAddresses, maxMergedAddresses } from './schema.ts'

/** The columns of an address that its user sets, except whether it is the default. */
export interface AddressState {
  readonly recipient: string
  readonly line1: string
  readonly line2: string | null
  readonly city: string
  readonly region: string | null
  readonly postal_code: string
  readonly country: string
  readonly phone: string | null
}

const columns = [
  ...(['recipient', 'line1', 'line2', 'city'] as const),
  ...(['region', 'postal_code', 'country', 'phone'] as const),
]

/** Returns the state of a new address, or of one replaced by PUT. */
export const createAddressState = ({ is_default: _, ...body }: AddressBody): AddressState => ({
  line2: null,
  region: null,
  phone: null,
  ...body,
})

/** Returns the state after PATCH; omitted fields stay. */
export const patchAddressState = (
  current: AddressState,
  { is_default: _, ...patch }: AddressPatch,
): AddressState => ({
  ...(Object.fromEntries(
    columns.map((column) => [column, current[column]]),
  ) as unknown as AddressState),
  ...patch,
})

/** Throws 409/4091 when a user with this many addresses adds one. */
export function requireFewAddresses(count: number): void {
  if (count >= maxAddresses) throw problem('4091', 'address.limit', { limit: maxAddresses })
}

/** Throws 422/4221 when the default would become none, without another in its place. */
export function requireDefaultAddress(
  { is_default: isDefault }: { readonly is_default: number },
  { is_default: next }: AddressPatch,
): void {
  if (isDefault === 0 || next !== false) return
  throw fieldProblem([{ field: 'is_default', message: createMessage('address.default_needed') }])
}

/** Returns an address as its schema describes it. */
export const presentAddress = <A extends { readonly is_default: number }>(address: A) => ({
  ...address,
  is_default: address.is_default === 1,
})

/**
 * Returns the addresses that move to another user, who has `own`: those that are new there. The
 * addresses of two users with as many as they may add fit. Of more, the newest are kept.
 */
export const addressesToMove = <A extends AddressState>(
  own: readonly AddressState[],
  others: readonly A[],
): readonly A[] => {
  const added = others.filter(
    (other) => !own.some((each) => columns.every((name) => each[name] === other[name])),
  )
  return added.slice(Math.max(0, own.length + added.length - maxMergedAddresses))
}
