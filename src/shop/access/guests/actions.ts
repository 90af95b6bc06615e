import type { Context } from '#http/declare/context.ts'
import type { Language } from '#i18n/languages.ts'
import {
  insertSessionWithToken,
  issueTokens,
  type StartedSession,
} from '#shop/access/sessions/start.ts'
import type { Tokens } from '#shop/access/tokens/access-tokens.ts'
import { userEvent } from '#shop/accounts/users/events.ts'
import { addressNetwork, createGuestState } from '#shop/accounts/users/rules.ts'
import { type UserRow, users } from '#shop/accounts/users/table.ts'
import { usersByWords } from '#shop/accounts/users/words-store.ts'
import { callerNetwork } from '#shop/caller-network.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import { dayMs } from '#values/instant.ts'
import type { GuestBody } from './schema.ts'

/** How long a guest is kept whose orders, if any, were not paid: as long as the first refresh token lives. */
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
  await usersByWords.insert(db, guest)
  const { secret, hash } = tokens.createRefreshToken()
  const { address } = auditActor()
  const sessionId = await insertSessionWithToken(db, { userId: guest.id, address, hash }, now)
  await recordEvents(db, [userEvent('user.created', guest, now)])
  return { ...(await issueTokens(tokens, { user: guest, sessionId }, secret, now)), guest }
}
