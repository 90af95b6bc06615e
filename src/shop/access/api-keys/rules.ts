import type { Actor, Authority } from '#http/declare/actor.ts'
import { requireFullSignIn } from '#http/declare/permissions.ts'
import { compileAddressMatcher } from '#http/message/addresses.ts'
import { createMessage } from '#i18n/message.ts'
import type { Scope } from '#shop/scopes.ts'
import { parseAllowance } from '#values/allowance.ts'
import type { Instant } from '#values/instant.ts'
import { type FieldIssue, fieldProblem, problem } from '#values/problem.ts'
import type { ApiKeyBody } from './schema.ts'
import type { ApiKeyRow } from './table.ts'

/**
 * The limits of a key: null for one that never expires, and for one that is accepted from any address or
 * origin.
 */
export type Grant = Pick<
  ApiKeyRow,
  'scopes' | 'expires_at' | 'allowed_addresses' | 'allowed_origins'
>

/**
 * Returns the grant that a body requests; an absent field is as wide as the caller's credential.
 * Throws 422/4221 for a grant that could never be used. The framework rejects a grant that is wider
 * than the credential, by `authorityOf`.
 */
export function createGrant(
  body: ApiKeyBody,
  { scopes, credential }: Pick<Actor, 'scopes' | 'credential'>,
  now: Instant,
): Grant {
  const limits = credential?.authority
  const defaults = limits === undefined || limits === 'password' ? unlimited : limits
  const { expires_at, allowed_addresses, allowed_origins } = body
  const grant = {
    scopes: [...new Set(body.scopes ?? ([...scopes] as Scope[]))],
    expires_at: expires_at === undefined ? defaults.expiresAt : expires_at,
    allowed_addresses: allowed_addresses === undefined ? defaults.addresses : allowed_addresses,
    allowed_origins: allowed_origins === undefined ? defaults.origins : allowed_origins,
  }
  requireUsableGrant(grant, now)
  return grant
}

/** The maximum number of keys of a user that are accepted; it bounds what revoking one key revokes. */
export const maxKeys = 100

/** Throws 409/4091 when a user with this many keys creates another one. */
export function requireFewKeys(count: number): void {
  if (count >= maxKeys) throw problem('4091', 'api_key.limit', { limit: maxKeys })
}

const unlimited = { expiresAt: null, addresses: null, origins: null }

/**
 * Throws unless the caller may change the rate limit of a key: 422/4221 for a text that is no rate limit,
 * 403/4031 for a customer, and 403/4033 for an administrator who has not proved the password, since a key
 * must not widen itself or another one.
 */
export function requireRateLimitChange(actor: Actor, rateLimit: string | null): void {
  if (rateLimit !== null && parseAllowance(rateLimit) === undefined) {
    throw fieldProblem([{ field: 'rate_limit', message: createMessage('field.rate_limit') }])
  }
  if (actor.role !== 'admin') throw problem('4031', 'detail.admin_only')
  requireFullSignIn(actor)
}

/** Returns the authority of a key, which the framework compares with the caller's credential. */
export const authorityOf = (key: Grant & { readonly user_id: number }): Authority => ({
  userId: key.user_id,
  scopes: key.scopes,
  expiresAt: key.expires_at,
  addresses: key.allowed_addresses,
  origins: key.allowed_origins,
})

function requireUsableGrant(
  { expires_at, allowed_addresses, allowed_origins }: Grant,
  now: Instant,
) {
  const issues: FieldIssue[] = []
  if (expires_at !== null && expires_at <= now) {
    issues.push({ field: 'expires_at', message: createMessage('field.future') })
  }
  for (const [index, entry] of (allowed_addresses ?? []).entries()) {
    if (isNetwork(entry)) continue
    issues.push({ field: `allowed_addresses[${index}]`, message: createMessage('field.network') })
  }
  for (const [index, entry] of (allowed_origins ?? []).entries()) {
    if (isOrigin(entry)) continue
    issues.push({ field: `allowed_origins[${index}]`, message: createMessage('field.origin') })
  }
  if (issues.length > 0) throw fieldProblem(issues)
}

function isNetwork(text: string): boolean {
  if (!/^[\d.]+(\/\d{1,2})?$|^[\da-f:.]*:[\da-f:.]*(\/\d{1,3})?$/i.test(text)) return false
  try {
    compileAddressMatcher([text])
    return true
  } catch {
    return false
  }
}

const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
