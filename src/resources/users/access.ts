import type { Scope } from '#auth/scopes.ts'
import type { AccessPolicy } from '#http/declare/policy.ts'
import { isPresent } from './store.ts'

/** Admits the user named by the path parameter `id`, and administrators while that user exists. */
export const userInPathOrAdmin = (scope: Scope): AccessPolicy => ({
  kind: 'owner-by-path',
  scope,
  of: 'user',
  param: 'id',
  presence: ({ db }, userId) => isPresent(db, userId),
})
