import { minuteMs } from '#values/instant.ts'
import { type Problem, problem } from '#values/problem.ts'
import type { Actor, Scope } from './actor.ts'
import type { Context } from './context.ts'

/** Throws 401/4011 when anonymous, 403/4031 when the caller is a client without a user. */
export function requireUser({ role, credential }: Actor): void {
  if (role !== null) return
  throw credential === null ? problem('4011', 'detail.sign_in') : problem('4031', 'detail.no_user')
}

/** Throws 403/4033 unless the caller has proved the password of the account. */
export function requireFullSignIn(actor: Actor): void {
  if (!actor.isFullSignIn) throw problem('4033', 'detail.full_sign_in')
}

/** How long ago a sign-in may be that still counts as fresh. */
const freshMs = 10 * minuteMs

/**
 * Throws 403/4031 for a sign-in by password that is older than ten minutes, unless the request proves
 * the password again. Guests have none, and narrower credentials are no sign-in: what those may do, other
 * rules say.
 */
export function requireFreshSignIn({
  actor,
  now,
  provedHash,
}: Pick<Context, 'actor' | 'now' | 'provedHash'>): void {
  const { role, credential } = actor
  if (credential?.authority !== 'password' || role === 'guest' || provedHash !== undefined) return
  if (!isFreshSignIn({ actor, now })) throw problem('4031', 'detail.fresh_sign_in')
}

/** True if the caller proved the password of the account in the last ten minutes. */
export const isFreshSignIn = ({
  actor: { credential },
  now,
}: Pick<Context, 'actor' | 'now'>): boolean => now - (credential?.provedAt ?? 0) <= freshMs

/** Throws 403/4033 unless the credential has the scope. */
export function requireScope(scope: Scope, actor: Actor): void {
  if (!actor.scopes.has(scope)) throw missingScope(scope, actor)
}

/** The problem of a credential without a scope that is needed. */
export function missingScope(scope: Scope, { role, isFullSignIn }: Actor): Problem {
  // No other credential of a guest has more.
  const isOfAccounts = role === 'guest' && isFullSignIn
  return problem('4033', isOfAccounts ? 'detail.guest_scope' : 'detail.scope', { scope })
}
