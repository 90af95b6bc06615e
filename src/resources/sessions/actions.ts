import { randomUUID } from 'node:crypto'
import { findAccountNamed, type NamedAccount } from '#auth/accounts.ts'
import type { Context } from '#http/declare/context.ts'
import { recordEvent } from '#resources/audit-events/record.ts'
import type { Dependencies, Digests, Passwords, Tokens } from '#resources/dependencies.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { isRenewable, isReuse, type Proof, renewableUntil, requireActive } from './rules.ts'
import * as store from './store.ts'
import type { SessionRow } from './table.ts'

/** What signing in is made with. */
export interface SignInDependencies extends Pick<Dependencies, 'loginThrottle' | 'knownNetworks'> {
  readonly passwords: Passwords
  readonly tokens: Tokens
  readonly digests: Digests
}

/** A session as it begins or goes on; the tokens are known to nobody else. */
export interface StartedPayment {
  readonly user: Pick<store.Account, 'id' | 'role'>
  readonly sessionId: number
  readonly token: string
  readonly expiresInSeconds: number
  readonly refreshToken: string
}

/**
 * Signs in by password. The password is looked at outside any transaction, and the account once
 * more inside one, so that no session begins with a password that has just been replaced.
 */
export async function signIn(
  signInDependencies: SignInDependencies,
  ctx: Context,
  { username, password }: Extract<Proof, { kind: 'password' }>,
): Promise<StartedPayment> {
  const { tokens, digests, knownNetworks } = signInDependencies
  const { transaction, now } = ctx
  const auditActor = { ...ctx.auditActor(), credential: 'password' } as const
  const found = await requirePassword(signInDependencies, ctx, { username, password })
  const refresh = tokens.makeRefresh()
  const started = await transaction(async (held) => {
    const current = await store.lockAccount(held, found.id)
    if (current?.password_hash !== found.password_hash) {
      throw problem('4012', 'detail.bad_login')
    }
    requireActive(current)
    const { username: own } = current
    if (own !== null && !digests.isLasting(current.digest_secret, own)) {
      await store.keepDigest(held, current.id, digests.make(own, password))
    }
    const { id } = current
    const expiresAt = renewableUntil(now, now)
    const token = { hash: refresh.hash, family: randomUUID(), userId: id, expiresAt }
    const sessionId = await store.beginSession(held, { ...token, address: auditActor.address }, now)
    await store.keepToken(held, token, now)
    const details = { id: sessionId }
    const event = { action: 'signed_in', subjectId: id, details } as const
    await recordEvent(held, { ...auditActor, actorId: id }, event)
    return { user: current, sessionId }
  })
  knownNetworks.note(started.user.id, auditActor.address ?? '', now)
  return tell(tokens, started, refresh.secret, now)
}

/** The account that a name and a password prove; 401/4012 where they prove none. */
async function requirePassword(
  { passwords, loginThrottle }: SignInDependencies,
  { db, now, auditActor }: Context,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<NamedAccount> {
  const who = { ...auditActor(), credential: 'password' } as const
  const verify = async () => {
    const found = await findAccountNamed(db, username)
    if ((await passwords.matches(password, found?.password_hash ?? null)) && found) return found
    // The same work whether or not there is somebody of that name. The name itself is not kept:
    // where nobody has it, it may well be a password.
    await recordEvent(db, who, { action: 'sign_in_failed', subjectId: found?.id ?? null })
    return undefined
  }
  const claim = { address: who.address ?? '', name: username, now }
  // The pair of address and name is counted by the route.
  const account = await loginThrottle.check(claim, verify, ['address', 'account'])
  if (!account) throw problem('4012', 'detail.bad_login')
  return account
}

/**
 * Renews a session. Its refresh token dies and another takes its place; one that is sent a second
 * time has been stolen, from whichever of the two, so that the whole session ends.
 */
export async function renew(
  { tokens, loginThrottle }: SignInDependencies,
  ctx: Context,
  secret: string,
): Promise<StartedPayment> {
  const { transaction, now } = ctx
  const { address } = ctx.auditActor()
  const hash = tokens.hashRefresh(secret)
  const next = tokens.makeRefresh()
  // What the reuse ends has to stay ended, so it is refused after the transaction, not by it.
  const work = () =>
    transaction(async (db) => {
      const tokenHolder = await store.lockAccountOf(db, hash)
      if (!tokenHolder) return undefined
      requireActive(tokenHolder)
      const { family, id, session_id: sessionId, ended_at, began_at } = tokenHolder
      if (ended_at !== null) return undefined
      const auditActor = { ...ctx.auditActor(), credential: 'refresh_token' } as const
      if (isRenewable(tokenHolder, now) && (await store.spendToken(db, hash, now))) {
        const expiresAt = renewableUntil(began_at, now)
        if (expiresAt <= now) return undefined
        if (!(await store.prolongSession(db, { id: sessionId, address, expiresAt }, now))) {
          return undefined
        }
        await store.keepToken(db, { hash: next.hash, family, userId: id, expiresAt }, now)
        return { user: tokenHolder, sessionId }
      }
      if (isReuse(tokenHolder, now) && (await store.endSession(db, sessionId, now))) {
        const details = { id: sessionId }
        await recordEvent(db, auditActor, {
          action: 'refresh_token_reused',
          subjectId: id,
          details,
        })
      }
      return undefined
    })
  const claim = { address: address ?? '', name: '', now }
  const started = await loginThrottle.check(claim, work, ['address'])
  if (!started) throw problem('4012', 'detail.bad_refresh_token')
  return tell(tokens, started, next.secret, now)
}

/** Ends a session with all its tokens, from the next request on, in every process. */
export async function signOut(ctx: Context, { id, user_id }: SessionRow): Promise<void> {
  if (!(await store.endSession(ctx.db, id, ctx.now))) return
  const event = { action: 'signed_out', subjectId: user_id, details: { id } } as const
  await recordEvent(ctx.db, ctx.auditActor(), event)
}

async function tell(
  tokens: Tokens,
  { user, sessionId }: { readonly user: store.Account; readonly sessionId: number },
  refreshToken: string,
  now: Instant,
): Promise<StartedPayment> {
  const { id, name, role } = user
  const issued = await tokens.issueAccess({ id, name, role, sessionId }, now)
  return { user: { id, role }, sessionId, ...issued, refreshToken }
}
