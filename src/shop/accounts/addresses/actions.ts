import { lockUser, requireUserPresent } from '#shop/accounts/users/store.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import {
  addressesToMove,
  completeAddress,
  requireDefaultAddress,
  requireFewAddresses,
} from './rules.ts'
import type { AddressBody, AddressPatch } from './schema.ts'
import * as store from './store.ts'
import { type Address, addresses } from './table.ts'

/**
 * Adds an address to a user; the first becomes the default. Throws 409/4091 when the user has too
 * many, and 410/4101 when the user was removed meanwhile.
 */
export async function addAddress(
  db: Db,
  userId: number,
  body: AddressBody,
  now: Instant,
): Promise<Address> {
  await lockUser(db, userId)
  await requireUserPresent(db, userId)
  const existing = await addresses.findAll(db, { user_id: userId }, { order: 'id' })
  requireFewAddresses(existing.length)
  const isDefault = body.is_default === true || existing.length === 0
  if (isDefault) await store.clearDefault(db, userId, now)
  return addresses.create(db, completeAddress(body), now, {
    user_id: userId,
    is_default: isDefault,
  })
}

/**
 * Returns whether an address, whose user is locked, is the default after a change; one that becomes
 * the default takes its place. Throws 422/4221 when the default would become none.
 */
export async function changeDefault(
  db: Db,
  current: Address,
  body: AddressPatch,
  now: Instant,
): Promise<Pick<Address, 'is_default'>> {
  requireDefaultAddress(current, body)
  const { is_default = current.is_default } = body
  if (is_default && !current.is_default) await store.clearDefault(db, current.user_id, now)
  return { is_default }
}

/** Changes the default address of a user, or adds the first one; returns whether anything has changed. */
export async function saveDefaultAddress(
  db: Db,
  userId: number,
  current: Address | undefined,
  body: AddressBody,
  now: Instant,
): Promise<boolean> {
  if (current) {
    const changed = await addresses.modify(db, current, completeAddress(body, current), now)
    return changed.revision !== current.revision
  }
  await addAddress(db, userId, body, now)
  return true
}

/** Removes an address whose user is locked; after the default, the oldest other takes its place. */
export async function removeAddress(
  db: Db,
  { id, user_id, is_default }: Address,
  now: Instant,
): Promise<void> {
  await addresses.delete(db, { id })
  if (is_default) await store.setOldestDefault(db, user_id, now)
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
