import type { Context } from '#http/declare/context.ts'
import type { Language } from '#i18n/languages.ts'
import {
  insertSessionWithToken,
  issueTokens,
  type StartedSession,
} from '#shop/access/sessions/start.ts'
import type { Tokens } from '#shop/access/tokens/access-tokens.ts'
import { eraseUser } from '#shop/accounts/users/actions.ts'
import { userEvent } from '#shop/accounts/users/events.ts'
import { addressNetwork, createGuestState } from '#shop/accounts/users/rules.ts'
import { findUser, lockUser } from '#shop/accounts/users/store.ts'
import { type UserRow, users } from '#shop/accounts/users/table.ts'
import { insertUserWords } from '#shop/accounts/users/words-store.ts'
import { callerNetwork } from '#shop/caller-network.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import type { PersonalData } from '#shop/personal-data.ts'
import type { Db } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import { serverActor } from '#values/audit.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import type { GuestBody } from './schema.ts'
import * as store from './store.ts'

/** How long a guest without an order is kept: as long as the first refresh token lives. */
export const guestKeptMs = 30 * dayMs

/** A new guest, and the session in which the caller acts as the guest. */
export interface StartedGuest extends StartedSession {
  readonly guest: UserRow
}

/** Inserts a guest and starts a session. */
export async function createGuest(
  tokens: Tokens,
  ctx: Context,
  body: GuestBody & { readonly language: Language },
): Promise<StartedGuest> {
  const { db, now, auditActor } = ctx
  const times = { guest_until: now + guestKeptMs, created_at: now, updated_at: now }
  const state = createGuestState(body)
  const email_network = addressNetwork(state, callerNetwork(ctx))
  const guest = await users.insert(db, { ...state, ...times, email_network })
  await insertUserWords(db, guest)
  const { secret, hash } = tokens.createRefreshToken()
  const { address } = auditActor()
  const sessionId = await insertSessionWithToken(db, { userId: guest.id, address, hash }, now)
  await recordEvents(db, [userEvent('user.created', guest, now)])
  return { ...(await issueTokens(tokens, { user: guest, sessionId }, secret, now)), guest }
}

/** The maximum number of guests that a job erases at once. */
export const guestBatchSize = 20

/**
 * Erases guests without an order 30 days after they began, each in a transaction, and returns how many were
 * looked at. One with an order is kept for good.
 */
export async function eraseDueGuests(
  transaction: RunTransaction,
  db: Db,
  personalDataDeclarations: readonly PersonalData[],
  now: Instant,
): Promise<number> {
  const due = await store.listDueGuests(db, now, guestBatchSize)
  const isErasable = ({ role, deleted_at, order_id }: store.DueGuest) =>
    role === 'guest' && deleted_at === null && order_id === null
  const kept = due.filter((guest) => !isErasable(guest))
  if (kept.length > 0) {
    await users.update(db, { id: kept.map(({ id }) => id) }, { guest_until: null })
  }
  for (const { id } of due.filter(isErasable)) {
    await transaction(async (tx) => {
      // An order that is being placed holds the lock, or waits for it and then finds no buyer.
      await lockUser(tx, id)
      const guest = await findUser(tx, id)
      if (guest?.role !== 'guest' || guest.deleted_at !== null) return
      if (await store.hasOrder(tx, id)) return
      await eraseUser(tx, personalDataDeclarations, guest, serverActor(now))
    })
  }
  return due.length
}
