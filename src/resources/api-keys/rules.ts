import type { Actor, Scope } from '#kernel/actor.ts'
import { trustIn } from '#kernel/proxies.ts'
import type { Instant } from '#values/instant.ts'
import { say } from '#values/message.ts'
import { type FieldIssue, fieldRefusal, refusal } from '#values/refusal.ts'
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

/** Who makes a key: a caller and, where that is one who uses a key, what that key was granted. */
export interface Maker {
  readonly actor: Pick<Actor, 'scopes'>
  readonly by: Grant | undefined
}

/**
 * The grant that a body asks for; what it does not name is as wide as its maker's. Refused with 422
 * where it could never be met, with 403 where it is wider than its maker's.
 */
export function grantFor(body: ApiKeyBody, maker: Maker, now: Instant): Grant {
  const { actor, by } = maker
  const { allowed_addresses, allowed_origins, expires_at } = body
  const grant = {
    scopes: [...new Set(body.scopes ?? ([...actor.scopes] as Scope[]))],
    expires_at: expires_at === undefined ? (by?.expires_at ?? null) : expires_at,
    allowed_addresses:
      allowed_addresses === undefined ? (by?.allowed_addresses ?? null) : allowed_addresses,
    allowed_origins:
      allowed_origins === undefined ? (by?.allowed_origins ?? null) : allowed_origins,
  }
  requireMeaning(grant, now)
  requireNoWider(grant, maker)
  return grant
}

function requireMeaning({ expires_at, allowed_addresses, allowed_origins }: Grant, now: Instant) {
  const issues: FieldIssue[] = []
  if (expires_at !== null && expires_at <= now) {
    issues.push({ field: 'expires_at', message: say('field.future') })
  }
  for (const [at, entry] of (allowed_addresses ?? []).entries()) {
    if (isNetwork(entry)) continue
    issues.push({ field: `allowed_addresses[${at}]`, message: say('field.network') })
  }
  for (const [at, entry] of (allowed_origins ?? []).entries()) {
    if (isOrigin(entry)) continue
    issues.push({ field: `allowed_origins[${at}]`, message: say('field.origin') })
  }
  if (issues.length > 0) throw fieldRefusal(issues)
}

/** Refuses with 403 what a key would be granted beyond what its maker has. */
export function requireNoWider(grant: Grant, { actor, by }: Maker): void {
  const scope = grant.scopes.find((each) => !actor.scopes.has(each))
  if (scope) throw refusal('4033', 'detail.scope', { scope })
  if (!by) return
  const { expires_at } = grant
  const outlives = by.expires_at !== null && (expires_at === null || expires_at > by.expires_at)
  if (outlives) throw refusal('4031', 'key.wider', { field: 'expires_at' })
  for (const field of ['allowed_addresses', 'allowed_origins'] as const) {
    if (!isWithin(grant[field], by[field])) throw refusal('4031', 'key.wider', { field })
  }
}

const isWithin = (entries: readonly string[] | null, all: readonly string[] | null): boolean =>
  all === null || (entries?.every((entry) => all.includes(entry)) ?? false)

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

/** Refuses with 403 whoever would be shown a secret that acts in the name of somebody else. */
export function requireOwner({ userId }: Pick<Actor, 'userId'>, owner: number): void {
  if (userId !== owner) throw refusal('4031', 'detail.not_owner')
}
