import { dayMs, type Instant } from '#values/instant.ts'
import { say } from '#values/message.ts'
import { type FieldIssue, fieldRefusal, refusal } from '#values/refusal.ts'
import type { Login } from './schema.ts'

/** How long a refresh token can be used. */
export const refreshLifetimeMs = 30 * dayMs

/** What somebody signs in with. */
export type Proof =
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  | { readonly kind: 'refresh'; readonly secret: string }

/** What a body proves itself with; refused with 400/4001 when it is neither whole. */
export function proofOf({ username, password, refresh_token }: Login): Proof {
  if (refresh_token !== undefined) return { kind: 'refresh', secret: refresh_token }
  if (username !== undefined && password !== undefined) {
    return { kind: 'password', username, password }
  }
  const missing = (field: string): FieldIssue => ({
    field,
    message: say('field.one_of', { other: 'refresh_token' }),
    missing: true,
  })
  throw fieldRefusal([
    ...(username === undefined ? [missing('username')] : []),
    ...(password === undefined ? [missing('password')] : []),
  ])
}

/** Refuses with 403/4032 whoever is suspended. */
export function requireActive({ status }: { readonly status: 'active' | 'suspended' }): void {
  if (status === 'suspended') throw refusal('4032', 'detail.suspended')
}

/** True when a refresh token that could not be spent had been spent before, not just expired. */
export const isReuse = (
  token: { readonly used_at: Instant | null; readonly expires_at: Instant },
  now: Instant,
): boolean => token.used_at !== null || token.expires_at > now
