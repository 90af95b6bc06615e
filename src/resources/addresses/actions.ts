import type { Db } from '#db/database.ts'
import { isUnchanged } from '#db/unchanged.ts'
import type { Context } from '#http/declare/context.ts'
import { requireScope } from '#http/pipeline/guards/access.ts'
import { createMessage, type MessageKey } from '#i18n/message.ts'
import type { ShippingChoice } from '#resources/shipping/schema.ts'
import { lockUser, requireUserPresent } from '#resources/users/store.ts'
import type { Instant } from '#values/instant.ts'
import { fieldProblem } from '#values/problem.ts'
import {
  type AddressState,
  addressesToMove,
  createAddressState,
  requireDefaultAddress,
  requireFewAddresses,
} from './rules.ts'
import type { AddressBody, AddressPatch } from './schema.ts'
import * as store from './store.ts'
import type { AddressRow } from './table.ts'

/**
 * Adds an address to a user; the first becomes the default. Throws 409/4091 when the user has too
 * many, and 410/4101 when the user was removed meanwhile.
 */
export async function addAddress(
  db: Db,
  userId: number,
  body: AddressBody,
  now: Instant,
): Promise<AddressRow> {
  await lockUser(db, userId)
  await requireUserPresent(db, userId)
  const existing = await store.findAddresses(db, userId)
  requireFewAddresses(existing.length)
  const isDefault = body.is_default === true || existing.length === 0
  if (isDefault) await store.clearDefault(db, userId, now)
  const state = { ...createAddressState(body), is_default: Number(isDefault) }
  return store.insertAddress(db, userId, state, now)
}

/**
 * Saves an address whose user is locked, if anything has changed. One that becomes the default takes
 * its place. Throws 422/4221 when the default would become none.
 */
export async function saveAddress(
  db: Db,
  current: AddressRow,
  { state, body }: { readonly state: AddressState; readonly body: AddressPatch },
  now: Instant,
): Promise<AddressRow> {
  requireDefaultAddress(current, body)
  const next = { ...state, is_default: Number(body.is_default ?? current.is_default === 1) }
  if (isUnchanged(current, next)) return current
  if (next.is_default > current.is_default) await store.clearDefault(db, current.user_id, now)
  return store.saveAddress(db, current, next, now)
}

/** Removes an address whose user is locked; after the default, the oldest other takes its place. */
export async function removeAddress(
  db: Db,
  { id, user_id, is_default }: AddressRow,
  now: Instant,
): Promise<void> {
  await store.deleteAddress(db, id)
  if (is_default === 1) await store.setOldestDefault(db, user_id, now)
}

/** Moves the addresses of a user to another user, whose default address stays; both users are locked. */
export async function mergeAddresses(
  db: Db,
  { from, to }: { readonly from: number; readonly to: number },
  now: Instant,
): Promise<void> {
  const others = await store.findAddresses(db, from)
  if (others.length === 0) return
  const own = await store.findAddresses(db, to)
  const ids = addressesToMove(own, others).map(({ id }) => id)
  await store.moveAddresses(db, ids, { userId: to, keepsDefault: own.length === 0 }, now)
}

/**
 * Returns a shipping in which the saved address that `address_id` names stands for recipient and
 * address; a recipient of its own stays. `path` is the path of the shipping in the body. Throws
 * 422/4221 for an address of another user than the buyer, or beside another address, and 403/4033
 * for a credential that may not read the addresses.
 */
export async function withSavedAddress<S extends ShippingChoice>(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  buyerId: number | null,
  shipping: S,
  path = '',
): Promise<S> {
  const { address_id: id, ...rest } = shipping
  if (id === undefined) return shipping
  const issue = (key: MessageKey) =>
    fieldProblem([{ field: `${path}address_id`, message: createMessage(key) }])
  if (rest.address !== undefined) throw issue('shipping.address_twice')
  requireScope('users:read', actor)
  const saved = buyerId === null ? undefined : await store.findAddress(db, buyerId, id)
  if (!saved) throw issue('shipping.unknown_address')
  const { line1, line2, city, region, postal_code, country } = saved
  const address = { line1, line2, city, region, postal_code, country }
  return { ...(rest as S), recipient: rest.recipient ?? saved.recipient, address }
}

/** As `withSavedAddress`, for the shipping of an order. */
export const withSavedShipping = async <B extends { readonly shipping?: ShippingChoice }>(
  ctx: Pick<Context, 'db' | 'actor'>,
  buyerId: number,
  body: B,
): Promise<B> =>
  body.shipping
    ? { ...body, shipping: await withSavedAddress(ctx, buyerId, body.shipping, 'shipping.') }
    : body
