import type { Context } from '#http/declare/context.ts'
import type { DigestSecrets } from '#shop/access/digest/secrets.ts'
import { mergeGuest, readGuestToken } from '#shop/access/guests/merge.ts'
import type { NetworkParts } from '#shop/access/known-networks.ts'
import type { Tokens } from '#shop/access/tokens/access-tokens.ts'
import type { LoginAccount } from '#shop/accounts/passwords/account-store.ts'
import { findAccountByPassword } from '#shop/accounts/passwords/sign-in.ts'
import type { PasswordCheckParts } from '#shop/accounts/passwords/verify.ts'
import { users } from '#shop/accounts/users/table.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import type { PersonalDataParts } from '#shop/personal-data.ts'
import type { Db } from '#store/database.ts'
import type { AuditActor } from '#values/audit.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import {
  isRenewable,
  isRepeat,
  isReuse,
  type LoginCredentials,
  requireActiveAccount,
  sessionExpiresAt,
} from './rules.ts'
import { insertSessionWithToken, issueTokens, type StartedSession } from './start.ts'
import * as store from './store.ts'
import { refreshTokens, type SessionRow } from './table.ts'

/** What signs in with a password. */
export interface SignInParts extends PasswordCheckParts, NetworkParts, PersonalDataParts {
  readonly tokens: Tokens
  readonly digests: Pick<DigestSecrets, 'make' | 'isCurrent'>
}

/**
 * Signs in with a password, and merges a guest into the account. The slow verification runs outside
 * the transaction, which then checks that the password has not changed. Throws 401/4012, 403/4032
 * when suspended, and 429/4291.
 */
export async function signIn(
  parts: SignInParts,
  ctx: Context,
  { username, password, guestToken }: Extract<LoginCredentials, { kind: 'password' }>,
): Promise<StartedSession> {
  const { tokens, digests, knownNetworks } = parts
  const { transaction, now } = ctx
  const auditActor = { ...ctx.auditActor(), credential: 'password' } as const
  const verified = await requirePassword(parts, ctx, { username, password })
  const merge = await guestMerger(parts, guestToken, now)
  const refresh = tokens.createRefreshToken()
  const started = await transaction(async (db) => {
    const current = await store.lockAccount(db, verified.id)
    if (current?.password_hash !== verified.password_hash) {
      throw problem('4012', 'detail.bad_login')
    }
    requireActiveAccount(current)
    const { id, username: name } = current
    if (name !== null && !digests.isCurrent(current.digest_secret, name)) {
      // No representation shows the secret, so that the user keeps the revision.
      await users.update(db, { id }, { digest_secret: digests.make(name, password) })
    }
    const actor = { ...auditActor, actorId: id }
    await merge?.(db, current, actor)
    const session = { userId: id, address: auditActor.address, hash: refresh.hash }
    const sessionId = await insertSessionWithToken(db, session, now)
    const details = { id: sessionId }
    const event = { action: 'signed_in', subjectId: id, details } as const
    await recordAuditEvent(db, actor, event)
    return { user: current, sessionId }
  })
  knownNetworks.recordNetwork(started.user.id, auditActor.address ?? '', now)
  return issueTokens(tokens, started, refresh.secret, now)
}

/**
 * Returns what merges the guest of a token into an account; undefined without a token. Throws 401/4012
 * for an invalid token.
 */
async function guestMerger(
  { tokens, personalDataDeclarations }: SignInParts,
  guestToken: string | undefined,
  now: Instant,
) {
  if (guestToken === undefined) return undefined
  const claim = await readGuestToken(tokens, guestToken, now)
  return (db: Db, account: store.Account, auditActor: AuditActor) =>
    mergeGuest(db, personalDataDeclarations, { claim, account, auditActor })
}

/** Returns the account of a username and password. Throws 401/4012 when they do not match. */
async function requirePassword(
  parts: SignInParts,
  ctx: Context,
  { username: name, password }: { readonly username: string; readonly password: string },
): Promise<LoginAccount> {
  const auditActor = { ...ctx.auditActor(), credential: 'password' } as const
  const attempt = { name, password, auditActor, isNameCounted: true }
  const account = await findAccountByPassword(ctx.db, parts, attempt)
  if (!account) throw problem('4012', 'detail.bad_login')
  return account
}

/**
 * Renews a session and replaces its refresh token. A refresh token used again may be stolen, so that
 * ends the session (RFC 9700 section 4.14.2), except within ten seconds from the same network. Throws 401/4012, 403/4032 when suspended, and
 * 429/4291.
 */
export async function renew(
  parts: SignInParts,
  ctx: Context,
  { secret, guestToken }: Extract<LoginCredentials, { kind: 'refresh' }>,
): Promise<StartedSession> {
  const { tokens, loginThrottle } = parts
  const { transaction, now } = ctx
  const { address } = ctx.auditActor()
  const hash = tokens.hashRefreshToken(secret)
  const next = tokens.createRefreshToken()
  const merge = await guestMerger(parts, guestToken, now)
  // Returns undefined instead of throwing: a problem would roll back the end of the session.
  const rotate = () =>
    transaction(async (db) => {
      const found = await store.lockAccountByToken(db, hash)
      const isUsed =
        found && isRenewable(found, now) && (await store.useRefreshToken(db, hash, now))
      // Another request has used it after the statement above began to wait for the lock.
      const isStale = found?.used_at === null && !isUsed
      const tokenHolder = isStale ? await store.lockAccountByToken(db, hash) : found
      if (!tokenHolder) return undefined
      requireActiveAccount(tokenHolder)
      const { family, id, session_id: sessionId, ended_at, began_at } = tokenHolder
      if (ended_at !== null) return undefined
      const auditActor = { ...ctx.auditActor(), credential: 'refresh_token' } as const
      if (isUsed || isRepeat(tokenHolder, address, now)) {
        const expiresAt = sessionExpiresAt(began_at, now)
        if (expiresAt <= now) return undefined
        const session = { id: sessionId, family, address, expiresAt }
        if (!(await store.extendSession(db, session, now))) {
          return undefined
        }
        await refreshTokens.insert(db, {
          ...{ token_hash: next.hash, family, user_id: id },
          ...{ expires_at: expiresAt, created_at: now },
        })
        await merge?.(db, tokenHolder, { ...auditActor, actorId: id })
        return { user: tokenHolder, sessionId }
      }
      if (isReuse(tokenHolder, now) && (await store.endSession(db, sessionId, now))) {
        const details = { id: sessionId }
        await recordAuditEvent(db, auditActor, {
          action: 'refresh_token_reused',
          subjectId: id,
          details,
        })
      }
      return undefined
    })
  const claim = { address: address ?? '', name: '', now }
  const started = await loginThrottle.check(claim, rotate, ['network'])
  if (!started) throw problem('4012', 'detail.bad_refresh_token')
  return issueTokens(tokens, started, next.secret, now)
}

/** Ends a session; its tokens are rejected from the next request on, in every process. */
export async function signOut(ctx: Context, { id, user_id }: SessionRow): Promise<void> {
  if (!(await store.endSession(ctx.db, id, ctx.now))) return
  const event = { action: 'signed_out', subjectId: user_id, details: { id } } as const
  await recordAuditEvent(ctx.db, ctx.auditActor(), event)
}
