import { lockUser, requireUserPresent } from '#shop/accounts/users/store.ts'
import type { Db } from '#store/database.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import {
  type AddressState,
  addressesToMove,
  createAddressState,
  requireDefaultAddress,
  requireFewAddresses,
} from './rules.ts'
import type { AddressBody, AddressPatch } from './schema.ts'
import * as store from './store.ts'
import { type AddressRow, addresses } from './table.ts'

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
  const existing = await addresses.findAll(db, { user_id: userId }, { order: 'id' })
  requireFewAddresses(existing.length)
  const isDefault = body.is_default === true || existing.length === 0
  if (isDefault) await store.clearDefault(db, userId, now)
  const state = { ...createAddressState(body), is_default: Number(isDefault) }
  return addresses.insert(db, { ...state, user_id: userId, created_at: now, updated_at: now })
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
  return addresses.save(db, current, next, now)
}

/** Removes an address whose user is locked; after the default, the oldest other takes its place. */
export async function removeAddress(
  db: Db,
  { id, user_id, is_default }: AddressRow,
  now: Instant,
): Promise<void> {
  await addresses.delete(db, { id })
  if (is_default === 1) await store.setOldestDefault(db, user_id, now)
}

/** Moves the addresses of a user to another user, whose default address stays; both users are locked. */
export async function mergeAddresses(
  db: Db,
  { from, to }: { readonly from: number; readonly to: number },
  now: Instant,
): Promise<void> {
  const others = await addresses.findAll(db, { user_id: from }, { order: 'id' })
  if (others.length === 0) return
  const own = await addresses.findAll(db, { user_id: to }, { order: 'id' })
  const ids = addressesToMove(own, others).map(({ id }) => id)
  await store.moveAddresses(db, ids, { userId: to, keepsDefault: own.length === 0 }, now)
}
