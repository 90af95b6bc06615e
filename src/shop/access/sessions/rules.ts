import { networkOf } from '#http/message/client-network.ts'
import { createMessage } from '#i18n/message.ts'
import { dayMs, type Instant, secondMs } from '#values/instant.ts'
import { type FieldIssue, fieldProblem, problem } from '#values/problem.ts'
import { extendedExpiry } from '#values/session-lifetime.ts'
import type { Login } from './schema.ts'

/** The lifetime of a refresh token, and the extension of a session at each renewal. */
const refreshLifetimeMs = 30 * dayMs

/** Returns when a session that is renewed at `now` expires. */
export const sessionExpiresAt = (beganAt: Instant, now: Instant): Instant =>
  extendedExpiry(beganAt, now, refreshLifetimeMs)

/** The credentials in the body of POST /login. */
export type LoginCredentials =
  | ({ readonly kind: 'password'; readonly username: string; readonly password: string } & Merging)
  | ({ readonly kind: 'refresh'; readonly secret: string } & Merging)

interface Merging {
  /** A token of the guest to merge into the account. */
  readonly guestToken: string | undefined
}

/** Returns the credentials in a body. Throws 400/4001 when neither kind is complete, and 422/4221 for both kinds. */
export function parseCredentials(body: Login): LoginCredentials {
  const { username, password, refresh_token, guest_token: guestToken } = body
  if (refresh_token !== undefined) {
    const other = (['username', 'password'] as const).find((field) => body[field] !== undefined)
    if (other === undefined) return { kind: 'refresh', secret: refresh_token, guestToken }
    throw fieldProblem([
      { field: 'refresh_token', message: createMessage('field.conflict', { other }) },
    ])
  }
  if (username !== undefined && password !== undefined) {
    return { kind: 'password', username, password, guestToken }
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

/** Throws 403/4032 for a suspended user. */
export function requireActiveAccount({
  status,
}: {
  readonly status: 'active' | 'suspended'
}): void {
  if (status === 'suspended') throw problem('4032', 'detail.suspended')
}

/** Returns the public fields of a session, without `is_current`. */
export const presentSession = <S extends { readonly session_kind: 'token' | 'browser' }>({
  session_kind: kind,
  ...session
}: S) => ({ ...session, kind })

/** The use of a refresh token. */
interface TokenUse {
  readonly used_at: Instant | null
  readonly expires_at: Instant
}

/** Returns true for a refresh token that renews its session: once, until it expires. */
export const isRenewable = ({ used_at, expires_at }: TokenUse, now: Instant): boolean =>
  used_at === null && expires_at > now

/** How long a token may be sent again by a client that did not get the answer. */
const repeatMs = 10 * secondMs

/**
 * Returns true for a refresh token that was used moments ago by the network that now sends it again, such
 * as a client that lost the answer, or two windows of a browser.
 */
export const isRepeat = (
  { used_at, address }: Pick<TokenUse, 'used_at'> & { readonly address: string | null },
  from: string | null,
  now: Instant,
): boolean =>
  used_at !== null &&
  now - used_at <= repeatMs &&
  networkOf(address ?? '') === networkOf(from ?? '')

/** Returns true when a refresh token was rejected because it is used, not because it expired. */
export const isReuse = ({ used_at, expires_at }: TokenUse, now: Instant): boolean =>
  used_at !== null || expires_at > now
