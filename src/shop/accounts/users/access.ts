import type { Role } from '#http/declare/actor.ts'
import type { AccessPolicy } from '#http/declare/policy.ts'
import type { Scope } from '#shop/scopes.ts'
import { problem } from '#values/problem.ts'
import { findUserPresence } from './store.ts'

/** Admits the user named by the path parameter `id`, and administrators while that user exists. */
export const userInPathOrAdmin = (scope: Scope): AccessPolicy => ({
  kind: 'owner-by-path',
  scope,
  of: 'user',
  param: 'id',
  presence: ({ db }, userId) => findUserPresence(db, userId),
})

/** For what a stolen token must not do: needs a sign-in of the last ten minutes, or `current_password`. */
export const freshlySignedIn = {
  passwordFields: ['current_password'],
  needsFreshSignIn: () => true,
} as const

interface Caller {
  readonly userId: number | null
  readonly role: Role | null
}

/**
 * Returns the ID of the user whose entries the caller may list, undefined for all users. Throws
 * 403/4031 when a caller who is no administrator requests those of another user.
 */
export function visibleUserId(
  { userId, role }: Caller,
  requestedUserId?: number,
): number | undefined {
  if (role === 'admin') return requestedUserId
  if (userId === null || (requestedUserId !== undefined && requestedUserId !== userId)) {
    throw problem('4031', 'detail.not_owner')
  }
  return userId
}
