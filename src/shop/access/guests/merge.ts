import type { Role } from '#http/declare/actor.ts'
import type { Tokens } from '#shop/access/tokens/access-tokens.ts'
import { eraseUser } from '#shop/accounts/users/actions.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import type { PersonalData } from '#shop/personal-data.ts'
import type { Db } from '#store/database.ts'
import type { AuditActor } from '#values/audit.ts'
import type { Instant } from '#values/instant.ts'
import { Problem, problem } from '#values/problem.ts'
import { lockUserByRefreshToken, lockUserBySession } from './store.ts'

/** What the token of a guest says, before the database is asked. */
export type GuestClaim =
  | { readonly userId: number; readonly sessionId: number }
  | { readonly hash: string }

const badGuestToken = () => problem('4012', 'detail.bad_guest_token')

/** Reads an access or a refresh token of a guest. Throws 401/4012 for one that is invalid or expired. */
export async function readGuestToken(
  tokens: Tokens,
  token: string,
  now: Instant,
): Promise<GuestClaim> {
  if (!tokens.isOwn(token)) return { hash: tokens.hashRefreshToken(token) }
  try {
    const { userId, sessionId } = await tokens.verify(token, now)
    return { userId, sessionId }
  } catch (error) {
    throw error instanceof Problem && error.status === 401 ? badGuestToken() : error
  }
}

interface Merge {
  readonly claim: GuestClaim
  /** The account that takes over what the guest has; the transaction has locked it. */
  readonly account: { readonly id: number; readonly role: Role }
  readonly auditActor: AuditActor
}

/**
 * Gives what a guest has to an account, as the declarations of personal data say, and removes the
 * guest. Throws 401/4012 when the token identifies no active guest, who may have
 * registered, or have been merged, meanwhile; and when the account is a guest too.
 */
export async function mergeGuest(
  db: Db,
  personalDataDeclarations: readonly PersonalData[],
  { claim, account, auditActor }: Merge,
): Promise<void> {
  const { at: now } = auditActor
  if (account.role === 'guest') throw badGuestToken()
  const guest =
    'hash' in claim
      ? await lockUserByRefreshToken(db, claim.hash, now)
      : await lockUserBySession(db, claim)
  if (guest?.role !== 'guest' || guest.status !== 'active') throw badGuestToken()
  const merged = { from: guest.id, to: account.id, now }
  for (const { merge } of personalDataDeclarations) await merge?.(db, merged)
  const details = { id: guest.id }
  await recordAuditEvent(db, auditActor, { action: 'guest_merged', subjectId: account.id, details })
  await eraseUser(db, personalDataDeclarations, guest, auditActor)
}
