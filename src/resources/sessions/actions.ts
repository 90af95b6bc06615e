import { randomUUID } from 'node:crypto'
import { findAccountNamed, type NamedAccount } from '#auth/accounts.ts'
import type { Context } from '#http/declare/context.ts'
import { recordEvent } from '#resources/audit-events/record.ts'
import type { Digests, Parts, Passwords, Tokens } from '#resources/dependencies.ts'
import type { Instant } from '#values/instant.ts'
import { refusal } from '#values/problem.ts'
import { isReuse, type Proof, renewableUntil, requireActive } from './rules.ts'
import * as store from './store.ts'
import type { SessionRow } from './table.ts'

/** What signing in is made with. */
export interface Doorkeeper extends Pick<Parts, 'attempts' | 'knownNetworks'> {
  readonly passwords: Passwords
  readonly tokens: Tokens
  readonly digests: Digests
}

/** A session as it begins or goes on; the tokens are known to nobody else. */
export interface Begun {
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
  doorkeeper: Doorkeeper,
  ctx: Context,
  { username, password }: Extract<Proof, { kind: 'password' }>,
): Promise<Begun> {
  const { tokens, digests, knownNetworks } = doorkeeper
  const { transaction, now } = ctx
  const witness = { ...ctx.witness(), credential: 'password' } as const
  const found = await requirePassword(doorkeeper, ctx, { username, password })
  const refresh = tokens.makeRefresh()
  const begun = await transaction(async (held) => {
    const current = await store.holdAccount(held, found.id)
    if (current?.password_hash !== found.password_hash) {
      throw refusal('4012', 'detail.bad_login')
    }
    requireActive(current)
    const { username: own } = current
    if (own !== null && !digests.isLasting(current.digest_secret, own)) {
      await store.keepDigest(held, current.id, digests.make(own, password))
    }
    const { id } = current
    const expiresAt = renewableUntil(now, now)
    const token = { hash: refresh.hash, family: randomUUID(), userId: id, expiresAt }
    const sessionId = await store.beginSession(held, { ...token, address: witness.address }, now)
    await store.keepToken(held, token, now)
    const details = { id: sessionId }
    const event = { action: 'signed_in', subjectId: id, details } as const
    await recordEvent(held, { ...witness, actorId: id }, event)
    return { user: current, sessionId }
  })
  knownNetworks.note(begun.user.id, witness.address ?? '', now)
  return tell(tokens, begun, refresh.secret, now)
}

/** The account that a name and a password prove; 401/4012 where they prove none. */
async function requirePassword(
  { passwords, attempts }: Doorkeeper,
  { db, now, witness }: Context,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<NamedAccount> {
  const who = { ...witness(), credential: 'password' } as const
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
  const account = await attempts.check(claim, verify, ['address', 'account'])
  if (!account) throw refusal('4012', 'detail.bad_login')
  return account
}

/**
 * Renews a session. Its refresh token dies and another takes its place; one that is sent a second
 * time has been stolen, from whichever of the two, so that the whole session ends.
 */
export async function renew(
  { tokens, attempts }: Doorkeeper,
  ctx: Context,
  secret: string,
): Promise<Begun> {
  const { transaction, now } = ctx
  const { address } = ctx.witness()
  const hash = tokens.hashRefresh(secret)
  const next = tokens.makeRefresh()
  // What the reuse ends has to stay ended, so it is refused after the transaction, not by it.
  const work = () =>
    transaction(async (db) => {
      const holder = await store.holdAccountOf(db, hash)
      if (!holder) return undefined
      requireActive(holder)
      const { family, id, session_id: sessionId, ended_at, began_at } = holder
      if (ended_at !== null) return undefined
      const witness = { ...ctx.witness(), credential: 'refresh_token' } as const
      if (await store.spendToken(db, hash, now)) {
        const expiresAt = renewableUntil(began_at, now)
        if (expiresAt <= now) return undefined
        if (!(await store.prolongSession(db, { id: sessionId, address, expiresAt }, now))) {
          return undefined
        }
        await store.keepToken(db, { hash: next.hash, family, userId: id, expiresAt }, now)
        return { user: holder, sessionId }
      }
      if (isReuse(holder, now) && (await store.endSession(db, sessionId, now))) {
        const details = { id: sessionId }
        await recordEvent(db, witness, { action: 'refresh_token_reused', subjectId: id, details })
      }
      return undefined
    })
  const claim = { address: address ?? '', name: '', now }
  const begun = await attempts.check(claim, work, ['address'])
  if (!begun) throw refusal('4012', 'detail.bad_refresh_token')
  return tell(tokens, begun, next.secret, now)
}

/** Ends a session with all its tokens, from the next request on, in every process. */
export async function signOut(ctx: Context, { id, user_id }: SessionRow): Promise<void> {
  if (!(await store.endSession(ctx.db, id, ctx.now))) return
  const event = { action: 'signed_out', subjectId: user_id, details: { id } } as const
  await recordEvent(ctx.db, ctx.witness(), event)
}

async function tell(
  tokens: Tokens,
  { user, sessionId }: { readonly user: store.Account; readonly sessionId: number },
  refreshToken: string,
  now: Instant,
): Promise<Begun> {
  const { id, name, role } = user
  const issued = await tokens.issueAccess({ id, name, role, sessionId }, now)
  return { user: { id, role }, sessionId, ...issued, refreshToken }
}
