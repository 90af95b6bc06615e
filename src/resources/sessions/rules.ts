import { createMessage } from '#i18n/message.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { type FieldIssue, fieldProblem, problem } from '#values/problem.ts'
import { prolongedUntil } from '#values/session-lifetime.ts'
import type { Login } from './schema.ts'

/** How long a refresh token can be used, and by how much each renewal prolongs its session. */
const refreshLifetimeMs = 30 * dayMs

/** Until when a session can be renewed that began at `beganAt` and was renewed now. */
export const renewableUntil = (beganAt: Instant, now: Instant): Instant =>
  prolongedUntil(beganAt, now, refreshLifetimeMs)

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
    message: createMessage('field.one_of', { other: 'refresh_token' }),
    missing: true,
  })
  throw fieldProblem([
    ...(username === undefined ? [missing('username')] : []),
    ...(password === undefined ? [missing('password')] : []),
  ])
}

/** Refuses with 403/4032 whoever is suspended. */
export function requireActive({ status }: { readonly status: 'active' | 'suspended' }): void {
  if (status === 'suspended') throw problem('4032', 'detail.suspended')
}

/** A session as it is shown. */
export const presentSession = <S extends { readonly session_kind: 'token' | 'browser' }>({
  session_kind: kind,
  ...session
}: S) => ({ ...session, kind })

/** What has become of a refresh token. */
interface TokenUse {
  readonly used_at: Instant | null
  readonly expires_at: Instant
}

/** True for a refresh token that renews its session: once, until it expires. */
export const isRenewable = ({ used_at, expires_at }: TokenUse, now: Instant): boolean =>
  used_at === null && expires_at > now

/** True when a refresh token that could not be spent had been spent before, not just expired. */
export const isReuse = ({ used_at, expires_at }: TokenUse, now: Instant): boolean =>
  used_at !== null || expires_at > now
