import type { Actor, Authority, Scope } from '#http/declare/caller.ts'
import { trustIn } from '#http/server/network/proxies.ts'
import { createMessage } from '#i18n/message.ts'
import type { Instant } from '#values/instant.ts'
import { type FieldIssue, fieldProblem } from '#values/problem.ts'
import type { ApiKeyBody } from './schema.ts'

/** What a key may be used for, until when, from where and by whose pages. */
export interface Grant {
  readonly scopes: readonly Scope[]
  /** Null for a key that never expires. */
  readonly expires_at: Instant | null
  /** Null for a key that is taken from anywhere. */
  readonly allowed_addresses: readonly string[] | null
  /** Null for a key that anybody may use. */
  readonly allowed_origins: readonly string[] | null
}

/**
 * The grant that a body asks for; what it does not name is as wide as the caller's credential.
 * Throws 422 for a grant that could never be used. Whether it is too wide is for the framework to
 * judge, by `authorityOf`.
 */
export function grantFor(
  body: ApiKeyBody,
  { scopes, credential }: Pick<Actor, 'scopes' | 'credential'>,
  now: Instant,
): Grant {
  const limits = credential?.authority
  const own = limits === undefined || limits === 'password' ? unlimited : limits
  const { expires_at, allowed_addresses, allowed_origins } = body
  const grant = {
    scopes: [...new Set(body.scopes ?? ([...scopes] as Scope[]))],
    expires_at: expires_at === undefined ? own.expiresAt : expires_at,
    allowed_addresses: allowed_addresses === undefined ? own.addresses : allowed_addresses,
    allowed_origins: allowed_origins === undefined ? own.origins : allowed_origins,
  }
  requireMeaning(grant, now)
  return grant
}

const unlimited = { expiresAt: null, addresses: null, origins: null }

/** What a key may be used for, as the framework compares it with the credential of its maker. */
export const authorityOf = (key: Grant & { readonly user_id: number }): Authority => ({
  userId: key.user_id,
  scopes: key.scopes,
  expiresAt: key.expires_at,
  addresses: key.allowed_addresses,
  origins: key.allowed_origins,
})

function requireMeaning({ expires_at, allowed_addresses, allowed_origins }: Grant, now: Instant) {
  const issues: FieldIssue[] = []
  if (expires_at !== null && expires_at <= now) {
    issues.push({ field: 'expires_at', message: createMessage('field.future') })
  }
  for (const [at, entry] of (allowed_addresses ?? []).entries()) {
    if (isNetwork(entry)) continue
    issues.push({ field: `allowed_addresses[${at}]`, message: createMessage('field.network') })
  }
  for (const [at, entry] of (allowed_origins ?? []).entries()) {
    if (isOrigin(entry)) continue
    issues.push({ field: `allowed_origins[${at}]`, message: createMessage('field.origin') })
  }
  if (issues.length > 0) throw fieldProblem(issues)
}

function isNetwork(text: string): boolean {
  if (!/^[\d.]+(\/\d{1,2})?$|^[\da-f:.]*:[\da-f:.]*(\/\d{1,3})?$/i.test(text)) return false
  try {
    trustIn([text])
    return true
  } catch {
    return false
  }
}

const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
